import type { AddressInfo } from 'node:net'
import type { Reply, Route } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { compileCheck } from '@kobo/gateway/platform/http/validation.ts'
import { fastify } from 'fastify'

/**
 * The no-op baselines: bare Fastify routes that only validate the same body and serialize the same response.
 */
const http = fastify()

function noOp<R extends Route>(route: R, respond: (body: unknown) => Reply<R>): void {
  const check = route.body === undefined ? undefined : compileCheck(route.body, 'body')
  http.route({
    method: route.method,
    url: route.path.replace(/\{(\w+)\}/g, ':$1'),
    schema: { response: { 200: contract.envelope(route.reply) } },
    handler: async ({ body }) => {
      const wrong = check?.(body)
      if (wrong !== undefined) throw wrong
      return { requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody: respond(body) }
    },
  })
}

const TRANSACTION_REFERENCE = 'KOBO|00|20260301093000|000001'

noOp(contract.initTransaction, (body) => ({
  transactionReference: TRANSACTION_REFERENCE,
  paymentReference: (body as { paymentReference: string }).paymentReference,
  merchantName: 'Demo Shop',
  apiKey: 'MK_TEST_0000000000',
  enabledPaymentMethod: ['CARD', 'ACCOUNT_TRANSFER', 'USSD', 'DIRECT_DEBIT'],
  checkoutUrl: 'http://localhost:8080/checkout/KOBO%7C00%7C20260301093000%7C000001',
}))

const ACCOUNT_PAYMENT = { accountName: 'ADA OBI', accountNumber: '******6789', bankCode: '058', amountPaid: '9000.00' }

const STATUS: Reply<typeof contract.getTransaction> = {
  transactionReference: TRANSACTION_REFERENCE,
  paymentReference: 'order-1',
  amountPaid: '9000.00',
  totalPayable: '9000.00',
  settlementAmount: '8865.00',
  paidOn: '01/03/2026 10:30:00 AM',
  paymentStatus: 'PAID',
  paymentDescription: 'Two pairs of shoes',
  currency: 'NGN',
  paymentMethod: 'ACCOUNT_TRANSFER',
  product: { type: 'API_NOTIFICATION', reference: 'order-1' },
  cardDetails: null,
  accountDetails: ACCOUNT_PAYMENT,
  accountPayments: [ACCOUNT_PAYMENT],
  customer: { email: 'ada@example.com', name: 'Ada Obi' },
  metaData: { order: 'order-1', channel: 'web' },
}
noOp(contract.getTransaction, () => STATUS)

noOp(contract.login, () => ({ accessToken: 'x'.repeat(120), expiresIn: 3_600 }))

await http.listen({ host: '127.0.0.1', port: 0 })
process.on('disconnect', () => process.exit())
process.send?.({ port: (http.server.address() as AddressInfo).port })
