import type { Input, Reply, Route } from '@kobo/contract'
import * as contract from '@kobo/contract'
import type { LoadRequest } from './load.ts'
import type { RunningGateway } from './processes.ts'

/** The header that every call carries. */
export interface MerchantHeaders extends Readonly<Record<string, string>> {
  readonly authorization: string
}

/** Logs in and answers the header that every call carries. */
export async function login({ url, credentials }: RunningGateway): Promise<MerchantHeaders> {
  const basic = Buffer.from(`${credentials.apiKey}:${credentials.secretKey}`).toString('base64')
  const answer = await fetch(url + contract.login.path, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
  })
  const { responseBody } = (await answer.json()) as { responseBody: { accessToken: string } }
  return { authorization: `Bearer ${responseBody.accessToken}` }
}

/** Calls a route once and answers what is inside the envelope. */
export async function ask<R extends Route>(
  { url }: RunningGateway,
  headers: MerchantHeaders,
  route: R,
  input: Input<R>,
): Promise<Reply<R>> {
  const { query, body } = input as { readonly query?: Record<string, string>; readonly body?: object }
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`
  const answer = await fetch(url + route.path + search, {
    method: route.method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(text)
  return (JSON.parse(text) as { responseBody: Reply<R> }).responseBody
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
