import type { Client, Input, Route } from '@kobo/contract'
import * as contract from '@kobo/contract'
import type { LoadRequest } from './load.ts'
import type { RunningGateway } from './processes.ts'

/** A logged-in merchant: calls routes and creates the requests of a load. */
export interface Merchant extends Client {
  readonly request: <R extends Route>(route: R, input: Input<R>) => LoadRequest
}

/** Some calls take minutes with very many transactions. */
const CALL_SECONDS_MAX = 600

/** Logs in as the gateway's merchant. */
export async function login({ url: baseUrl, credentials }: RunningGateway): Promise<Merchant> {
  const { accessToken: token } = await contract.logIn({ baseUrl }, credentials)
  return {
    ...contract.client({ baseUrl, token, secondsMax: CALL_SECONDS_MAX }),
    request: (route, input) => contract.requestOf({ baseUrl: '', token }, route, input),
  }
}

/** A transaction with its own reference. */
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
