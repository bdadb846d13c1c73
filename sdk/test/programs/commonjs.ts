// Compiled as CommonJS against the packed SDK, and run: every call has named types, and both entries share their errors.
import { connect, InvalidSignature, type TransactionsInitRequest, type TransactionsInitResponse } from '@kobo/sdk'
import { verifyEvent } from '@kobo/sdk/events'

const kobo = connect({ baseUrl: 'https://pay.example.com', apiKey: 'MK_TEST_1', secretKey: 'secret' })

export const open = (order: TransactionsInitRequest): Promise<TransactionsInitResponse> => kobo.transactions.init(order)

verifyEvent('{}', {}, { secretKey: 'secret' }).catch((error: Error) =>
  console.log(error.name, error instanceof InvalidSignature),
)
