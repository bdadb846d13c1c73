import type { Merchant } from '../../core/merchants/index.ts'
import type { OrderWork } from '../../core/orders/index.ts'
import type { CardOnFile } from '../../core/security/vault.ts'
import type { Card } from '../../rails/card.ts'
import type { TransactionRow } from '../transactions/index.ts'
import {
  type CardDeps,
  type Charging,
  chargeCard,
  chargedSince,
  chargeOnFile,
  latestCharge,
  openCharges,
  type WantedCharge,
} from './charge.ts'
import type { Charge } from './conclude.ts'
import { authorizeOtp, authorizeSecure3d, findChallenge, type GivenOtp } from './holder.ts'
import { chargeOrders, reversalOrders } from './orders.ts'
import { type PageCard, pageCard } from './page-card.ts'
import { selectAttempts } from './repository.ts'

/** Charging cards, for whoever may: the API, the hosted checkout, recurring payments. Refusals, the issuer's too, are thrown. */
export interface Cards {
  /**
   * Charges a card for a transaction. While an earlier charge of the transaction is under way, that one is answered and
   * nothing is charged. The transaction may be as it was before the charge.
   */
  readonly charge: (merchant: Merchant, wanted: WantedCharge) => Promise<Charge>
  /** Gives the network the OTP of a charge. `tokenId` is the attempt's reference. */
  readonly authorizeOtp: (merchant: Merchant, given: GivenOtp) => Promise<Charge>
  /** What came of a charge with 3-D Secure. */
  readonly authorizeSecure3d: (
    merchant: Merchant,
    given: { readonly transactionReference: string; readonly card: Card },
  ) => Promise<Charge>
  /** The latest charge of a transaction as it stands now, if there was one. */
  readonly latest: (transaction: TransactionRow) => Promise<Charge | undefined>
  /** The charge of a card for a transaction that was made at that time or later, as it stands now, if there was one. */
  readonly chargedSince: (
    merchant: Merchant,
    wanted: { readonly transactionReference: string; readonly card: Card },
    since: Date,
  ) => Promise<Charge | undefined>
  /** How far paying some transactions by card has come, by their ids; those are left out for which nobody has tried. */
  readonly onPage: (transactions: readonly TransactionRow[]) => Promise<ReadonlyMap<bigint, PageCard>>
  /** Opens a transaction and charges a card on file for it, without the card holder. */
  readonly chargeOnFile: (merchant: Merchant, transaction: TransactionRow, card: CardOnFile) => Promise<Charge>
  /** The charge that an issuer's page is about, asked about at the network just now, and whether its holder is still asked. */
  readonly challenged: (reference: string) => Promise<(Charge & { readonly isAsked: boolean }) | undefined>
  /** What cards ask of the network. */
  readonly orders: Readonly<Record<'card-charge' | 'card-reversal', OrderWork>>
}

export function openCards(deps: CardDeps): Cards {
  const charges = chargeOrders(deps)
  const charging: Charging = { ...deps, charges, open: openCharges(deps) }
  return {
    charge: (merchant, wanted) => chargeCard(charging, merchant, wanted),
    authorizeOtp: (merchant, given) => authorizeOtp(charging, merchant, given),
    authorizeSecure3d: (merchant, given) => authorizeSecure3d(charging, merchant, given),
    latest: (transaction) => latestCharge(deps, transaction),
    chargedSince: (merchant, wanted, since) => chargedSince(deps, merchant, wanted, since),
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
