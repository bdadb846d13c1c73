'use client'

import { KoboButton } from '@kobo/sdk/react'
import { useState } from 'react'

/** Creates the order on the server, then opens the checkout over this page. */
export function Shop({ baseUrl }) {
  const [text, setText] = useState('Two pairs of shoes, ₦9000')
  const createOrder = async () => {
    const order = await (await fetch('/orders', { method: 'POST' })).json()
    // The server delivers when the webhook arrives; this page only says thank you.
    return { ...order, onComplete: () => setText(`Thank you for ${order.reference}`) }
  }
  return (
    <main>
      <h1>Shoes</h1>
      <p>{text}</p>
      <KoboButton baseUrl={baseUrl} checkout={createOrder}>
        Buy
      </KoboButton>
    </main>
  )
}
