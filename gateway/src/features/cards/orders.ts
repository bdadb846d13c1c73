import {
  type Concluded,
  type Conclusion,
  NOT_CARRIED_OUT,
  type OrderResponse,
  type OrderRow,
  type Orders,
  type OrdersOf,
} from '../../core/orders/index.ts'
import type { Vault } from '../../core/security/vault.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { FoundCardRefund } from '../../rails/card.ts'
import { transactionReads } from '../transactions/index.ts'
import { concludeCharges, isUnchanged, reversalReference, type SentCharge } from './conclude.ts'
import { after, type Outcome } from './outcome.ts'
import { type AttemptRow, selectAttempts, updateAttempts } from './repository.ts'

interface Deps {
  readonly orders: Orders
  readonly vault: Vault
  readonly log: Log
}

/** Charges. The request that creates a charge sends it, because only it has the card. The worker only queries it. */
export const chargeOrders = ({ orders, vault }: Deps): OrdersOf<SentCharge, Outcome> =>
  orders.define<SentCharge, Outcome>({
    purpose: 'card-charge',
    outcomeBatchesMax: 2,
    subjects: readCharges,
    query: ({ reference }, _, { card }) => card.find(reference),
    found: {
      succeeded: () => ({ kind: 'approved', reusable: false }),
      failed: () => ({ kind: 'declined', reason: NOT_CARRIED_OUT }),
      'not-found': () => ({ kind: 'not found' }),
    },
    conclude: (unit, responses, unchanged) => concludeCharges({ orders, vault }, unit, responses, unchanged),
    // A charge is never sent under a new reference, so the network may approve it after we gave up. Then we reverse it.
    countsLate: ({ response }) => response.kind === 'approved',
    isUnchanged,
  })

async function readCharges(db: Db, placed: readonly OrderRow[]): Promise<SentCharge[]> {
  const keys = placed.map(transactionOf)
  const [attempts, rows] = await Promise.all([selectAttempts(db, keys), transactionReads.byKeys(db, keys)])
  const transactions = new Map(rows.map((row) => [row.id, row]))
  return placed.map(({ reference, subjectId }) => {
    const attempt = attempts.find((one) => one.reference === reference)
    const transaction = transactions.get(subjectId)
    invariant(attempt !== undefined && transaction !== undefined, 'attempts and transactions are never deleted')
    return { attempt, transaction, cardNumber: null }
  })
}

/**
 * Reversals: money that was approved too late goes back to its card. A reversal that never reached the network is
 * retried.
 */
export const reversalOrders = ({ orders, log }: Deps): OrdersOf<AttemptRow, FoundCardRefund> =>
  orders.define<AttemptRow, FoundCardRefund>({
    purpose: 'card-reversal',
    subjects: readReversing,
    send: ({ reference, amount }, attempt, { card }) =>
      card.refund({ reference, chargeReference: attempt.reference, amount }),
    query: ({ reference }, attempt, { card }) => card.findRefund(reference, attempt.reference),
    found: {
      succeeded: () => ({ kind: 'refunded' }),
      failed: () => ({ kind: 'refused', reason: NOT_CARRIED_OUT }),
      'not-found': () => ({ kind: 'not found' }),
    },
    conclude: (unit, responses) => concludeReversals(log, unit, responses),
  })

async function readReversing(db: Db, placed: readonly OrderRow[]): Promise<AttemptRow[]> {
  const attempts = await selectAttempts(db, placed.map(transactionOf))
  return placed.map(({ reference }) => {
    const attempt = attempts.find((one) => reference.startsWith(reversalReference(one)))
    invariant(attempt !== undefined, 'attempts are never deleted')
    return attempt
  })
}

async function concludeReversals(
  log: Log,
  { tx, at }: UnitOfWork,
  responses: readonly OrderResponse<AttemptRow, FoundCardRefund>[],
): Promise<Concluded<AttemptRow>[]> {
  const keys = responses.map(({ order }) => transactionOf(order))
  // Sent together and run in this order: a query after the lock sees what a concurrent duplicate has committed.
  const [, rows] = await Promise.all([transactionReads.lock(tx, keys), selectAttempts(tx, keys)])
  const present = new Map(rows.map((attempt) => [attempt.reference, attempt]))
  const ended = new Map<string, AttemptRow>()
  const concluded = responses.map(({ subject: { reference }, response }): Concluded<AttemptRow> => {
    const attempt = present.get(reference)
    invariant(attempt !== undefined, 'attempts are never deleted')
    if (attempt.status !== 'REVERSING') return { subject: attempt, conclusion: { kind: 'concluded' } }
    const subject = reversed(attempt, response, at)
    present.set(reference, subject)
    if (subject !== attempt) ended.set(reference, subject)
    return { subject, conclusion: conclusionOfReversal(response, at) }
  })
  updateAttempts(tx, [...ended.values()])
  for (const { merchantId, reference, status } of ended.values())
    if (status === 'REVERSAL_REFUSED')
      log.error(
        { merchantId: String(merchantId), attempt: reference },
        'card reversal rejected by the network; manual refund required',
      )
  return concluded
}

function reversed(attempt: AttemptRow, response: FoundCardRefund, at: Date): AttemptRow {
  if (response.kind === 'refunded') return after(attempt, 'refund', { settledAt: at })
  return response.kind === 'refused' ? after(attempt, 'refuseRefund', { settledAt: at }) : attempt
}

function conclusionOfReversal({ kind }: FoundCardRefund, at: Date): Conclusion {
  switch (kind) {
    case 'refunded':
    case 'refused':
      return { kind: 'concluded' }
    case 'unknown':
      return { kind: 'unknown' }
    case 'not found':
      // The network guarantees that this reference is never executed, so the retry uses a new one.
      return { kind: 'send again', at }
  }
}

const transactionOf = ({ merchantId, subjectId }: OrderRow) => ({ merchantId, id: subjectId })
