// A shop of one product on Express: it opens a payment, sends the customer to the checkout, believes signed events, pays back.
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
/** Orders by payment reference; a real shop has a database. */
const orders = new Map()
const app = express()

// Before any express.json(): the signature is over the body as it arrived.
app.post(
  '/events',
  expressEvents({ secretKey: KOBO_SECRET_KEY }, (event) => {
    // The same event may come twice, so an order is set to what the event says, and nothing is counted.
    if (event.eventType === 'SUCCESSFUL_TRANSACTION')
      become(event.eventData.paymentReference, event.eventData.paymentStatus)
    if (event.eventType === 'SUCCESSFUL_REFUND')
      become(event.eventData.refundReference.slice('refund-'.length), 'REFUNDED')
  }),
)

function become(reference, status) {
  const order = orders.get(reference)
  if (order === undefined) return
  order.status = status
  console.log(`${reference} is ${status}`)
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
  orders.set(reference, { reference, status: 'OPEN', transactionReference })
  response.format({
    json: () => response.json({ reference, checkoutUrl }),
    html: () => response.redirect(303, checkoutUrl),
  })
})

/** The order that the path names. */
app.param('reference', (request, response, next, reference) => {
  request.order = orders.get(reference)
  if (request.order === undefined) response.status(404).json({ error: 'There is no such order' })
  else next()
})

app.get('/orders/:reference', ({ order }, response) =>
  response.format({ json: () => response.json(order), html: () => response.send(orderPage(order)) }),
)

app.post('/orders/:reference/refund', async ({ order }, response) => {
  const refund = await kobo.refunds.initiate({
    transactionReference: order.transactionReference,
    refundReference: `refund-${order.reference}`, // the same again is the same refund: nothing is paid back twice
    refundAmount: PRICE,
    refundReason: 'Sent back',
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

/** Where the customer comes back to. Whoever comes has not thereby paid: the event says that. */
function orderPage({ reference, status }) {
  const refund = `<form method="post" action="/orders/${reference}/refund"><button>Pay it back</button></form>`
  return page(
    `<p>${reference} is <b>${status}</b></p>${status === 'PAID' ? refund : ''}<p><a href="">Look again</a></p>`,
  )
}

const page = (body) =>
  `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Shoes</title><h1>Shoes</h1>${body}</html>`

app.use((error, _request, response, next) => {
  if (response.headersSent) return next(error)
  response.status(error instanceof Refused ? 422 : 502).json({ error: error.message, code: error.code })
})

const server = app.listen(Number(PORT), '127.0.0.1', () =>
  console.log(`The shop is open at http://localhost:${server.address().port}`),
)
