import type { RejectionReason } from '@kobo/contract'
import { emit, type OutgoingEvent } from '../../core/messages/outbox/index.ts'
import {
  claimCredits,
  type Decisions,
  openMemory,
  outcomeOf,
  type ReportedCredit,
} from '../../core/money/credits/index.ts'
import { type Journal, postNew } from '../../core/money/ledger/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import type { Kobo } from '../../kernel/money.ts'
import type { CreditOutcome, Payer } from '../../rails/bank.ts'
import { requestedByServer } from './changes.ts'
import { type Decision, decide, type Received } from './collection.ts'
import { collectionEvent, rejectionEvent } from './events.ts'
import {
  type CardFacts,
  insertPayments,
  insertRejectedPayments,
  type PaymentRow,
  type ReceivedBy,
  type RejectedPaymentRow,
  selectPayments,
} from './payment-repository.ts'
import {
  insertPaidTransactions,
  lockTransactions,
  type TransactionKey,
  type TransactionRow,
  updateTransactions,
  updateUnpaid,
} from './repository.ts'

/** Money that a rail reports as arrived. */
export interface Receipt {
  /** The partner that reported it and holds it; absent if there is none, as with cash. */
  readonly partner?: string
  /** The partner's reference. Repeated reports with the same reference have no further effect. */
  readonly railReference: string
  /** The payer's bank's reference, if it differs from the rail reference. */
  readonly sessionId?: string | undefined
  readonly method: ReceivedBy
  readonly amount: Kobo
  readonly payer: Payer
  /** The account into which it was paid; null if there is none. */
  readonly bankCode: string | null
  readonly accountNumber: string | null
  readonly card: CardFacts | null
}

/** Money for a transaction that exists, or money that creates its own. */
export type Arrival = ExpectedMoney | UnexpectedMoney

interface ExpectedMoney {
  readonly receipt: Receipt
  readonly merchantId: bigint
  readonly transactionId: bigint
  /** Whether the merchant's server requested it, and not the payer on the hosted checkout. */
  readonly requestedByServer?: boolean
}

interface UnexpectedMoney {
  readonly receipt: Receipt
  /** The transaction that the money creates. It is paid from the start. */
  readonly draft: TransactionRow
  /** The reason to send the money back, if any; then the draft is never written. */
  readonly rejected?: RejectionReason | undefined
}

/** Rows that the caller has already read. */
export interface Known {
  /** The transactions that money arrives for, locked unless listed in `unlocked`. */
  readonly transactions?: readonly TransactionRow[]
  /** Ids of transactions read without a lock. If one was paid or closed since, the unit of work fails as outdated. */
  readonly unlocked?: ReadonlySet<bigint>
  readonly decisions?: Decisions
  /** Earlier payments for the transactions that money arrives for. */
  readonly payments?: readonly PaymentRow[]
}

/**
 * Accepts or sends back each receipt of a batch: the only entry point for incoming money. A duplicate gets its earlier
 * outcome. A report that contradicts an earlier one is a conflict. Both change nothing. All receipts are posted
 * together, so that the ledger's accounts are locked only once, at the end.
 */
export async function receive(
  unit: UnitOfWork,
  arrivals: readonly Arrival[],
  known: Known = {},
): Promise<readonly CreditOutcome[]> {
  const { tx } = unit
  const keys = arrivals.flatMap((arrival) =>
    'draft' in arrival ? [] : { merchantId: arrival.merchantId, id: arrival.transactionId },
  )
  // Sent together and run in this order: a query after the lock sees what a concurrent duplicate has committed.
  const [transactions, decisions] = await Promise.all([
    known.transactions ?? lockTransactions(tx, keys),
    known.decisions ?? claimCredits(tx, arrivals.map(reportedCreditOf)),
  ])
  // Nearly always, no transaction has an earlier payment, so no query is needed.
  const payments =
    known.payments ??
    (await selectPayments(
      tx,
      transactions.filter(({ amountPaid }) => amountPaid > 0n),
    ))
  const intake = openIntake(unit, { transactions, decisions, payments })
  const outcomes = arrivals.map(intake.take)
  intake.write(known.unlocked ?? new Set())
  return outcomes
}

const reportedCreditOf = (arrival: Arrival): ReportedCredit => {
  const { partner = '', railReference, bankCode, accountNumber, amount } = arrival.receipt
  const { merchantId } = 'draft' in arrival ? arrival.draft : arrival
  return { merchantId, partner, railReference, bankCode, accountNumber, amount }
}

