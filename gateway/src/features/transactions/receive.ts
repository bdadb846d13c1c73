import type { RejectionReason } from '@kobo/contract'
import { emit, type OutgoingEvent } from '../../core/messages/outbox/index.ts'
import {
  type Decisions,
  openMemory,
  outcomeOf,
  selectDecisions,
  type ToldMoney,
} from '../../core/money/credits/index.ts'
import { type Journal, postNew } from '../../core/money/ledger/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import type { Kobo } from '../../kernel/money.ts'
import type { CreditOutcome, Payer } from '../../rails/bank.ts'
import { askedByServer } from './changes.ts'
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

/** Money that a rail says has arrived. */
export interface Receipt {
  /** Who told of it, and holds it; left out where that is nobody's business but ours, as with cash. */
  readonly partner?: string
  /** One reference of a partner, one effect, however often it is told. */
  readonly railReference: string
  /** What the payer's bank calls it, where that is not the rail reference. */
  readonly sessionId?: string | undefined
  readonly method: ReceivedBy
  readonly amount: Kobo
  readonly payer: Payer
  /** Where it arrived; null where it arrived on no account number. */
  readonly bankCode: string | null
  readonly accountNumber: string | null
  readonly card: CardFacts | null
}

/** Money for a transaction that exists, or money that brings its own. */
export type Arrival = ExpectedMoney | UnexpectedMoney

interface ExpectedMoney {
  readonly receipt: Receipt
  readonly merchantId: bigint
  readonly transactionId: bigint
  /** Whether the merchant's server asked for it, and not the payer on the hosted checkout. */
  readonly askedByServer?: boolean
}

interface UnexpectedMoney {
  readonly receipt: Receipt
  /** The transaction that it is paid with from the first moment. */
  readonly draft: TransactionRow
  /** Why it goes back; then the draft is never written. */
  readonly refused?: RejectionReason | undefined
}

/** What the caller knows already, so that it is not asked for again. */
export interface Known {
  /** The transactions that money arrives for. They are locked, but for those that are said not to be. */
  readonly transactions?: readonly TransactionRow[]
  /** Ids of those that were read without a lock: where one has got money since, or was closed, all fails as outdated. */
  readonly unlocked?: ReadonlySet<bigint>
  readonly decisions?: Decisions
  /** What was paid before for the transactions that money arrives for. */
  readonly payments?: readonly PaymentRow[]
}

/**
 * The door for money in: takes a set of receipts, each kept or sent back. One that was told of before gets the answer it
 * got then, and one that contradicts what was told before is a conflict; both change nothing. All go through the ledger
 * together, so that its accounts are locked once and last.
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
  // Sent together and carried out in this order: what is asked after the lock sees all that a twin elsewhere has committed.
  const [transactions, decisions] = await Promise.all([
    known.transactions ?? lockTransactions(tx, keys),
    known.decisions ?? selectDecisions(tx, arrivals.map(toldOf)),
  ])
  // Nearly always nothing was paid before, and there is nothing to ask for.
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

const toldOf = (arrival: Arrival): ToldMoney => {
  const { partner = '', railReference, bankCode, accountNumber, amount } = arrival.receipt
  const { merchantId } = 'draft' in arrival ? arrival.draft : arrival
  return { merchantId, partner, railReference, bankCode, accountNumber, amount }
}

/** Names a transaction over all merchants. */
const keyOf = ({ merchantId, id }: TransactionKey): string => `${merchantId} ${id}`

interface Intake {
  readonly take: (arrival: Arrival) => CreditOutcome
  /** Writes all that follows, along with the commit. */
  readonly write: (unlocked: ReadonlySet<bigint>) => void
}

/** Decides about one arrival after the other, and gathers what they lead to. */
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

  function keep(arrival: Arrival, { transaction, payment, journal }: Extract<Decision, { kind: 'accepted' }>): void {
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
      const told = toldOf(arrival)
      const before = memory.answerTo(told)
      if (before !== undefined) return before
      const transaction = 'draft' in arrival ? arrival.draft : paidFor(arrival, present)
      const received = receivedOf(unit, arrival.receipt, memory.referenceFor(told))
      const refused = 'draft' in arrival ? arrival.refused : undefined
      const decision: Decision =
        refused === undefined ? decide(transaction, received) : { kind: 'rejected', reason: refused }
      if (decision.kind === 'accepted') keep(arrival, decision)
      else sendBack(transaction, received, decision.reason)
      const reason = decision.kind === 'accepted' ? null : decision.reason
      memory.remember(told, reason)
      return outcomeOf(reason)
    },
    // The ledger comes last of all, since it locks the merchant's accounts, for which all payments of the merchant wait.
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

/** The transaction that money is for, as it is once the money was asked for. */
function paidFor(
  { merchantId, transactionId: id, askedByServer: asked }: ExpectedMoney,
  present: ReadonlyMap<string, TransactionRow>,
): TransactionRow {
  const transaction = present.get(keyOf({ merchantId, id }))
  invariant(transaction !== undefined, 'money for a transaction finds it')
  return asked === true ? askedByServer(transaction) : transaction
}

/** Money as it arrived, under the reference that it has here. */
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
