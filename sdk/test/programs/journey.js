// Runs with the packed SDK on each Node version: sells, receives events, makes a refund and gets an error.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import process from 'node:process'
import { connect, expressEvents, Refused } from '@kobo/sdk'
import { verifyEvent } from '@kobo/sdk/events'

const { BASE_URL = '', API_KEY = '', SECRET_KEY = '', CONTRACT_CODE = '', RUN = '' } = process.env
const kobo = connect({ baseUrl: BASE_URL, apiKey: API_KEY, secretKey: SECRET_KEY })

/** @type {(event: import('@kobo/sdk').KoboEvent) => void} */
let arrived = () => {}
const paid = new Promise((resolve) => {
  arrived = (event) => event.eventType === 'SUCCESSFUL_TRANSACTION' && resolve(event.eventData.paymentReference)
})
const receive = expressEvents({ secretKey: SECRET_KEY, toleranceSeconds: 86_400 }, (event) => arrived(event))
const server = createServer((request, response) => void receive(request, response))
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
const address = server.address()
assert.ok(typeof address === 'object' && address !== null)
await kobo.sandbox.changeSettings({ webhookUrl: `http://127.0.0.1:${address.port}/events` })

const paymentReference = `order-${RUN}`
const opened = await kobo.transactions.init({
  amount: 9_000,
  customerName: 'Ada Obi',
  customerEmail: 'ada@example.com',
  paymentReference,
  currencyCode: 'NGN',
  contractCode: CONTRACT_CODE,
})
const { transactionReference } = opened
const { bankCode, accountNumber } = await kobo.bankTransfer.init({ transactionReference })
assert.equal((await kobo.sandbox.payIntoAccount({ bankCode, accountNumber, amount: 9_000 })).status, 'ACCEPTED')
assert.equal((await kobo.transactions.get({ transactionReference })).paymentStatus, 'PAID')
assert.equal(
  (await kobo.transactions.query({ paymentReference, transactionReference: undefined })).amountPaid,
  '9000.00',
)
assert.equal(await paid, paymentReference)

const refund = await kobo.refunds.initiate({
  transactionReference,
  refundReference: `refund-${RUN}`,
  refundAmount: 4_000,
  refundReason: 'Wrong size',
  customerNote: 'Sorry!',
})
assert.equal(refund.refundReference, `refund-${RUN}`)
const refunds = []
for await (const one of kobo.refunds.list.each({ size: 1 })) refunds.push(one.refundReference)
assert.ok(refunds.includes(`refund-${RUN}`))

const again = await kobo.transactions.cancel({ transactionReference }).catch((error) => error)
assert.ok(again instanceof Refused)
assert.deepEqual([again.status, again.code], [422, 'TRANSACTION_NOT_CANCELLABLE'])
await assert.rejects(verifyEvent('{}', {}, { secretKey: SECRET_KEY }), { name: 'InvalidSignature' })

await kobo.sandbox.changeSettings({ webhookUrl: null })
server.closeAllConnections()
server.close()
process.stdout.write(`sold on Node ${process.versions.node}\n`)
