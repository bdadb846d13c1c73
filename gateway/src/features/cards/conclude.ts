import { NO_DECISIONS } from '../../core/money/credits/index.ts'
import {
  type Concluded,
  type OrderMaker,
  type OrderResponse,
  type OrderRow,
  placeOrders,
} from '../../core/orders/index.ts'
import type { Vault } from '../../core/security/vault.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import type { Hidden } from '../../kernel/hidden.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import {
  type Arrival,
  declineTransactions,
  markRequestedByServer,
  type Payment,
  receive,
  type Transaction,
  transactionReads,
  transactionRules,
} from '../transactions/index.ts'
import type { CardFacts } from './card.ts'
import { CARD_SLOT } from './open.ts'
import { approved, conclusionOf, consequence, type Outcome, reversing } from './outcome.ts'
import { type AttemptRow, selectAttempts, updateAttempts, updateCharging } from './repository.ts'

/** A charge: the attempt and its transaction, which may have been read before the payment. */
export interface Charge {
  readonly attempt: AttemptRow
  readonly transaction: Transaction
}

/** A charge to send to the network, with the card's number if the caller has it. */
export interface SentCharge extends Charge {
  readonly cardNumber: Hidden<string> | null
}

export type ChargeResponse = OrderResponse<SentCharge, Outcome>

/**
 * Whether a response can be applied without locking its rows. The update fails if a row was changed after the read.
 */
export const isUnchanged = ({ subject: { attempt, transaction }, response }: ChargeResponse): boolean =>
  transaction.amountPaid === 0n && attempt.status === 'CHARGING' && response.kind === 'approved'

/** An attempt whose money has arrived. */
interface Paying extends SentCharge {
  readonly reusable: boolean
  /** The partner that charged it. */
  readonly partner: string | null
}

/** The rows that a batch of responses is about, with the changes to write. */
interface Charges {
  readonly attempts: Map<string, AttemptRow>
  readonly transactions: Map<bigint, Transaction>
  /** Ids of the transactions that were read without a lock. */
  readonly unlocked: ReadonlySet<bigint>
  readonly changed: Map<string, AttemptRow>
  /** Ids of the transactions whose payment was declined. */
  readonly declined: Set<bigint>
  readonly paying: Paying[]
}

const TOO_LATE = 'The transaction was over before the card was approved; the money goes back to the card'

const keyOf = ({ transactionId, number }: AttemptRow): string => `${transactionId} ${number}`

/**
 * Records the network's responses to a batch of charges, in one database transaction. Attempts change their status, and
 * declined transactions fail. Approved money is received, or reversed if the transaction no longer takes it. A repeated
 * response changes nothing. If a row that was read without a lock has changed since, the whole batch fails as outdated.
 */
export async function concludeCharges(
  { orders, vault }: { readonly orders: OrderMaker; readonly vault: Vault },
  unit: UnitOfWork,
  responses: readonly ChargeResponse[],
  unchanged: ReadonlySet<ChargeResponse>,
): Promise<Concluded<SentCharge>[]> {
  const { tx, at } = unit
  const charges = await readCharges(tx, responses, unchanged)
  for (const response of responses) applyResponse(vault, charges, response, at)
  const tokens = await putOnFile(unit, vault, charges.paying)
  changeTransactions(unit, charges, responses)
  const changed = Map.groupBy(charges.changed.values(), ({ transactionId }) => charges.unlocked.has(transactionId))
  updateCharging(tx, changed.get(true) ?? [])
  updateAttempts(tx, changed.get(false) ?? [])
  const chargedBy = new Map(responses.map(({ order, subject }) => [keyOf(subject.attempt), order.partner]))
  const reversals = [...charges.changed.values()].filter(({ status }) => status === 'REVERSING')
  placeOrders(
    unit,
    reversals.map((attempt) => reversalOrder(orders, unit, attempt, chargedBy.get(keyOf(attempt)) ?? null)),
  )
  await receivePayments(unit, charges, tokens)
  return responses.map(({ subject }) => {
    const attempt = charges.attempts.get(keyOf(subject.attempt)) as AttemptRow
    const transaction = charges.transactions.get(attempt.transactionId) as Transaction
    return { subject: { attempt, transaction, cardNumber: null }, conclusion: conclusionOf(attempt, at) }
  })
}