/** Returns a key that is unique over all merchants. */
const keyOf = ({ merchantId, id }: TransactionKey): string => `${merchantId} ${id}`

interface Intake {
  readonly take: (arrival: Arrival) => CreditOutcome
  /** Writes all changes; they are sent together with the commit. */
  readonly write: (unlocked: ReadonlySet<bigint>) => void
}

/** Decides on one arrival after the other, and collects the resulting writes. */
function openIntake(unit: UnitOfWork, known: Required<Pick<Known, 'transactions' | 'decisions' | 'payments'>>): Intake {
  const memory = openMemory(known.decisions)
  const present = new Map(known.transactions.map((row) => [keyOf(row), row]))
  const paymentsOf = Map.groupBy(known.payments, ({ merchantId, transactionId: id }) => keyOf({ merchantId, id }))
  const changed = new Map<string, TransactionRow>()
  const opened: TransactionRow[] = []
  const payments: PaymentRow[] = []
  const rejections: RejectedPaymentRow[] = []
  const journals: Journal[] = []
  const events: OutgoingEvent[] = []

  function accept(arrival: Arrival, { transaction, payment, journal }: Extract<Decision, { kind: 'accepted' }>): void {
    const key = keyOf(transaction)
    if ('draft' in arrival) opened.push(transaction)
    else changed.set(key, transaction)
    present.set(key, transaction)
    const all = [...(paymentsOf.get(key) ?? []), payment]
    paymentsOf.set(key, all)
    payments.push(payment)
    unit.countPayment(payment.method, transaction.status)
    journals.push(journal)
    events.push(collectionEvent(transaction, all))
  }

  function sendBack(transaction: TransactionRow, received: Received, reason: RejectionReason): void {
    const { method, card: _, ...money } = received
    unit.countPayment(method, 'REJECTED')
    const rejection = { ...money, merchantId: transaction.merchantId, transactionId: transaction.id, reason }
    rejections.push(rejection)
    events.push(rejectionEvent(transaction, rejection))
  }

  return {
    take: (arrival) => {
      const reported = reportedCreditOf(arrival)
      const before = memory.earlierDecision(reported)
      if (before !== undefined) return before
      const transaction = 'draft' in arrival ? arrival.draft : paidFor(arrival, present)
      const received = receivedOf(unit, arrival.receipt, memory.referenceFor(reported))
      const rejected = 'draft' in arrival ? arrival.rejected : undefined
      const decision: Decision =
        rejected === undefined ? decide(transaction, received) : { kind: 'rejected', reason: rejected }
      if (decision.kind === 'accepted') accept(arrival, decision)
      else sendBack(transaction, received, decision.reason)
      const reason = decision.kind === 'accepted' ? null : decision.reason
      memory.remember(reported, reason)
      return outcomeOf(reason)
    },
    // The ledger comes last, because it locks accounts that all payments of the merchant wait for.
    write: (unlocked) => {
      const { tx } = unit
      const byLock = Map.groupBy(changed.values(), ({ id }) => !unlocked.has(id))
      updateUnpaid(tx, byLock.get(false) ?? [])
      updateTransactions(tx, byLock.get(true) ?? [])
      insertPaidTransactions(tx, opened)
      insertPayments(tx, payments)
      insertRejectedPayments(tx, rejections)
      emit(unit, events)
      unit.last(() => postNew(unit, journals))
    },
  }
}

/** Returns the transaction that the money is for, marked if the merchant's server requested the payment. */
function paidFor(
  { merchantId, transactionId: id, requestedByServer: byServer }: ExpectedMoney,
  present: ReadonlyMap<string, TransactionRow>,
): TransactionRow {
  const transaction = present.get(keyOf({ merchantId, id }))
  invariant(transaction !== undefined, 'transactions are never deleted')
  return byServer === true ? requestedByServer(transaction) : transaction
}

/** Returns the data of a receipt, with the reference under which it is stored. */
export const receivedOf = (
  { ids, at }: Pick<UnitOfWork, 'ids' | 'at'>,
  receipt: Receipt,
  railReference: string,
): Received => ({
  id: ids.id(),
  partner: receipt.partner ?? '',
  railReference,
  sessionId: receipt.sessionId ?? (railReference === receipt.railReference ? undefined : receipt.railReference),
  method: receipt.method,
  amount: receipt.amount,
  payerName: receipt.payer.name,
  payerAccountNumber: receipt.payer.accountNumber,
  payerBankCode: receipt.payer.bankCode,
  bankCode: receipt.bankCode,
  accountNumber: receipt.accountNumber,
  card: receipt.card,
  receivedAt: at,
})
