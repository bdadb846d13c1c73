import { RAILS } from '../../../kernel/rails.ts'
import { ADAPTER } from '../../../rails/partners.ts'

const IN_FLIGHT = 'in-flight/'
const SUSPENSE = 'suspense/'
const COSTS = 'costs/'
const CLEARING = 'clearing/'
const DEBT = 'debt'
const PAYABLE = 'payable'
const FEES = 'fees/'
const APPENDED_PREFIXES = [CLEARING, COSTS, FEES, `${PAYABLE}/`]

/**
 * The names of a merchant's accounts. Kobo's own accounts (clearing, fees) exist once per merchant, so that no row is
 * shared by all merchants.
 */
export const accounts = {
  /**
   * Money that a partner holds for us on a rail. If the balance is negative, the partner holds that amount; if it is
   * positive, we owe it. The account name has no partner if none was reported.
   */
  clearing: (rail: Rail, partner: string | null = null): string =>
    isNamed(partner) ? `${CLEARING}${rail}/${partner}` : `${CLEARING}${rail}`,
  /** A partner's clearing account for rejected credits and for its own fees; the sign is as in `clearing`. */
  clearingAt: (partner: string): string => `${CLEARING}${partner}`,
  /** Money that arrived at a partner, was not accepted, and is not yet returned to its payer. */
  suspense: (partner: string): string => `${SUSPENSE}${partner}`,
  /** A partner's fees: a negative balance is the amount that we have spent there. */
  costs: (partner: string): string => `${COSTS}${partner}`,
  /** Money collected for the merchant and not yet settled. */
  payable: PAYABLE,
  /** Money collected for a sub account and not yet settled. */
  payableTo: (subAccountCode: string): string => `${PAYABLE}/${subAccountCode}`,
  /** Money sent to the merchant's bank account as a settlement; its arrival is not yet confirmed. */
  settling: `${IN_FLIGHT}settlement`,
  /** Money sent to a sub account's bank account as a settlement; its arrival is not yet confirmed. */
  settlingTo: (subAccountCode: string): string => `${IN_FLIGHT}settlement/${subAccountCode}`,
  /** Our revenue. */
  fees: (act: string): string => `${FEES}${act}`,
  /** The merchant's own money. */
  wallet: (accountNumber: string): string => `${WALLET}${accountNumber}`,
  /** Money reserved from a wallet for something in progress; when that ends, it leaves or returns to the wallet. */
  inFlight: (accountNumber: string): string => `${IN_FLIGHT}${accountNumber}`,
  /** Money held from disputed payments; when the dispute ends, it goes to a partner or returns. */
  disputed: `${IN_FLIGHT}dispute`,
  /** Money withheld from collections for some days, to cover disputes. */
  reserve: 'reserve',
  /** A negative balance is the amount that the merchant owes us: disputed money that its wallet did not have. */
  debt: DEBT,
} as const

export { RAILS }
export type Rail = (typeof RAILS)[number]

/** Whether a partner's name is known. `ADAPTER` stands for an adapter that never reported its name. */
const isNamed = (partner: string | null): partner is string => partner !== null && partner !== '' && partner !== ADAPTER

/** Returns the account's name without the partner: `clearing/card` for `clearing/card/wema`. */
export const withoutPartner = (account: string): string =>
  account.startsWith(CLEARING) ? account.split('/').slice(0, 2).join('/') : account

const WALLET = 'wallet/'

/** Returns the number of the wallet that an account belongs to; undefined if it is not a wallet's account. */
export const walletOf = (account: string): string | undefined =>
  account.startsWith(WALLET) ? account.slice(WALLET.length) : undefined

/** Whether each amount in the account belongs to an open order or to a credit to be returned. */
export const isHolding = (account: string): boolean => account.startsWith(IN_FLIGHT) || account.startsWith(SUSPENSE)

/** Whether an account may be negative: clearing accounts, costs and debts may. */
export const mayBeBelowZero = (account: string): boolean =>
  account === DEBT || account.startsWith(CLEARING) || account.startsWith(COSTS)

/**
 * Whether changes of an account are appended and later folded into its row, because every payment changes it and no
 * decision depends on it. Withdrawals from an account that may not be negative are written to its row at once.
 */
export const isAppended = (account: string): boolean =>
  account === PAYABLE || APPENDED_PREFIXES.some((prefix) => account.startsWith(prefix))
