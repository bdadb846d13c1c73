import type { Tx } from '../platform/postgres/db.ts'
import type { InboundCredit } from '../rails/bank.ts'
import type { AccountPurpose, AssignedAccount } from './account-numbers/index.ts'
import type { Serve } from './edge/http/index.ts'
import type { Pages } from './edge/pages/index.ts'
import type { CustomerData, TransactionCustomerData } from './erasure/index.ts'
import type { Merchant } from './merchants/index.ts'
import type { Decided } from './money/credits/index.ts'
import type { LedgerCheck } from './money/ledger/index.ts'
import type { OrderPurpose, OrderWork } from './orders/index.ts'
import type { SealedColumn } from './security/sealed-column.ts'
import type { Sweep } from './sweep.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/** Facts about stored data, for commands that run without a gateway. */
export interface StoredData {
  readonly ledgerChecks?: readonly LedgerCheck[]
  /** The tables and columns with customers' personal data. */
  readonly customerData?: readonly (CustomerData | TransactionCustomerData)[]
  readonly encryptedColumns?: readonly SealedColumn[]
  /** How to end a merchant's open items when the merchant is closed. */
  readonly closing?: readonly EndOpen[]
}

/** Ends a merchant's open items, or makes them due now, so that a sweep ends them. */
export type EndOpen = (tx: Tx, merchantId: bigint, at: Date) => void

/** A feature of the gateway. Each folder of features exports one, and app/features.ts lists them all. */
export interface Feature extends StoredData {
  /** Opens the feature in a gateway, with the parts that it needs. */
  readonly open: (deps: never) => OpenFeature
}

/** A feature in a running gateway. */
export interface OpenFeature {
  /** Serves its API routes and its web pages. */
  readonly routes: (serve: Serve, pages: Pages) => void
  /** The feature's scheduled work. */
  readonly sweeps?: readonly Sweep[]
  /** Sends, queries and concludes its orders, by purpose. */
  readonly orders?: Readonly<Partial<Record<OrderPurpose, OrderWork>>>
  /** Receives the money that arrives on account numbers, by the purpose of the number. */
  readonly receives?: Readonly<Partial<Record<AccountPurpose, ReceiveCredits>>>
  /** Whether an account number still accepts money, if that depends on more than the number's expiry. */
  readonly takesMoney?: Readonly<
    Partial<Record<AccountPurpose, (account: AssignedAccount, at: Date) => Promise<boolean>>>
  >
}

/** A credit, the account number on which it arrived, and that number's merchant. */
export interface ArrivedCredit {
  readonly credit: InboundCredit
  readonly account: AssignedAccount
  readonly merchant: Merchant
}

/**
 * Receives a batch of credits in one database transaction; returns for each whether it is accepted, or why it is sent
 * back.
 */
export type ReceiveCredits = (unit: UnitOfWork, credits: readonly ArrivedCredit[]) => Promise<readonly Decided[]>
