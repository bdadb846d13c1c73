import { RAILS } from '../../../platform/rails-settings.ts'
import { ADAPTER } from '../../../rails/partners.ts'

const IN_FLIGHT = 'in-flight/'
const SUSPENSE = 'suspense/'
const COSTS = 'costs/'
const CLEARING = 'clearing/'
const DEBT = 'debt'
const PAYABLE = 'payable'
const FEES = 'fees/'
const APPENDED = [CLEARING, COSTS, FEES, `${PAYABLE}/`]

/** Whose books hold money of which nobody knows whose it is: the house's, which is no merchant. */
export const HOUSE = 0n

/** Names of a merchant's accounts. The house's own (clearing, fees) exist once per merchant, so no row is hot for all. */
export const accounts = {
  /**
   * Money that came or went by a rail and that a partner holds for us: below zero by what we owe out of it. Without a partner
   * where nobody has said which.
   */
  clearing: (rail: Rail, partner: string | null = null): string =>
    isNamed(partner) ? `${CLEARING}${rail}/${partner}` : `${CLEARING}${rail}`,
  /** The same of credits that were not taken, and of what a partner kept for itself. */
  clearingAt: (partner: string): string => `${CLEARING}${partner}`,
  /** Arrived at a partner, not wanted, and not yet back with its payer. */
  suspense: (partner: string): string => `${SUSPENSE}${partner}`,
  /** What a partner kept for itself: below zero by what we have spent there. */
  costs: (partner: string): string => `${COSTS}${partner}`,
  /** Collected for the merchant and not yet settled. */
  payable: PAYABLE,
  /** Collected for a sub account and not yet settled. */
  payableTo: (subAccountCode: string): string => `${PAYABLE}/${subAccountCode}`,
  /** Settled to the merchant's bank account and not yet known to have arrived. */
  settling: `${IN_FLIGHT}settlement`,
  /** The same for a sub account. */
  settlingTo: (subAccountCode: string): string => `${IN_FLIGHT}settlement/${subAccountCode}`,
  /** What we earned. */
  fees: (act: string): string => `${FEES}${act}`,
  /** The merchant's own money. */
  wallet: (accountNumber: string): string => `${WALLET}${accountNumber}`,
  /** Taken from a wallet for something under way: it is gone or back when that ends. */
  inFlight: (accountNumber: string): string => `${IN_FLIGHT}${accountNumber}`,
  /** Held of payments that are disputed: it leaves to a partner, or goes back, when that ends. */
  disputed: `${IN_FLIGHT}dispute`,
  /** Kept back of what was collected, for some days, against disputes. */
  reserve: 'reserve',
  /** Below zero by what the merchant owes us: what was disputed and its wallet did not have. */
  debt: DEBT,
} as const

export { RAILS }
export type Rail = (typeof RAILS)[number]

/** An adapter that never told a name may be anyone's. */
const isNamed = (partner: string | null): partner is string => partner !== null && partner !== '' && partner !== ADAPTER

/** The name of an account as it was before it said which partner: `clearing/card` of `clearing/card/wema`. */
export const withoutPartner = (account: string): string =>
  account.startsWith(CLEARING) ? account.split('/').slice(0, 2).join('/') : account

const WALLET = 'wallet/'

/** The number of the wallet whose account this is; undefined where it is no wallet's. */
export const walletOf = (account: string): string | undefined =>
  account.startsWith(WALLET) ? account.slice(WALLET.length) : undefined

/** Whether all that an account holds is held by something: an order under way, or a credit that is to go back. */
export const isHolding = (account: string): boolean => account.startsWith(IN_FLIGHT) || account.startsWith(SUSPENSE)

/** Whether an account may be below zero: what others hold for us is, what we have spent, and what a merchant owes us. */
export const mayBeBelowZero = (account: string): boolean =>
  account === DEBT || account.startsWith(CLEARING) || account.startsWith(COSTS)

/**
 * Whether changes of an account are appended, to be added to its row later: every payment of a merchant changes it, and
 * nobody looks at it before. What is taken from one that may not be below zero is written into the row all the same.
 */
export const isAppended = (account: string): boolean =>
  account === PAYABLE || APPENDED.some((beginning) => account.startsWith(beginning))
