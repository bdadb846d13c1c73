import type { OperatorPermission, PersonPermission, Route } from '@kobo/contract'
import type { Merchant, RestrictedKey } from '../../merchants/index.ts'
import type { Actor } from '../../security/audit.ts'
import type { SignedIn } from '../../sessions/index.ts'
import type { Browser } from './browser.ts'

/** The merchant of a request, found by the token, the API keys or the user's team. */
type MerchantOf<R extends Route> = R extends { readonly access: 'open' }
  ? undefined
  : R extends { readonly access: 'person' }
    ? R extends { readonly person: PersonPermission }
      ? Merchant
      : R extends { readonly person: OperatorPermission }
        ? undefined
        : Merchant | undefined
    : Merchant

/** The caller: a merchant's server, a signed-in user, or anyone on open routes. */
export interface Caller<R extends Route> {
  readonly merchant: MerchantOf<R>
  /** The id of the secret that was used, on routes that authenticate by API keys. */
  readonly secretId: R extends { readonly access: 'keys' } ? bigint : undefined
  /** The signed-in user. An API route has one too if the dashboard calls it. */
  readonly person: R extends { readonly access: 'person' }
    ? SignedIn
    : R extends { readonly person: object | string }
      ? SignedIn | undefined
      : undefined
  readonly browser: R extends { readonly path: `/dashboard/${string}` } ? Browser : undefined
  /** The actor for the audit log. */
  readonly by: By
  readonly address: string
  readonly idempotencyKey: string | undefined
  /** The origin of the calling page, if a browser sent it. */
  readonly origin: string | undefined
}

/** The actor and address of an audit record. */
export interface By {
  readonly actor: Actor
  readonly name: string | undefined
  readonly address: string
}

/** Returns the actor of an authenticated caller. */
export const byOf = (
  person: SignedIn | undefined,
  merchant: Merchant | undefined,
  key: RestrictedKey | undefined,
  address: string,
): By =>
  person === undefined
    ? { actor: 'api', name: merchant && nameOf(merchant, key), address }
    : { actor: `person/${person.personId}`, name: person.email, address }

/** Returns the name of a merchant's server in the audit log: the API key and, for a restricted key, that key's name. */
export const nameOf = ({ apiKey }: Merchant, key: RestrictedKey | undefined): string =>
  key === undefined ? apiKey : `${apiKey} ${key.name}`
