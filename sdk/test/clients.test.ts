import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { wallClock } from '../../gateway/src/kernel/clock.ts'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { gateway } from '../../gateway/test/harness/gateway.ts'
import { holderOf } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { npmInstall } from './npm.ts'

const run = promisify(execFile)

/** A program of a merchant that uses the official library for Node.js. It prints the status of each call. */
const PROGRAM = `
import { MonnifyAPI } from 'monnify-nodejs-lib'
const { BASE_URL, CONTRACT, WALLET, HOLDER } = process.env
const api = new MonnifyAPI()
for (const part of [api, ...Object.values(api)]) if (part?.baseUrl) part.baseUrl = BASE_URL
const [, token] = await api.getToken()
const customer = { customerName: 'Ada Obi', customerEmail: 'ada@example.com' }
const results = {}
const call = async (name, work) => {
  const [status, body] = await work
  results[name] = status === 200 ? 200 : body
  return body.responseBody
}
const { transactionReference } = await call('init', api.transaction.initTransaction(token, {
  ...customer, amount: 5000, paymentDescription: 'Shoes', paymentReference: 'order-1', contractCode: CONTRACT,
  paymentMethods: ['CARD', 'ACCOUNT_TRANSFER', 'PHONE_NUMBER'],
}))
await call('transfer account', api.transaction.payWithBankTransfer(token, { transactionReference, bankCode: '035' }))
await call('card', api.transaction.chargeCard(token, {
  transactionReference, collectionChannel: 'API_NOTIFICATION',
  card: { number: '4111111111111111', pin: '1234', expiryMonth: '12', expiryYear: '2031', cvv: '123' },
  deviceInformation: {
    httpBrowserLanguage: 'en-US', httpBrowserJavaEnabled: false, httpBrowserJavaScriptEnabled: true, httpBrowserColorDepth: 24,
    httpBrowserScreenHeight: 1203, httpBrowserScreenWidth: 2138, httpBrowserTimeDifference: '', userAgentBrowserValue: 'Mozilla',
  },
}))
await call('transactions', api.transaction.getAllTransactions(token, { page: 0, size: 10 }))
await call('reserved account', api.reservedAccount.createReservedAccount(token, {
  ...customer, accountName: 'Ada Obi', accountReference: 'customer-1', contractCode: CONTRACT, bvn: '22212345678',
}))
await call('invoice account', api.reservedAccount.createInvoiceReservedAccount(token, {
  ...customer, accountName: 'Ada Obi', accountReference: 'customer-2', contractCode: CONTRACT, amount: 5000,
}))
await call('transfer', api.disbursement.initiateSingleTransfer(token, {
  amount: 200, reference: 'payout-1', narration: 'Rent', destinationAccountName: HOLDER,
  destinationAccountNumber: '0123456789', destinationBankCode: '058', sourceAccountNumber: WALLET,
}))
await call('transfer status', api.disbursement.getSingleTransferStatus(token, { reference: 'payout-1' }))
await call('refund', api.refund.initiateRefund(token, {
  transactionReference, refundReference: 'refund-1', refundAmount: 500, refundReason: 'Size', customerNote: 'Sorry',
}))
await call('balance', api.wallet.getWalletBalance(token, { accountNumber: WALLET }))
console.log(JSON.stringify(results))
`

slow('the official library for Node.js, from npm, works once its base URL is changed', async (t) => {
  const folder = ownFolder('client')
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  const problem = await npmInstall(folder, 'monnify-nodejs-lib@3.0.0')
  if (problem !== undefined) return t.skip(problem)
  const shop = await gateway(t, { wall: wallClock, env: { KOBO_COMPAT: 'node' } })
  const { apiKey, secretKey, contractCode, walletAccountNumber } = shop.credentials
  writeFileSync(join(folder, 'shop.js'), PROGRAM)
  const { stdout } = await run(process.execPath, ['shop.js'], {
    cwd: folder,
    env: {
      ...{ MONNIFY_ENV: 'SANDBOX', MONNIFY_APIKEY: apiKey, MONNIFY_SECRET: secretKey, BASE_URL: shop.url },
      ...{ CONTRACT: contractCode, WALLET: walletAccountNumber, HOLDER: await holderOf(shop, '0123456789') },
    },
  })
  const results: Readonly<Record<string, unknown>> = JSON.parse(stdout)
  assert.equal(Object.keys(results).length, 10)
  for (const [call, result] of Object.entries(results)) assert.equal(result, 200, `${call}: ${JSON.stringify(result)}`)
})
