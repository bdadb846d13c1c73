import type { Merchant } from '../../core/merchants/index.ts'
import { type OrderMaker, type OrderRow, placeOrders } from '../../core/orders/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import type { Refusal } from '../../kernel/errors.ts'
import { randomHex, transactionIdOf } from '../../kernel/ids.ts'
import { subtract } from '../../kernel/money.ts'
import type { Card } from '../../rails/card.ts'
import { type Transaction, transactionErrors, transactionReads, transactionRules } from '../transactions/index.ts'
import { masked } from './card.ts'
import type { Consent } from './consent.ts'
import { cardErrors, onCharge } from './errors.ts'
import { isInProgress, waitsForHolder } from './machine.ts'
import {
  type AttemptRow,
  countDeclines,
  insertAttempts,
  selectAttempts,
  selectEarlierAttempts,
  updateAttempts,
} from './repository.ts'

const CHARGES_MAX = 10
/**
 * Guessing a card's CVV or expiry causes declines: after this many within the hour, the card is blocked for a while.
 */
export const DECLINES_MAX = 100
const DECLINES_SECONDS = 3_600

/** Orders to the card network share one concurrency limit. */
export const CARD_SLOT = 'card'

/** A request to charge a card for a transaction. */
export interface NewCharge {
  readonly merchant: Merchant
  readonly transactionReference: string
  readonly card: Card
  readonly fingerprint: string
  /** Set if a stored card is charged. */
  readonly cardToken: string | null
  /** The caller: the merchant's server, or the hosted checkout. */
  readonly channel: 'API_NOTIFICATION' | 'WEB_SDK'
  readonly consent: Consent
}

/** The transaction has an attempt in progress, so nothing new is charged. */
interface UnderWay {
  readonly kind: 'under way'
  /** As it was read; it may have changed since. */
  readonly transaction: Transaction
  readonly attempt: AttemptRow
}

/** An attempt that now goes to the network, with its order. */
export interface OpenedCharge extends Omit<UnderWay, 'kind'> {
  readonly kind: 'opened'
  readonly order: OrderRow
}

export type Opened = UnderWay | OpenedCharge

/**
 * Opens a batch of attempts without a lock. Nearly every request qualifies: it is the first attempt of a transaction,
 * and there is nothing to reject. Of several concurrent attempts, the primary key accepts one; the others fail. If the
 * transaction is paid or closed meanwhile, the money goes back. Returns undefined for a request that needs a lock.
 */
export async function openFirstAttempts(
  orders: OrderMaker,
  unit: UnitOfWork,
  requests: readonly NewCharge[],
): Promise<(OpenedCharge | undefined)[]> {
  const { tx, at } = unit
  // Of several requests for one transaction, possibly with different cards, only the first is handled here.
  const firsts = new Map(requests.toReversed().map((request) => [request.transactionReference, request]))
  const keys = [...firsts.values()].flatMap(({ merchant, transactionReference, fingerprint }) => {
    const id = transactionIdOf(transactionReference)
    return id === undefined ? [] : { merchantId: merchant.id, id, fingerprint }
  })
  if (keys.length === 0) return requests.map(() => undefined)
  const [read, tries] = await Promise.all([
    transactionReads.byKeys(tx, keys),
    selectEarlierAttempts(tx, keys, secondsAfter(at, -DECLINES_SECONDS), DECLINES_MAX),
  ])
  const transactions = new Map(read.map((row) => [row.transactionReference, row]))
  const free = new Set(
    tries.flatMap(({ transactionId, wasTried, declines }) =>
      wasTried || declines >= DECLINES_MAX ? [] : transactionId,
    ),
  )
  const opened = requests.map((request): OpenedCharge | undefined => {
    const transaction = transactions.get(request.transactionReference)
    if (transaction?.merchantId !== request.merchant.id || firsts.get(request.transactionReference) !== request)
      return undefined
    if (!free.has(transaction.id) || checkChargeable(transaction, request.channel, at) !== undefined) return undefined
    // The rest of a partly paid transaction must be read under the lock.
    if (transaction.amountPaid > 0n) return undefined
    return openedCharge(orders, transaction, newAttempt(unit, request, transaction, 1))
  })
  writeAttempts(
    unit,
    opened.flatMap((one) => one ?? []),
  )
  return opened
}

