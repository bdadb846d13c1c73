import * as contract from '@kobo/contract'
import type { LoadRequest } from './load.ts'
import type { RunningGateway } from './processes.ts'

/** Logs in and answers the header that every call carries. */
export async function login({ url, credentials }: RunningGateway): Promise<{ readonly authorization: string }> {
  const basic = Buffer.from(`${credentials.apiKey}:${credentials.secretKey}`).toString('base64')
  const answer = await fetch(url + contract.login.path, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
  })
  const { responseBody } = (await answer.json()) as { responseBody: { accessToken: string } }
  return { authorization: `Bearer ${responseBody.accessToken}` }
}

/** A request to initialize a transaction as merchants send it, with a reference of its own. */
export const initRequest = (
  contractCode: string,
  headers: LoadRequest['headers'] & object,
  reference: string,
): LoadRequest => ({
  method: 'POST',
  path: contract.initTransaction.path,
  headers,
  body: JSON.stringify({
    amount: 9_000,
    customerName: 'Ada Obi',
    customerEmail: 'ada@example.com',
    paymentReference: reference,
    paymentDescription: 'Two pairs of shoes',
    currencyCode: 'NGN',
    contractCode,
    redirectUrl: 'https://shop.example.com/thanks',
    paymentMethods: ['CARD', 'ACCOUNT_TRANSFER'],
    metaData: { order: reference, channel: 'web' },
  }),
})
