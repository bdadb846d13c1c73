import { unroutedOrders } from '../../core/orders/index.ts'
import type { Past } from '../../core/sandbox-history/index.ts'
import { chunksOf } from '../../platform/lanes/chunks.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import type { Transaction } from '../transactions/index.ts'
import type { CardFacts, MaskedCard } from './card.ts'
import { issuerOf, schemeOf } from './issuers.ts'
import { chargeOrder, referenceOf } from './open.ts'
import { type AttemptRow, insertAttempts } from './repository.ts'

/** A card of the sandbox history. It has no full card number. */
export interface HistoryCard {
  readonly bin: string
  readonly last4: string
  readonly expMonth: string
  readonly expYear: string
}

/** Creates a card charge of the sandbox history, which the network approved or declined at once. */
export function chargeInHistory(
  past: Past,
  { merchantId, id, payable }: Transaction,
  { bin, last4, expMonth, expYear }: HistoryCard,
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

/** Returns the card details of a payment with the charged card. */
export const factsOf = ({ card }: AttemptRow): CardFacts => ({
  ...card,
  reusable: false,
  cardToken: null,
  supportsTokenization: false,
})

/** Attempts per query. */
const CHUNK_MAX = 1_000

/** Writes attempts of the sandbox history. */
export function writeHistoryCharges(tx: Tx, attempts: readonly AttemptRow[]): void {
  for (const chunk of chunksOf(attempts, CHUNK_MAX)) insertAttempts(tx, chunk)
}
