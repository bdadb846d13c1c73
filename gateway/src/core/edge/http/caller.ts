import type { OperatorPermission, PersonPermission, Route } from '@kobo/contract'
import type { Merchant } from '../../merchants/index.ts'
import type { Actor } from '../../security/audit.ts'
import type { SignedIn } from '../../sessions/index.ts'
import type { Browser } from './browser.ts'

/** The merchant that a route is about: that of the token, of the keys, or of the team for which a person acts. */
type MerchantOf<R extends Route> = R extends { readonly access: 'open' }
  ? undefined
  : R extends { readonly access: 'person' }
    ? R extends { readonly person: PersonPermission }
      ? Merchant
      : R extends { readonly person: OperatorPermission }
        ? undefined
        : Merchant | undefined
    : Merchant

/** Who calls: the merchant behind an access token or keys, a person who is signed in, or anyone where the route asks for none of them. */
export interface Caller<R extends Route> {
  readonly merchant: MerchantOf<R>
  /** Which of the merchant's secrets opened the door, on routes that ask for keys. */
  readonly secretId: R extends { readonly access: 'keys' } ? bigint : undefined
  /** Who it is, where it is a person: on a route for access tokens too, when the dashboard calls it. */
  readonly person: R extends { readonly access: 'person' }
    ? SignedIn
    : R extends { readonly person: object | string }
      ? SignedIn | undefined
      : undefined
  /** What calls of the dashboard come with, signed in or not. */
  readonly browser: R extends { readonly path: `/dashboard/${string}` } ? Browser : undefined
  /** Who acts, as the audit has it. */
  readonly by: By
  readonly address: string
  /** What names the request, where the caller may repeat it. */
  readonly idempotencyKey: string | undefined
  /** The site whose page calls, where a browser tells. */
  readonly origin: string | undefined
}

/** Who does something, and from where: what goes into a record of the audit as it is. */
export interface By {
  readonly actor: Actor
  readonly name: string | undefined
  readonly address: string
}

/** Who acts, by who was let in. */
export const byOf = (person: SignedIn | undefined, merchant: Merchant | undefined, address: string): By =>
  person === undefined
    ? { actor: 'api', name: merchant?.apiKey, address }
    : { actor: `person/${person.personId}`, name: person.email, address }
