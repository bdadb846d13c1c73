import type { InboundCredit } from '../rails/bank.ts'
import type { Serve } from './edge/http/index.ts'
import type { Pages } from './edge/pages/index.ts'
import type { Merchant } from './merchants/index.ts'
import type { Decided } from './money/credits/index.ts'
import type { AccountPurpose, GivenAccount } from './money/virtual-accounts/index.ts'
import type { OrderPurpose, OrderWork } from './orders/index.ts'
import type { Sweep } from './sweep.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/**
 * What a feature is to the gateway. Each folder of features has one function that makes it, of the few things it needs; the
 * gateway is the list of those calls. What must hold in its books a feature exports by itself, since that can be asked
 * without a gateway.
 */
export interface Feature {
  /** Serves its routes to programs and its pages to people. */
  readonly routes: (serve: Serve, pages: Pages) => void
  /** What falls due in it as business time passes. */
  readonly sweeps?: readonly Sweep[]
  /** Who sends, asks about and concludes what it orders of partners, by what it is ordered for. */
  readonly orders?: Readonly<Partial<Record<OrderPurpose, OrderWork>>>
  /** Who takes the money that arrives on account numbers, by what those are opened for. */
  readonly receives?: Readonly<Partial<Record<AccountPurpose, ReceiveCredits>>>
  /** Whether an account of theirs still takes money, where its own end does not tell. */
  readonly takesMoney?: Readonly<Partial<Record<AccountPurpose, (account: GivenAccount, at: Date) => Promise<boolean>>>>
}

/** A credit, the account number on which it arrived, and whose that is. */
export interface ArrivedCredit {
  readonly credit: InboundCredit
  readonly account: GivenAccount
  readonly merchant: Merchant
}

/** Takes a set of credits in one database transaction; answers, for each, that it is kept or why it goes back. */
export type ReceiveCredits = (unit: UnitOfWork, credits: readonly ArrivedCredit[]) => Promise<readonly Decided[]>
