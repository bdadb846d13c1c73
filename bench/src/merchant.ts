import type { Client, Input, Route } from '@kobo/contract'
import * as contract from '@kobo/contract'
import type { LoadRequest } from './load.ts'
import type { RunningGateway } from './processes.ts'

/** The gateway's merchant: calls one by one, and makes the requests of a load. */
export interface Merchant extends Client {
  readonly request: <R extends Route>(route: R, input: Input<R>) => LoadRequest
}

/** Letting days pass for very many transactions takes minutes. */
const CALL_SECONDS_MAX = 600

/** Logs in. */
export async function login({ url: baseUrl, credentials }: RunningGateway): Promise<Merchant> {
  const { accessToken: token } = await contract.logIn({ baseUrl }, credentials)
  return {
    ...contract.client({ baseUrl, token, secondsMax: CALL_SECONDS_MAX }),
    request: (route, input) => contract.requestOf({ baseUrl: '', token }, route, input),
  }
}

/** A transaction as merchants initialize it, with a reference of its own. */
export const aTransaction = (contractCode: string, reference: string): Input<typeof contract.initTransaction> => ({
  body: {
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
  },
})