/** Reads and locks the rows of responses; rows of the `unchanged` responses are used as they were read. */
async function readCharges(
  tx: Tx,
  responses: readonly ChargeResponse[],
  unchanged: ReadonlySet<ChargeResponse>,
): Promise<Charges> {
  const keys = responses.flatMap((response) => (unchanged.has(response) ? [] : response.subject.transaction))
  const [locked, rows] =
    keys.length === 0 ? [[], []] : await Promise.all([transactionReads.lock(tx, keys), selectAttempts(tx, keys)])
  const read = [...unchanged].map(({ subject }) => subject)
  return {
    transactions: new Map([...read.map(({ transaction }) => transaction), ...locked].map((row) => [row.id, row])),
    attempts: new Map([...read.map(({ attempt }) => attempt), ...rows].map((row) => [keyOf(row), row])),
    unlocked: new Set(read.map(({ transaction }) => transaction.id)),
    changed: new Map(),
    declined: new Set(),
    paying: [],
  }
}

/** Applies a response to the rows of the batch. */
function applyResponse(vault: Vault, charges: Charges, { order, subject, response }: ChargeResponse, at: Date): void {
  const key = keyOf(subject.attempt)
  const attempt = charges.attempts.get(key)
  const transaction = charges.transactions.get(subject.attempt.transactionId)
  invariant(attempt !== undefined && transaction !== undefined, 'attempts and transactions are never deleted')
  const change = (after: AttemptRow): void => {
    charges.attempts.set(key, after)
    charges.changed.set(key, after)
  }

  const effect = consequence(attempt, response, at)
  if (effect.kind === 'money') {
    const isOpen = transactionRules.checkOpen(transaction, at) === undefined
    change(isOpen ? approved(attempt, at) : reversing(attempt, TOO_LATE, at))
    const reusable = effect.reusable && isOpen && attempt.consent !== 'none'
    charges.paying.push({ attempt, transaction, reusable, cardNumber: subject.cardNumber, partner: order.partner })
  }
  if (effect.kind === 'moved') {
    change(withHeldNumber(vault, effect.attempt, subject.cardNumber))
    if (effect.attempt.status === 'DECLINED') charges.declined.add(transaction.id)
  }
}

const isRequestedByServer = ({ channel }: AttemptRow): boolean => channel === 'API_NOTIFICATION'

/** Updates transactions that receive no money: marks those requested by a server, and records declines. */
function changeTransactions(
  unit: UnitOfWork,
  { transactions, declined, paying }: Charges,
  responses: readonly ChargeResponse[],
): void {
  const paid = new Set(paying.map(({ transaction }) => transaction.id))
  const requests = responses.flatMap(({ subject: { attempt } }) =>
    isRequestedByServer(attempt) ? attempt.transactionId : [],
  )
  // Paid transactions are written when their money is received.
  const unpaid = (ids: Iterable<bigint>): Transaction[] =>
    [...new Set(ids)].flatMap((id) => (paid.has(id) ? [] : (transactions.get(id) ?? [])))
  for (const row of markRequestedByServer(unit, unpaid(requests))) transactions.set(row.id, row)
  for (const row of declineTransactions(unit, unpaid(declined))) transactions.set(row.id, row)
}

/** Receives the money of approved attempts, or reverses it if their transactions no longer take it. */
async function receivePayments(
  unit: UnitOfWork,
  { transactions, attempts, unlocked, paying }: Charges,
  tokens: ReadonlyMap<Paying, string>,
): Promise<void> {
  const arrivals = paying.map((one) => arrivalOf(one, tokens.get(one) ?? null))
  const responses = await receive(unit, arrivals, {
    transactions: [...transactions.values()],
    unlocked,
    // An attempt that may still be approved has brought no money yet, so there is no earlier outcome under its
    // reference.
    decisions: NO_DECISIONS,
    payments: await earlierPayments(unit.tx, paying),
  })
  for (const [index, { attempt }] of paying.entries())
    invariant(
      (responses[index]?.kind === 'accepted') === (attempts.get(keyOf(attempt))?.status === 'APPROVED'),
      'an attempt and its payment have the same outcome',
    )
}

