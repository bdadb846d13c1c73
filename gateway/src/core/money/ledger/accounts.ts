import { RAILS } from '../../../kernel/rails.ts'
import { ADAPTER } from '../../../rails/partners.ts'

const IN_FLIGHT = 'in-flight/'
const SUSPENSE = 'suspense/'
const COSTS = 'costs/'
const CLEARING = 'clearing/'
const DEBT = 'debt'
const PAYABLE = 'payable'
const FEES = 'fees/'
const APPENDED = [CLEARING, COSTS, FEES, `${PAYABLE}/`]

/**
 * The names of a merchant's accounts. Kobo's own accounts (clearing, fees) exist once per merchant, so no row is hot
 * for all.
 */
export const accounts = {
  /** Money that a partner holds for us on a rail; negative if we owe it. Without a partner if none was reported. */
  clearing: (rail: Rail, partner: string | null = null): string =>
    isNamed(partner) ? `${CLEARING}${rail}/${partner}` : `${CLEARING}${rail}`,
  /** The same for rejected credits and for a partner's own fees. */
  clearingAt: (partner: string): string => `${CLEARING}${partner}`,
  /** Arrived at a partner, not accepted, and not yet back with its payer. */
  suspense: (partner: string): string => `${SUSPENSE}${partner}`,
  /** A partner's fees: negative by what we have spent there. */
  costs: (partner: string): string => `${COSTS}${partner}`,
  /** Collected for the merchant, not yet settled. */
  payable: PAYABLE,
  /** Collected for a sub account, not yet settled. */
  payableTo: (subAccountCode: string): string => `${PAYABLE}/${subAccountCode}`,
  /** Settled to the merchant's bank account, arrival not yet confirmed. */
  settling: `${IN_FLIGHT}settlement`,
  /** The same for a sub account. */
  settlingTo: (subAccountCode: string): string => `${IN_FLIGHT}settlement/${subAccountCode}`,
  /** Our revenue. */
  fees: (act: string): string => `${FEES}${act}`,
  /** The merchant's own money. */
  wallet: (accountNumber: string): string => `${WALLET}${accountNumber}`,
  /** Reserved from a wallet for something in progress: it leaves or returns when that ends. */
  inFlight: (accountNumber: string): string => `${IN_FLIGHT}${accountNumber}`,
  /** Held from disputed payments: it goes to a partner or returns when the dispute ends. */
  disputed: `${IN_FLIGHT}dispute`,
  /** Withheld from collections for some days, against disputes. */
  reserve: 'reserve',
  /** Negative by what the merchant owes us: disputed money its wallet did not have. */
  debt: DEBT,
} as const

export { RAILS }
export type Rail = (typeof RAILS)[number]

/** An adapter that never reported a name may be any partner. */
const isNamed = (partner: string | null): partner is string => partner !== null && partner !== '' && partner !== ADAPTER

/** The account's name without the partner: `clearing/card` for `clearing/card/wema`. */
export const withoutPartner = (account: string): string =>
  account.startsWith(CLEARING) ? account.split('/').slice(0, 2).join('/') : account

const WALLET = 'wallet/'

/** The number of the wallet behind an account; undefined if it is not a wallet's. */
export const walletOf = (account: string): string | undefined =>
  account.startsWith(WALLET) ? account.slice(WALLET.length) : undefined

/** Whether something accounts for every kobo in it: an open order, or a credit to be sent back. */
export const isHolding = (account: string): boolean => account.startsWith(IN_FLIGHT) || account.startsWith(SUSPENSE)

/** Whether an account may be negative: money others hold for us, money spent, and debts. */
export const mayBeBelowZero = (account: string): boolean =>
  account === DEBT || account.startsWith(CLEARING) || account.startsWith(COSTS)

/**
 * Whether changes of an account are appended and folded later: every payment changes it and no decision reads it.
 * Withdrawals from an account that may not be negative are written to its row.
 */
export const isAppended = (account: string): boolean =>
  account === PAYABLE || APPENDED.some((beginning) => account.startsWith(beginning))
