import type { Clock } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import type { Hidden } from '../../kernel/hidden.ts'
import type { AddressSet } from '../../platform/http/ip-addresses.ts'
import type { Prices } from '../pricing/index.ts'
import type { SigningSecret } from './additional-endpoints.ts'
import type { ContractRow, MerchantRow, SecretRow } from './repository.ts'
import type { RestrictedKey } from './restricted-keys.ts'
import type { SubAccount } from './sub-accounts.ts'

/** Allows pages of all sites. Sandbox only. */
export const ANY_ORIGIN = '*'

/** A site or app that may open payments, and the prefix of its references. */
export interface RegisteredOrigin {
  readonly origin: string
  readonly prefix: string | undefined
}

/** Finds the registered entry of an origin. */
export function findOrigin(
  { inlineOrigins }: Pick<MerchantRow, 'inlineOrigins'>,
  origin: string,
): RegisteredOrigin | undefined {
  for (const entry of inlineOrigins) {
    const [registered, prefix] = entry.split(' ')
    if (registered === origin) return { origin, prefix }
  }
  return undefined
}

/** A merchant's collection terms. */
export type Contract = Omit<ContractRow, 'merchantId' | 'createdAt'>

/** A secret key of a merchant, decrypted. It may have expired. */
export interface Secret extends Pick<SecretRow, 'id' | 'createdAt' | 'firstUsedAt' | 'expiresAt'> {
  readonly key: Hidden<string>
}

/** A merchant with everything a request needs. */
export interface Merchant extends MerchantRow {
  readonly isWhitelisted: AddressSet
  readonly contracts: ReadonlyMap<string, Contract>
  /** Sub accounts available for new splits, oldest first. */
  readonly subAccounts: ReadonlyMap<string, SubAccount>
  /** The secret keys, newest first. */
  readonly secrets: readonly Secret[]
  readonly restrictedKeys: ReadonlyMap<bigint, RestrictedKey>
  /** The secrets of its additional webhook endpoints, newest first, by the endpoint's id. */
  readonly endpoints: ReadonlyMap<bigint, readonly SigningSecret[]>
  /** The prices that the merchant pays. */
  readonly prices: Prices
}

/** Finds the contract for a new collection; undefined if it is disabled. */
export function findContract({ contracts }: Merchant, code: string): Contract | undefined {
  const contract = contracts.get(code)
  return contract?.disabledAt === null ? contract : undefined
}

/** Returns the default contract: the oldest that is not disabled. */
export function firstContract({ contracts }: Pick<Merchant, 'contracts'>): Contract {
  const first = [...contracts.values()].find(({ disabledAt }) => disabledAt === null)
  invariant(first !== undefined, 'a merchant has a contract that is not disabled')
  return first
}

/** Returns the secrets that are valid at a time. A replaced secret stays valid until its overlap ends. */
export const validSecrets = ({ secrets }: Merchant, at: Date): readonly Secret[] =>
  secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > at)

/** Whether a secret is valid now. The clock is read only if the secret expires. */
export const isValidSecret = ({ secrets }: Merchant, secretId: bigint, clock: Clock): boolean =>
  secrets.some(({ id, expiresAt }) => id === secretId && (expiresAt === null || expiresAt > clock.now()))

/**
 * Returns the secret that signs webhooks: the newest one with which the merchant has logged in, so its server surely
 * has it. Therefore, a rotation never makes an endpoint reject webhooks.
 */
export function signingSecret(merchant: Merchant, at: Date): Secret | undefined {
  const valid = validSecrets(merchant, at)
  return valid.find(({ firstUsedAt }) => firstUsedAt !== null) ?? valid.at(-1)
}
