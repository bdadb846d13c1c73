import type { Route } from '@kobo/contract'
import type { Merchant } from '../../merchants/index.ts'

/** Who calls: the merchant behind an access token or keys, or anyone where the route asks for neither. */
export interface Caller<R extends Route> {
  readonly merchant: R extends { readonly access: 'open' } ? undefined : Merchant
  /** Which of the merchant's secrets opened the door, on routes that ask for keys. */
  readonly secretId: R extends { readonly access: 'keys' } ? bigint : undefined
  readonly address: string
  /** What names the request, where the caller may repeat it. */
  readonly idempotencyKey: string | undefined
  /** The site whose page calls, where a browser tells. */
  readonly origin: string | undefined
}
