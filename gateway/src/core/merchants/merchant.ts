import type { Clock } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
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
export interface Secret extends Pick<SecretRow, 'id' | 'createdAt' | 'firstUsedAt' | 'expiresAt'> {
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

/** The contract under which something new is to be collected; none where it is disabled. */
export function findContract({ contracts }: Merchant, code: string): Contract | undefined {
  const contract = contracts.get(code)
  return contract?.disabledAt === null ? contract : undefined
}

/** The contract of a merchant who names none: the oldest that is not disabled. */
export function firstContract({ contracts }: Pick<Merchant, 'contracts'>): Contract {
  const first = [...contracts.values()].find(({ disabledAt }) => disabledAt === null)
  invariant(first !== undefined, 'a merchant has a contract that is not disabled')
  return first
}

/** The secrets that open the door at a time: a replaced one does until its overlap ends. */
export const validSecrets = ({ secrets }: Merchant, at: Date): readonly Secret[] =>
  secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > at)

/** Whether a secret is one of them. The time is asked for only where one has an end. */
export const isValidSecret = ({ secrets }: Merchant, secretId: bigint, clock: Clock): boolean =>
  secrets.some(({ id, expiresAt }) => id === secretId && (expiresAt === null || expiresAt > clock.now()))

/**
 * The secret that signs events: the newest one that the merchant has logged in with, since then its server surely has
 * it. So a rotation never makes a receiver reject events before the new secret is in place there.
 */
export function signingSecret(merchant: Merchant, at: Date): Secret | undefined {
  const valid = validSecrets(merchant, at)
  return valid.find(({ firstUsedAt }) => firstUsedAt !== null) ?? valid.at(-1)
}