/** Opens a batch of attempts, or returns the errors. Of several requests for one transaction, one is opened. */
export async function openAttempts(
  orders: OrderMaker,
  unit: UnitOfWork,
  requests: readonly NewCharge[],
): Promise<(Opened | Refusal)[]> {
  const { tx, at } = unit
  const { transactions, attemptsOf, declines } = await lockForCharging(unit, requests)
  const fresh: OpenedCharge[] = []
  const superseded: AttemptRow[] = []

  const responses = requests.map((request): Opened | Refusal => {
    const transaction = transactions.get(request.transactionReference)
    // A batch has requests of several merchants: a transaction found for one merchant must not be shown to another.
    if (transaction === undefined || transaction.merchantId !== request.merchant.id)
      return onCharge(transactionErrors.unknown())
    const closed = checkChargeable(transaction, request.channel, at)
    if (closed !== undefined) return onCharge(closed)
    const attempts = attemptsOf.get(transaction.id) ?? []
    const underWay = attempts.find(({ status }) => isInProgress(status))
    if (underWay !== undefined) return { kind: 'under way', transaction, attempt: underWay }
    const error =
      (attempts.length >= CHARGES_MAX ? cardErrors.tooManyCharges(CHARGES_MAX) : undefined) ??
      ((declines.get(request.fingerprint) ?? 0) >= DECLINES_MAX ? cardErrors.tooManyDeclines() : undefined)
    if (error !== undefined) return error
    const attempt = newAttempt(unit, request, transaction, attempts.length + 1)
    const opened = openedCharge(orders, transaction, attempt)
    fresh.push(opened)
    const waiting = attempts.filter(({ status }) => waitsForHolder(status)).map(supersede)
    superseded.push(...waiting)
    attemptsOf.set(transaction.id, [...attempts.filter(({ status }) => !waitsForHolder(status)), ...waiting, attempt])
    return opened
  })

  updateAttempts(tx, superseded)
  writeAttempts(unit, fresh)
  return responses
}

/** Locks the transactions to charge cards for, and reads their earlier attempts. */
async function lockForCharging({ tx, at }: UnitOfWork, requests: readonly NewCharge[]) {
  const references = requests.map(({ merchant, transactionReference }) => ({
    merchantId: merchant.id,
    transactionReference,
  }))
  const keys = references.flatMap(({ merchantId, transactionReference }) => {
    const id = transactionIdOf(transactionReference)
    return id === undefined ? [] : { merchantId, id }
  })
  const cards = requests.map(({ merchant, fingerprint }) => ({ merchantId: merchant.id, fingerprint }))
  // Pipelined queries run in order: a query after the lock sees what a concurrent duplicate has committed.
  const [locked, before, declines] = await Promise.all([
    transactionReads.lockByReferences(tx, references),
    selectAttempts(tx, keys),
    countDeclines(tx, cards, secondsAfter(at, -DECLINES_SECONDS), DECLINES_MAX),
  ])
  return {
    transactions: new Map(locked.map((row) => [row.transactionReference, row])),
    attemptsOf: Map.groupBy(before, ({ transactionId }) => transactionId),
    declines,
  }
}

/** Writes attempts with their orders. */
function writeAttempts(unit: UnitOfWork, fresh: readonly OpenedCharge[]): void {
  insertAttempts(
    unit.tx,
    fresh.map(({ attempt }) => attempt),
  )
  placeOrders(
    unit,
    fresh.map(({ order }) => order),
  )
}

const openedCharge = (orders: OrderMaker, transaction: Transaction, attempt: AttemptRow): OpenedCharge => ({
  kind: 'opened',
  transaction,
  attempt,
  order: chargeOrder(orders, attempt),
})

/** Returns the order of a new attempt. The API request sends it, because only it has the card number. */
export const chargeOrder = (
  orders: OrderMaker,
  { merchantId, orderId, transactionId, reference, amount, openedAt }: AttemptRow,
): OrderRow =>
  orders.newOrder(
    {
      merchantId,
      id: orderId,
      purpose: 'card-charge',
      subjectId: transactionId,
      reference,
      slot: CARD_SLOT,
      amount,
      sentBy: 'caller',
    },
    openedAt,
  )

/**
 * Returns the error if a transaction cannot be charged now. The merchant's server charges the whole amount, so it
 * cannot charge a partly paid transaction. On the checkout, a card can pay the rest.
 */
export function checkChargeable(
  transaction: Transaction,
  channel: AttemptRow['channel'],
  at: Date,
): Refusal | undefined {
  const { status, paymentMethods } = transaction
  if (status === 'PAID' || status === 'OVERPAID') return cardErrors.paymentExists()
  const closed = transactionRules.checkOpen(transaction, at)
  if (closed !== undefined) return closed
  if (status === 'PARTIALLY_PAID' && channel !== 'WEB_SDK') return cardErrors.partlyPaid()
  return paymentMethods.includes('CARD') ? undefined : cardErrors.notEnabled()
}

function newAttempt(
  { ids, at }: UnitOfWork,
  { merchant, card, fingerprint, cardToken, channel, consent }: NewCharge,
  { merchantId, id, payable, amountPaid }: Transaction,
  number: number,
): AttemptRow {
  const orderId = ids.id()
  return {
    merchantId,
    transactionId: id,
    number,
    reference: referenceOf(orderId),
    orderId,
    status: 'CHARGING',
    amount: subtract(payable, amountPaid),
    channel,
    fingerprint,
    card: masked(card),
    cardToken,
    otpTries: 0,
    otpHash: null,
    acsUrl: null,
    acsMethod: null,
    reason: null,
    heldNumber: null,
    // Without this permission, a token could not be charged, so none is created.
    consent: merchant.permissions.includes('recurring') ? consent : 'none',
    openedAt: at,
    settledAt: null,
  }
}

/** Returns 32 hex digits: the id, which increases over time so that indexes grow at one end, and 16 random digits. */
export const referenceOf = (id: bigint): string => id.toString(16).padStart(16, '0') + randomHex(16)

/** Returns the attempt as it is after another charge has replaced it. */
const supersede = (attempt: AttemptRow): AttemptRow => ({ ...attempt, status: 'SUPERSEDED', heldNumber: null })
