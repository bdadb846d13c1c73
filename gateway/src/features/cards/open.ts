import type { Merchant } from '../../core/merchants/index.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import type { Refusal } from '../../kernel/errors.ts'
import { type IdSource, randomHex, transactionIdOf } from '../../kernel/ids.ts'
import { type Db, inOneStatement, isTaken, type Tx } from '../../platform/db.ts'
import type { Card } from '../../rails/card.ts'
import {
  checkOpen,
  lockTransactionsByReference,
  type TransactionRow,
  transactionErrors,
} from '../transactions/index.ts'
import { sketch } from './card.ts'
import { cardErrors, onCharge } from './errors.ts'
import { isUnderWay, waitsForHolder } from './machine.ts'
import {
  type AttemptRow,
  type Chargeable,
  countDeclines,
  insertAttempts,
  selectAttempts,
  selectChargeable,
  updateAttempts,
} from './repository.ts'

/** How long an answer of the network may take before it is asked, in seconds of business time. */
export const ASK_AFTER_SECONDS = 30
const CHARGES_MAX = 10
/** Someone who tries out a card's CVV or expiry is declined often: so many times within the hour, and it takes a rest. */
export const DECLINES_MAX = 100
const DECLINES_SECONDS = 3_600

/** A wish to charge a card for a transaction. */
export interface ChargeWish {
  readonly merchant: Merchant
  readonly transactionReference: string
  readonly card: Card
  readonly fingerprint: string
  /** Set where a card on file is charged. */
  readonly cardToken: string | null
  /** Who asks: the merchant's server, or the hosted checkout. */
  readonly channel: 'API_NOTIFICATION' | 'WEB_SDK'
}

/** An attempt that now goes to the network; or the one that is under way already, so that nothing new may be charged. */
export interface Opened {
  readonly kind: 'opened' | 'under way'
  /** As it was read. */
  readonly transaction: TransactionRow
  readonly attempt: AttemptRow
}

/**
 * Writes down a set of intentions to charge, of those that are the first for their transactions and are to be refused by
 * nobody: nearly all. It takes no lock. The primary key lets one of several through, and a transaction that is paid or
 * closed meanwhile lets the money go back. Undefined where it takes a lock to tell.
 */
export async function openFirstAttempts(
  db: Db,
  ids: IdSource,
  at: Date,
  wishes: readonly ChargeWish[],
): Promise<(Opened | undefined)[]> {
  // Of several for one transaction, of which one may be with another card, only the first is looked at here.
  const firsts = new Map(wishes.toReversed().map((wish) => [wish.transactionReference, wish]))
  const keys = [...firsts.values()].flatMap(({ merchant, transactionReference, fingerprint }) => {
    const id = transactionIdOf(transactionReference)
    return id === undefined ? [] : { merchantId: merchant.id, id, fingerprint }
  })
  const since = secondsAfter(at, -DECLINES_SECONDS)
  const rows = await selectChargeable(db, keys, since, DECLINES_MAX)
  const transactions = new Map(rows.map((row) => [row.transactionReference, row]))
  const drafts = wishes.map((wish): Opened | undefined => {
    const transaction = transactions.get(wish.transactionReference)
    if (transaction === undefined || firsts.get(wish.transactionReference) !== wish) return undefined
    if (!isFirst(transaction, wish, at)) return undefined
    return { kind: 'opened', transaction, attempt: newAttempt(ids, wish, transaction, 1, at) }
  })
  try {
    const attempts = drafts.flatMap((draft) => draft?.attempt ?? [])
    await inOneStatement(db, (tx) => insertAttempts(tx, attempts))
    return drafts
  } catch (error) {
    // Someone was quicker with one of them, and PostgreSQL has undone all.
    if (isTaken(error)) return wishes.map(() => undefined)
    throw error
  }
}

const isFirst = (transaction: Chargeable, { merchant }: ChargeWish, at: Date): boolean =>
  transaction.merchantId === merchant.id &&
  !transaction.wasTried &&
  transaction.declines < DECLINES_MAX &&
  checkChargeable(transaction, at) === undefined

