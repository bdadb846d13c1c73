import type { RejectionReason } from '@kobo/contract'
import { type Journal, postNew } from '../../core/ledger/index.ts'
import { emit, type OutgoingEvent } from '../../core/outbox/index.ts'
import { invariant } from '../../kernel/errors.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db.ts'
import type { CreditOutcome, InboundCredit } from '../../rails/bank.ts'
import { decide } from './collection.ts'
import { collectionEvent, rejectionEvent } from './events.ts'
import {
  decidedBefore,
  insertPayments,
  insertRejectedPayments,
  lockTransactions,
  type PaymentRow,
  type RejectedPaymentRow,
  selectPayments,
  type TransactionRow,
  updateTransactions,
} from './repository.ts'

/** A credit on the virtual account of a transaction. */
export interface TransactionCredit {
  readonly merchantId: bigint
  readonly transactionId: bigint
  readonly credit: InboundCredit
}

/**
 * The door for money in: takes a set of credits in one database transaction, each kept or sent back. A credit whose
 * rail reference was seen before gets the answer it got then and changes nothing.
 */
export async function receiveCredits(
  tx: Tx,
  ids: IdSource,
  at: Date,
  credits: readonly TransactionCredit[],
): Promise<readonly CreditOutcome[]> {
  const keys = credits.map(({ merchantId, transactionId }) => ({ merchantId, id: transactionId }))
  // Sent together and carried out in this order: what is asked after the lock sees all that a twin elsewhere has committed.
  const [locked, known, earlier] = await Promise.all([
    lockTransactions(tx, keys),
    decidedBefore(
      tx,
      credits.map(({ merchantId, credit }) => ({ merchantId, railReference: credit.railReference })),
    ),
    selectPayments(tx, keys),
  ])
  const transactions = new Map(locked.map((row) => [row.id, row]))
  const decided = new Map(known)
  const paymentsOf = Map.groupBy(earlier, ({ transactionId }) => transactionId)

  const payments: PaymentRow[] = []
  const rejections: RejectedPaymentRow[] = []
  const journals: Journal[] = []
  const events: OutgoingEvent[] = []
  const changed = new Map<bigint, TransactionRow>()

  const outcomes = credits.map(({ transactionId, credit }): CreditOutcome => {
    const before = decided.get(credit.railReference)
    if (before !== undefined) return outcome(before)
    const transaction = transactions.get(transactionId)
    invariant(transaction !== undefined, 'a virtual account of a transaction belongs to one')
    const received = {
      id: ids.id(),
      railReference: credit.railReference,
      method: 'ACCOUNT_TRANSFER',
      amount: credit.amount,
      payerName: credit.payer.name,
      payerAccountNumber: credit.payer.accountNumber,
      payerBankCode: credit.payer.bankCode,
      bankCode: credit.bankCode,
      accountNumber: credit.accountNumber,
      receivedAt: at,
    }
    const decision = decide(transaction, received)
    if (decision.kind === 'rejected') {
      const { method: _, ...money } = received
      const rejection = { ...money, merchantId: transaction.merchantId, transactionId, reason: decision.reason }
      rejections.push(rejection)
      events.push(rejectionEvent(transaction, rejection as RejectedPaymentRow & { reason: RejectionReason }))
      decided.set(credit.railReference, decision.reason)
      return outcome(decision.reason)
    }
    const allPayments = [...(paymentsOf.get(transactionId) ?? []), decision.payment]
    paymentsOf.set(transactionId, allPayments)
    transactions.set(transactionId, decision.transaction)
    changed.set(transactionId, decision.transaction)
    payments.push(decision.payment)
    journals.push(decision.journal)
    events.push(collectionEvent(decision.transaction, allPayments))
    decided.set(credit.railReference, null)
    return outcome(null)
  })

  // Not awaited: the statements travel with the commit. The ledger comes last, since it locks the merchant's accounts,
  // for which all payments of the merchant wait.
  tx.along(updateTransactions(tx, [...changed.values()]))
  tx.along(insertPayments(tx, payments))
  tx.along(insertRejectedPayments(tx, rejections))
  tx.along(emit(tx, ids, at, events))
  tx.along(postNew(tx, ids, at, journals))
  return outcomes
}

const outcome = (reason: string | null): CreditOutcome =>
  reason === null ? { kind: 'accepted' } : { kind: 'rejected', reason }
