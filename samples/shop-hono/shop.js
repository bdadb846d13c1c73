// A shop with one product on Hono. Replace the last statement to run it on Deno, Bun or Workers.
import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { serve } from '@hono/node-server'
import { connect, honoEvents, Refused } from '@kobo/sdk'
import { Hono } from 'hono'

const {
  KOBO_URL = 'http://localhost:8080',
  KOBO_API_KEY = '',
  KOBO_SECRET_KEY = '',
  KOBO_CONTRACT_CODE = '',
  PORT = '3000',
} = process.env
const PRICE = 9000

const kobo = connect({ baseUrl: KOBO_URL, apiKey: KOBO_API_KEY, secretKey: KOBO_SECRET_KEY })
/** Orders by payment reference; use a database in a real shop. */
const orders = new Map()
const app = new Hono()

app.post('/buy', async (context) => {
  const reference = `order-${randomUUID()}`
  orders.set(reference, { status: 'OPEN', deliveries: 0 })
  const { checkoutUrl } = await kobo.transactions.init({
    amount: PRICE,
    customerEmail: 'ada@example.com',
    paymentReference: reference,
    currencyCode: 'NGN',
    contractCode: KOBO_CONTRACT_CODE,
  })
  return context.json({ reference, checkoutUrl })
})

app.get('/orders/:reference', (context) =>
  context.json(orders.get(context.req.param('reference')) ?? { status: 'UNKNOWN' }),
)

/** Queries the payment's status, because an event is only a hint, and delivers the goods if it is paid. */
async function deliverIfPaid(reference) {
  const order = orders.get(reference)
  if (order === undefined) return
  const { paymentStatus, amountPaid, currency } = await kobo.transactions.query({ paymentReference: reference })
  order.status = paymentStatus
  const isPaid = /^(PAID|OVERPAID)$/.test(paymentStatus) && Number(amountPaid) >= PRICE && currency === 'NGN'
  if (isPaid && order.deliveries === 0) order.deliveries += 1 // the same event can arrive twice
}

app.post(
  '/events',
  honoEvents({ secretKey: KOBO_SECRET_KEY }, async (event) => {
    if (event.eventType === 'SUCCESSFUL_TRANSACTION') await deliverIfPaid(event.eventData.paymentReference)
  }),
)

app.onError((error, context) => context.json({ error: error.message }, error instanceof Refused ? 422 : 502))

serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' }, ({ port }) =>
  console.log(`The shop is open at http://localhost:${port}`),
)
