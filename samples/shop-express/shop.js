// A shop with one product on Express: it creates a payment, sends the customer to the checkout, receives events and makes refunds.
import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { connect, expressEvents, Refused } from '@kobo/sdk'
import express from 'express'

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
const app = express()

// Before express.json(), because the signature covers the raw body.
app.post(
  '/events',
  expressEvents({ secretKey: KOBO_SECRET_KEY }, async (event) => {
    if (event.eventType === 'SUCCESSFUL_TRANSACTION') await deliverIfPaid(event.eventData.paymentReference)
    if (event.eventType === 'SUCCESSFUL_REFUND')
      setStatus(orders.get(event.eventData.refundReference.slice('refund-'.length)), 'REFUNDED')
  }),
)

/** Queries the payment's status, because an event is only a hint, and delivers the goods if it is paid. */
async function deliverIfPaid(reference) {
  const order = orders.get(reference)
  if (order === undefined || order.deliveries > 0) return // the same event can arrive twice
  const { paymentStatus, amountPaid, currency } = await kobo.transactions.query({ paymentReference: reference })
  const isPaid = /^(PAID|OVERPAID)$/.test(paymentStatus) && Number(amountPaid) >= PRICE && currency === 'NGN'
  if (isPaid && order.deliveries === 0) order.deliveries += 1
  setStatus(order, paymentStatus)
}

function setStatus(order, status) {
  if (order === undefined) return
  order.status = status
  console.log(`${order.reference} is ${status}`)
}

app.post('/buy', async (_request, response) => {
  const reference = `order-${randomUUID()}`
  const { checkoutUrl, transactionReference } = await kobo.transactions.init({
    amount: PRICE,
    customerName: 'Ada Obi',
    customerEmail: 'ada@example.com',
    paymentReference: reference,
    paymentDescription: 'Two pairs of shoes',
    currencyCode: 'NGN',
    contractCode: KOBO_CONTRACT_CODE,
    redirectUrl: `http://localhost:${PORT}/orders/${reference}`,
  })
  orders.set(reference, { reference, status: 'OPEN', deliveries: 0, transactionReference })
  response.format({
    json: () => response.json({ reference, checkoutUrl }),
    html: () => response.redirect(303, checkoutUrl),
  })
})

/** Finds the order in the path. */
app.param('reference', (request, response, next, reference) => {
  request.order = orders.get(reference)
  if (request.order === undefined) response.status(404).json({ error: 'Unknown order' })
  else next()
})

app.get('/orders/:reference', ({ order }, response) =>
  response.format({ json: () => response.json(order), html: () => response.send(orderPage(order)) }),
)

app.post('/orders/:reference/refund', async ({ order }, response) => {
  const refund = await kobo.refunds.initiate({
    transactionReference: order.transactionReference,
    refundReference: `refund-${order.reference}`, // a repeated request with this reference does not refund twice
    refundAmount: PRICE,
    refundReason: 'Item returned',
    customerNote: 'Sorry!',
  })
  response.format({
    json: () => response.json(refund),
    html: () => response.redirect(303, `/orders/${order.reference}`),
  })
})

app.get('/', (_request, response) =>
  response.send(
    page(`<p>Two pairs of shoes, ₦${PRICE}</p><form method="post" action="/buy"><button>Buy</button></form>`),
  ),
)

/** The customer returns here; only the API's status proves the payment. */
function orderPage({ reference, status }) {
  const refund = `<form method="post" action="/orders/${reference}/refund"><button>Refund</button></form>`
  return page(`<p>${reference} is <b>${status}</b></p>${status === 'PAID' ? refund : ''}<p><a href="">Refresh</a></p>`)
}

const page = (body) =>
  `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Shoes</title><h1>Shoes</h1>${body}</html>`

app.use((error, _request, response, next) => {
  if (response.headersSent) return next(error)
  response.status(error instanceof Refused ? 422 : 502).json({ error: error.message, code: error.code })
})

const server = app.listen(Number(PORT), '127.0.0.1', (error) => {
  if (error) throw error // for example: the port is taken
  console.log(`The shop is open at http://localhost:${server.address().port}`)
})