/** Writes down a set of intentions to charge, or tells why not. Of several for one transaction, one is opened. */
export async function openAttempts(
  tx: Tx,
  ids: IdSource,
  at: Date,
  wishes: readonly ChargeWish[],
): Promise<(Opened | Refusal)[]> {
  const keys = wishes.map(({ merchant, transactionReference }) => ({ merchantId: merchant.id, transactionReference }))
  const transactionKeys = keys.flatMap(({ merchantId, transactionReference }) => {
    const id = transactionIdOf(transactionReference)
    return id === undefined ? [] : { merchantId, id }
  })
  const cards = wishes.map(({ merchant, fingerprint }) => ({ merchantId: merchant.id, fingerprint }))
  // Sent together and carried out in this order: what is asked after the lock sees all that a twin elsewhere has committed.
  const [locked, before, declines] = await Promise.all([
    lockTransactionsByReference(tx, keys),
    selectAttempts(tx, transactionKeys),
    countDeclines(tx, cards, secondsAfter(at, -DECLINES_SECONDS), DECLINES_MAX),
  ])
  const transactions = new Map(locked.map((row) => [row.transactionReference, row]))
  const attemptsOf = Map.groupBy(before, ({ transactionId }) => transactionId)
  const opened: AttemptRow[] = []
  const superseded: AttemptRow[] = []

  const answers = wishes.map((wish): Opened | Refusal => {
    const transaction = transactions.get(wish.transactionReference)
    // References are unique over all merchants, so one found for another merchant's wish must not be shown to this one.
    if (transaction === undefined || transaction.merchantId !== wish.merchant.id)
      return onCharge(transactionErrors.unknown())
    const closed = checkChargeable(transaction, at)
    if (closed !== undefined) return onCharge(closed)
    const attempts = attemptsOf.get(transaction.id) ?? []
    const underWay = attempts.find(({ status }) => isUnderWay(status))
    if (underWay !== undefined) return { kind: 'under way', transaction, attempt: underWay }
    const refused =
      (attempts.length >= CHARGES_MAX ? cardErrors.tooManyCharges(CHARGES_MAX) : undefined) ??
      ((declines.get(wish.fingerprint) ?? 0) >= DECLINES_MAX ? cardErrors.tooManyDeclines() : undefined)
    if (refused !== undefined) return refused
    const attempt = newAttempt(ids, wish, transaction, attempts.length + 1, at)
    opened.push(attempt)
    const waiting = attempts.filter(({ status }) => waitsForHolder(status)).map(supersede)
    superseded.push(...waiting)
    attemptsOf.set(transaction.id, [...attempts.filter(({ status }) => !waitsForHolder(status)), ...waiting, attempt])
    return { kind: 'opened', transaction, attempt }
  })

  updateAttempts(tx, superseded)
  insertAttempts(tx, opened)
  return answers
}

/** Why a transaction takes no card now. A card pays it whole, so one that is partly paid takes none. */
export function checkChargeable(transaction: TransactionRow, at: Date): Refusal | undefined {
  const { status, paymentMethods } = transaction
  if (status === 'PAID' || status === 'OVERPAID') return cardErrors.paymentExists()
  const closed = checkOpen(transaction, at)
  if (closed !== undefined) return closed
  if (status === 'PARTIALLY_PAID') return cardErrors.partlyPaid()
  return paymentMethods.includes('CARD') ? undefined : cardErrors.notEnabled()
}

const newAttempt = (
  ids: IdSource,
  { card, fingerprint, cardToken, channel }: ChargeWish,
  { merchantId, id, payable }: TransactionRow,
  number: number,
  at: Date,
): AttemptRow => ({
  merchantId,
  transactionId: id,
  number,
  reference: newReference(ids),
  status: 'CHARGING',
  amount: payable,
  channel,
  fingerprint,
  card: sketch(card),
  cardToken,
  otpTries: 0,
  acsUrl: null,
  acsMethod: null,
  reason: null,
  heldNumber: null,
  openedAt: at,
  settledAt: null,
  askAt: secondsAfter(at, ASK_AFTER_SECONDS),
})

/** 32 hex digits: an id, so that they ascend with time and indexes grow at one end, and as much again that nobody can guess. */
const newReference = (ids: IdSource): string => ids.id().toString(16).padStart(16, '0') + randomHex(16)

/** Without its OTP nothing can come of it; at the issuer's page the holder may still agree, so that is asked about on. */
const supersede = (attempt: AttemptRow): AttemptRow => ({
  ...attempt,
  status: 'SUPERSEDED',
  heldNumber: null,
  askAt: attempt.status === 'SECURE_3D_REQUIRED' ? attempt.askAt : null,
})
