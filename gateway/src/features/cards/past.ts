import { unroutedOrders } from '../../core/orders/index.ts'
import type { Past } from '../../core/past/index.ts'
import type { Tx } from '../../platform/db.ts'
import { setsOf } from '../../platform/sets.ts'
import type { CardFacts, TransactionRow } from '../transactions/index.ts'
import type { MaskedCard } from './card.ts'
import { issuerOf, schemeOf } from './issuers.ts'
import { chargeOrder, referenceOf } from './open.ts'
import { type AttemptRow, insertAttempts } from './repository.ts'

/** What a history says of a card: never a number. */
export interface PastCard {
  readonly bin: string
  readonly last4: string
  readonly expMonth: string
  readonly expYear: string
}

/** A card that was charged in the past, and what the network said at once. */
export function chargedInPast(
  past: Past,
  { merchantId, id, payable }: TransactionRow,
  { bin, last4, expMonth, expYear }: PastCard,
  declined: { readonly reason: string } | undefined,
  number = 1,
): AttemptRow {
  const { ids, at } = past.now()
  const orderId = ids.id()
  const card: MaskedCard = {
    cardType: schemeOf(bin),
    last4,
    expMonth,
    expYear,
    bin,
    ...issuerOf(bin),
    maskedPan: `${bin}******${last4}`,
  }
  const attempt: AttemptRow = {
    merchantId,
    transactionId: id,
    number,
    reference: referenceOf(orderId),
    orderId,
    status: declined === undefined ? 'APPROVED' : 'DECLINED',
    amount: payable,
    channel: 'WEB_SDK',
    fingerprint: `history/${bin}${last4}`,
    card,
    cardToken: null,
    otpTries: 0,
    otpHash: null,
    acsUrl: null,
    acsMethod: null,
    reason: declined?.reason ?? null,
    heldNumber: null,
    consent: 'none',
    openedAt: at,
    settledAt: at,
  }
  past.conclude(chargeOrder(unroutedOrders, attempt))
  return attempt
}

/** What a payment says of the card that was charged. */
export const factsOf = ({ card }: AttemptRow): CardFacts => ({
  ...card,
  reusable: false,
  cardToken: null,
  supportsTokenization: false,
})

/** So many rows go into one statement. */
const SET_MAX = 1_000

/** Writes attempts of the past. */
export function writePastCharges(tx: Tx, attempts: readonly AttemptRow[]): void {
  for (const set of setsOf(attempts, SET_MAX)) insertAttempts(tx, set)
}
