// Orders and payments, on the server only.
import { createHmac, randomUUID } from 'node:crypto'
import process from 'node:process'
import { connect } from '@kobo/sdk'

const PRICE = 9000
const settings = () => {
  const {
    KOBO_URL = 'http://localhost:8080',
    KOBO_API_KEY = '',
    KOBO_SECRET_KEY = '',
    KOBO_CONTRACT_CODE = '',
  } = process.env
  return { baseUrl: KOBO_URL, apiKey: KOBO_API_KEY, secretKey: KOBO_SECRET_KEY, contractCode: KOBO_CONTRACT_CODE }
}
const kobo = () => {
  globalThis.kobo ??= connect(settings())
  return globalThis.kobo
}

/** Orders by payment reference; use a database in a real shop. Next.js loads each route separately, so they are global. */
globalThis.orders ??= new Map()
export const orders = globalThis.orders

function createOrder() {
  const reference = `order-${randomUUID()}`
  orders.set(reference, { reference, status: 'OPEN', deliveries: 0 })
  return reference
}

/** A new order for the inline checkout. The signature protects the amount from changes in the browser. */
export function inlineOrder() {
  const { apiKey, secretKey, contractCode } = settings()
  const reference = createOrder()
  const text = `${contractCode}|${reference}|${PRICE.toFixed(2)}|NGN|[]`
  const signature = createHmac('sha512', secretKey).update(text).digest('hex')
  return {
    amount: PRICE,
    currency: 'NGN',
    reference,
    customerEmail: 'ada@example.com',
    apiKey,
    contractCode,
    signature,
  }
}

/** A new order for the hosted checkout. */
export async function hostedOrder() {
  const reference = createOrder()
  const { checkoutUrl } = await kobo().transactions.init({
    amount: PRICE,
    customerEmail: 'ada@example.com',
    paymentReference: reference,
    currencyCode: 'NGN',
    contractCode: settings().contractCode,
  })
  return { reference, checkoutUrl }
}

/** Queries the payment's status, because an event is only a hint, and delivers the goods if it is paid. */
export async function deliverIfPaid(reference) {
  const order = orders.get(reference)
  if (order === undefined) return
  const { paymentStatus, amountPaid, currency } = await kobo().transactions.query({ paymentReference: reference })
  order.status = paymentStatus
  const isPaid = /^(PAID|OVERPAID)$/.test(paymentStatus) && Number(amountPaid) >= PRICE && currency === 'NGN'
  if (isPaid && order.deliveries === 0) order.deliveries += 1 // the same event can arrive twice
}
