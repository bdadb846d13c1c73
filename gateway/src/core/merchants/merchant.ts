import type { Permission } from '@kobo/contract'
import type { Hidden } from '../../kernel/hidden.ts'
import type { Kobo } from '../../kernel/money.ts'
import type { AddressSet } from '../../platform/addresses.ts'
import type { FeeTerms } from '../pricing.ts'

/** On what terms a merchant collects. */
export interface Contract extends FeeTerms {
  readonly code: string
  readonly name: string
  readonly description: string
  readonly currencyCode: string
  readonly paymentMethods: readonly string[]
  readonly accountDurationSeconds: number
  /** What collecting cash costs instead. */
  readonly cashFeeBasisPoints: number
  readonly cashFeeCap: Kobo | null
  readonly cashFeeFlat: Kobo
  readonly underpayment: 'ACCEPT' | 'REJECT'
  readonly settlement: 'INSTANT' | 'DAILY'
  /** Time of the day in Lagos, as 22:00. */
  readonly settlementTime: string
  readonly settlementDestination: 'WALLET' | 'BANK'
  /** The bank account for settlements, set where the destination is BANK. */
  readonly settlementBankCode: string | null
  readonly settlementAccountNumber: string | null
  readonly settlementAccountName: string | null
}

/** A bank account that may get a part of what a merchant collects. */
export interface SubAccount {
  readonly code: string
  readonly currencyCode: string
  readonly bankCode: string
  readonly accountNumber: string
  /** As the bank has it. */
  readonly accountName: string
  readonly email: string
  /** Its share where a split names none, in millionths. */
  readonly defaultSplit: number
  readonly settlementProfileCode: string
  readonly settlementReportEmails: readonly string[]
}

/** A secret key of a merchant while it is valid. */
export interface Secret {
  readonly id: bigint
  readonly key: Hidden<string>
  readonly firstUsedAt: Date | null
  readonly expiresAt: Date | null
}

/** A merchant with all that a request needs to know of it. */
export interface Merchant {
  readonly id: bigint
  readonly code: string
  readonly name: string
  readonly email: string
  readonly apiKey: string
  readonly walletAccountNumber: string
  readonly otpEnabled: boolean
  readonly ipWhitelist: readonly string[]
  readonly isWhitelisted: AddressSet
  readonly permissions: readonly Permission[]
  readonly lowBalanceThreshold: Kobo | null
  readonly mail: 'OK' | 'FAIL'
  readonly contracts: ReadonlyMap<string, Contract>
  /** Those that take part in new splits, oldest first. */
  readonly subAccounts: ReadonlyMap<string, SubAccount>
  /** Newest first. */
  readonly secrets: readonly Secret[]
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
