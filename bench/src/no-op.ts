import type { AddressInfo } from 'node:net'
import { envelope, initTransaction } from '@kobo/contract'
import { compileCheck } from '@kobo/gateway/platform/validation.ts'
import { fastify } from 'fastify'

/** The baseline of init-transaction: a bare Fastify route that checks the same body and serializes the same reply, and does nothing. */
const http = fastify()
const check = compileCheck(initTransaction.body, 'body')

http.route({
  method: 'POST',
  url: initTransaction.path,
  schema: { response: { 200: envelope(initTransaction.reply) } },
  handler: async ({ body }) => {
    const wrong = check(body)
    if (wrong !== undefined) throw wrong
    return {
      requestSuccessful: true,
      responseMessage: 'success',
      responseCode: '0',
      responseBody: {
        transactionReference: 'KOBO|00|20260301093000|000001',
        paymentReference: (body as { paymentReference: string }).paymentReference,
        merchantName: 'Demo Shop',
        apiKey: 'MK_TEST_0000000000',
        enabledPaymentMethod: ['CARD', 'ACCOUNT_TRANSFER', 'USSD', 'DIRECT_DEBIT'],
        checkoutUrl: 'http://localhost:8080/checkout/KOBO%7C00%7C20260301093000%7C000001',
      },
    }
  },
})

await http.listen({ host: '127.0.0.1', port: 0 })
process.on('disconnect', () => process.exit())
process.send?.({ port: (http.server.address() as AddressInfo).port })
