import type { Merchant } from '../../core/merchants/index.ts'
import type { OrderWork } from '../../core/orders/index.ts'
import type { CardOnFile } from '../../core/security/vault.ts'
import type { Card } from '../../rails/card.ts'
import type { Transaction } from '../transactions/index.ts'
import {
  type CardDeps,
  type Charging,
  chargeCard,
  chargedSince,
  chargeOnFile,
  latestCharge,
  openCharges,
  type RequestedCharge,
} from './charge.ts'
import type { Charge } from './conclude.ts'
import { authorizeOtp, authorizeSecure3d, findChallenge, type GivenOtp } from './holder.ts'
import { chargeOrders, reversalOrders } from './orders.ts'
import { type PageCard, pageCard } from './page-card.ts'
import { selectAttempts } from './repository.ts'

/**
 * Card charges for the API, the hosted checkout and recurring payments. Errors, including those of the issuer, are
 * thrown.
 */
export interface Cards {
  /**
   * Charges a card for a transaction. If an earlier charge of it is in progress, that one is returned and nothing is
   * charged. The returned transaction may have been read before the charge.
   */
  readonly charge: (merchant: Merchant, requested: RequestedCharge) => Promise<Charge>
  /** Sends the OTP of a charge to the network. `tokenId` is the attempt's reference. */
  readonly authorizeOtp: (merchant: Merchant, given: GivenOtp) => Promise<Charge>
  /** Queries the outcome of a charge with 3-D Secure. If a card is given, it must be the charged one. */
  readonly authorizeSecure3d: (
    merchant: Merchant,
    given: { readonly transactionReference: string; readonly card: Card | null },
  ) => Promise<Charge>
  /** The latest charge of a transaction as it is now, if there was one. */
  readonly latest: (transaction: Transaction) => Promise<Charge | undefined>
  /** Finds the charge of a card for a transaction, if one was made at the given time or later. */
  readonly chargedSince: (
    merchant: Merchant,
    requested: { readonly transactionReference: string; readonly card: Card },
    since: Date,
  ) => Promise<Charge | undefined>
  /** The progress of card payments, by transaction id; transactions without an attempt are left out. */
  readonly onPage: (transactions: readonly Transaction[]) => Promise<ReadonlyMap<bigint, PageCard>>
  /** Opens a transaction and charges a stored card for it, without the card holder. */
  readonly chargeOnFile: (merchant: Merchant, transaction: Transaction, card: CardOnFile) => Promise<Charge>
  /**
   * Finds the charge of an issuer's page, queries the network about it, and returns whether its challenge is open.
   */
  readonly challenged: (reference: string) => Promise<(Charge & { readonly isChallengeOpen: boolean }) | undefined>
  /** The order handlers of card charges and reversals. */
  readonly orders: Readonly<Record<'card-charge' | 'card-reversal', OrderWork>>
}

export function openCards(deps: CardDeps): Cards {
  const charges = chargeOrders(deps)
  const charging: Charging = { ...deps, charges, open: openCharges(deps) }
  return {
    charge: (merchant, requested) => chargeCard(charging, merchant, requested),
    authorizeOtp: (merchant, given) => authorizeOtp(charging, merchant, given),
    authorizeSecure3d: (merchant, given) => authorizeSecure3d(charging, merchant, given),
    latest: (transaction) => latestCharge(deps, transaction),
    chargedSince: (merchant, requested, since) => chargedSince(deps, merchant, requested, since),
    onPage: async (transactions) => {
      const attempts = transactions.length === 0 ? [] : await selectAttempts(deps.core.db, transactions)
      const attemptsOf = Map.groupBy(attempts, ({ transactionId }) => transactionId)
      return new Map([...attemptsOf].map(([id, tried]) => [id, pageCard(tried, deps.publicUrl())]))
    },
    chargeOnFile: (merchant, transaction, card) => chargeOnFile(charging, merchant, transaction, card),
    challenged: (reference) => findChallenge(charging, reference),
    orders: { 'card-charge': charges, 'card-reversal': reversalOrders(deps) },
  }
}
