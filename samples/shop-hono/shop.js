// A shop with one product on Hono; with another last line it runs on Deno, Bun and Workers.
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

const kobo = connect({ baseUrl: KOBO_URL, apiKey: KOBO_API_KEY, secretKey: KOBO_SECRET_KEY })
/** Orders by payment reference; use a database in a real shop. */
const orders = new Map()
const app = new Hono()

app.post('/buy', async (context) => {
  const reference = `order-${randomUUID()}`
  orders.set(reference, { status: 'OPEN' })
  const { checkoutUrl } = await kobo.transactions.init({
    amount: 9000,
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

app.post(
  '/events',
  honoEvents({ secretKey: KOBO_SECRET_KEY }, (event) => {
    if (event.eventType !== 'SUCCESSFUL_TRANSACTION') return
    const order = orders.get(event.eventData.paymentReference)
    if (order !== undefined) order.status = event.eventData.paymentStatus
  }),
)

app.onError((error, context) => context.json({ error: error.message }, error instanceof Refused ? 422 : 502))

serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' }, ({ port }) =>
  console.log(`The shop is open at http://localhost:${port}`),
)