/** Returns the order that sends money back to its card. Its reference contains that of the charge. */
const reversalOrder = (
  orders: OrderMaker,
  { ids, at }: UnitOfWork,
  attempt: AttemptRow,
  partner: string | null,
): OrderRow =>
  orders.newOrder(
    {
      merchantId: attempt.merchantId,
      id: ids.id(),
      purpose: 'card-reversal',
      subjectId: attempt.transactionId,
      reference: reversalReference(attempt),
      partner,
      slot: CARD_SLOT,
      amount: attempt.amount,
      sentBy: 'worker',
    },
    at,
  )

/** Returns the reference under which a reversal is first sent to the network. */
export const reversalReference = ({ reference }: AttemptRow): string => `reversal-${reference}`

/** Reads the earlier payments of partly paid transactions. Usually there are none: a card pays the whole amount. */
const earlierPayments = async (tx: Tx, paying: readonly Paying[]): Promise<readonly Payment[]> => {
  const partlyPaid = paying.flatMap(({ transaction }) => (transaction.amountPaid > 0n ? transaction : []))
  return partlyPaid.length === 0 ? [] : transactionReads.payments(tx, partlyPaid)
}

/** Keeps the encrypted card number in the attempt, only during a challenge and only if the card may be stored later. */
function withHeldNumber(vault: Vault, attempt: AttemptRow, cardNumber: Hidden<string> | null): AttemptRow {
  if (cardNumber === null || attempt.consent === 'none') return attempt
  if (attempt.status !== 'OTP_REQUIRED' && attempt.status !== 'SECURE_3D_REQUIRED') return attempt
  return { ...attempt, heldNumber: vault.hold(attempt.reference, cardNumber) }
}

const arrivalOf = ({ attempt, partner }: Paying, cardToken: string | null): Arrival => ({
  merchantId: attempt.merchantId,
  transactionId: attempt.transactionId,
  requestedByServer: isRequestedByServer(attempt),
  receipt: {
    partner: partner ?? '',
    railReference: attempt.reference,
    method: 'CARD',
    amount: attempt.amount,
    payer: { name: null, accountNumber: null, bankCode: null, bvn: null },
    bankCode: null,
    accountNumber: null,
    card: factsOf(attempt.card, cardToken),
  },
})

const factsOf = (card: AttemptRow['card'], cardToken: string | null): CardFacts => ({
  ...card,
  reusable: cardToken !== null,
  cardToken,
  supportsTokenization: cardToken !== null,
})

/** Returns the tokens of the cards that may be charged again. Stores the cards that have no token yet. */
async function putOnFile(
  unit: UnitOfWork,
  vault: Vault,
  paying: readonly Paying[],
): Promise<ReadonlyMap<Paying, string>> {
  const tokens = new Map<Paying, string>()
  const fresh = paying.flatMap((one) => {
    const { attempt, transaction, reusable } = one
    if (attempt.cardToken !== null) tokens.set(one, attempt.cardToken)
    const number = attempt.cardToken === null && reusable ? numberOf(vault, one) : null
    if (number === null) return []
    const { merchantId, fingerprint } = attempt
    const { expMonth: expiryMonth, expYear: expiryYear } = attempt.card
    const { customerEmail } = transaction
    return { one, card: { merchantId, fingerprint, number, expiryMonth, expiryYear, customerEmail } }
  })
  if (fresh.length === 0) return tokens
  const cards = fresh.map(({ card }) => card)
  const stored = await vault.keep(unit, cards)
  for (const [index, { one }] of fresh.entries()) tokens.set(one, stored[index] as string)
  return tokens
}

const numberOf = (vault: Vault, { attempt, cardNumber }: Paying): Hidden<string> | null =>
  cardNumber ?? (attempt.heldNumber === null ? null : vault.release(attempt.reference, attempt.heldNumber))
