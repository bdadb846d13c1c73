// A shop with one product: it creates a payment, sends the customer to the checkout, receives events and makes refunds.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import process from 'node:process'
import { connect, expressEvents, Refused } from '@kobo/sdk'

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

/** Creates an order and its payment, and returns the checkout URL. */
async function buy() {
  const reference = `order-${randomUUID()}`
  orders.set(reference, { status: 'OPEN', deliveries: 0 })
  const { checkoutUrl } = await kobo.transactions.init({
    amount: PRICE,
    customerName: 'Ada Obi',
    customerEmail: 'ada@example.com',
    paymentReference: reference,
    paymentDescription: 'Two pairs of shoes',
    currencyCode: 'NGN',
    contractCode: KOBO_CONTRACT_CODE,
    redirectUrl: `http://localhost:${PORT}/orders/${reference}`,
  })
  return { reference, checkoutUrl }
}

/** Queries the payment's status, because an event is only a hint, and delivers the goods if it is paid. */
async function deliverIfPaid(reference) {
  const order = orders.get(reference)
  if (order === undefined) return
  const { paymentStatus, amountPaid, currency } = await kobo.transactions.query({ paymentReference: reference })
  order.status = paymentStatus
  const isPaid = /^(PAID|OVERPAID)$/.test(paymentStatus) && Number(amountPaid) >= PRICE && currency === 'NGN'
  if (!isPaid || order.deliveries > 0) return // the same event can arrive twice
  order.deliveries += 1
  console.log(`${reference} is ${paymentStatus}`)
}

const receive = expressEvents({ secretKey: KOBO_SECRET_KEY }, async (event) => {
  if (event.eventType === 'SUCCESSFUL_TRANSACTION') await deliverIfPaid(event.eventData.paymentReference)
})

async function refund(reference) {
  const { transactionReference } = await kobo.transactions.query({ paymentReference: reference })
  return kobo.refunds.initiate({
    transactionReference,
    refundReference: `refund-${reference}`,
    refundAmount: PRICE,
    refundReason: 'Item returned',
    customerNote: 'Sorry!',
  })
}

const routes = [
  ['POST', /^\/buy$/, buy],
  ['GET', /^\/orders\/([\w-]+)$/, (reference) => orders.get(reference) ?? { status: 'UNKNOWN' }],
  ['POST', /^\/orders\/([\w-]+)\/refund$/, refund],
]

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://shop')
  if (pathname === '/events')
    return receive(request, response, (error) => {
      console.error(error)
      response.writeHead(500).end() // the gateway retries
    })
  const [, path, act] = routes.find(([method, path]) => request.method === method && path.test(pathname)) ?? []
  try {
    const result = act === undefined ? undefined : await act(path.exec(pathname)[1])
    response.writeHead(result === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(result ?? { error: 'Not found' }))
  } catch (error) {
    response.writeHead(error instanceof Refused ? 422 : 502, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: error.message, code: error.code }))
  }
})
server.listen(Number(PORT), '127.0.0.1', () =>
  console.log(`The shop is open at http://localhost:${server.address().port}`),
)
