import type { Hidden } from '../../kernel/hidden.ts'
import type { AddressSet } from '../../platform/addresses.ts'
import type { Prices } from '../money/pricing/index.ts'
import type { ContractRow, MerchantRow, SecretRow } from './repository.ts'
import type { SubAccount } from './sub-accounts.ts'

/** Among the origins of a merchant: pages of all sites. In the sandbox only. */
export const ANY_ORIGIN = '*'

/** On what terms a merchant collects. */
export type Contract = Omit<ContractRow, 'merchantId' | 'createdAt'>

/** A secret key of a merchant while it is valid. */
export interface Secret extends Pick<SecretRow, 'id' | 'firstUsedAt' | 'expiresAt'> {
  readonly key: Hidden<string>
}

/** A merchant with all that a request needs to know of it. */
export interface Merchant extends MerchantRow {
  readonly isWhitelisted: AddressSet
  readonly contracts: ReadonlyMap<string, Contract>
  /** Those that take part in new splits, oldest first. */
  readonly subAccounts: ReadonlyMap<string, SubAccount>
  /** Newest first. */
  readonly secrets: readonly Secret[]
  /** What we charge it. */
  readonly prices: Prices
}

/** The secrets that open the door at a time: a replaced one does until its overlap ends. */
export const validSecrets = ({ secrets }: Merchant, at: Date): readonly Secret[] =>
  secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > at)

/**
 * The secret that signs events: the newest one that the merchant has logged in with, since then its server surely has
 * it. So a rotation never makes a receiver reject events before the new secret is in place there.
 */
export function signingSecret(merchant: Merchant, at: Date): Secret | undefined {
  const valid = validSecrets(merchant, at)
  return valid.find(({ firstUsedAt }) => firstUsedAt !== null) ?? valid.at(-1)
}
