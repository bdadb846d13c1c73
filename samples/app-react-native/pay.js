import * as WebBrowser from 'expo-web-browser'

/**
 * Your own server. It creates the payment, redirects /app-return to myshop://paid, and knows from the webhook whether
 * an order is paid.
 */
const SERVER = 'https://shop.example'

/** Opens the checkout in a secure tab. Returns whether the order is paid. */
export async function pay(order) {
  const created = await fetch(`${SERVER}/orders/${order}/payment`, { method: 'POST' })
  const { checkoutUrl } = await created.json()
  // Resolves when the phone opens myshop://paid, or when the customer closes the tab, perhaps after paying.
  await WebBrowser.openAuthSessionAsync(checkoutUrl, 'myshop://paid')
  const status = await fetch(`${SERVER}/orders/${order}`)
  return (await status.json()).isPaid === true
}
