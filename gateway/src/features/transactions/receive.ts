import type { RejectionReason } from '@kobo/contract'
import { type Journal, post } from '../../core/ledger/index.ts'
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
  const locked = await lockTransactions(
    tx,
    credits.map(({ merchantId, transactionId }) => ({ merchantId, id: transactionId })),
  )
  const transactions = new Map(locked.map((row) => [row.id, row]))
  // Asked after the lock: a twin on another node has committed by now, or will find ours.
  const [known, earlier] = await Promise.all([
    decidedBefore(
      tx,
      credits.map(({ merchantId, credit }) => ({ merchantId, railReference: credit.railReference })),
    ),
    selectPayments(
      tx,
      locked.filter(({ amountPaid }) => amountPaid > 0n),
    ),
  ])
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

  // Not awaited one by one: the statements travel together. The ledger comes last, since it locks the merchant's
  // accounts, for which all payments of the merchant wait.
  await Promise.all([
    updateTransactions(tx, [...changed.values()]),
    insertPayments(tx, payments),
    insertRejectedPayments(tx, rejections),
    emit(tx, ids, at, events),
    post(tx, ids, at, journals),
  ])
  return outcomes
}

const outcome = (reason: string | null): CreditOutcome =>
  reason === null ? { kind: 'accepted' } : { kind: 'rejected', reason }
