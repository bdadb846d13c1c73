import type { RejectionReason } from '@kobo/contract'
import { type Journal, postNew } from '../../core/ledger/index.ts'
import { emit, type OutgoingEvent } from '../../core/outbox/index.ts'
import { invariant } from '../../kernel/errors.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Kobo } from '../../kernel/money.ts'
import type { Tx } from '../../platform/db.ts'
import type { CreditOutcome, Payer } from '../../rails/bank.ts'
import { decide, type Received } from './collection.ts'
import { collectionEvent, rejectionEvent } from './events.ts'
import {
  type CardFacts,
  decidedBefore,
  insertPaidTransactions,
  insertPayments,
  insertRejectedPayments,
  lockTransactions,
  type PaymentRow,
  type ReceivedBy,
  type RejectedPaymentRow,
  selectPayments,
  type TransactionRow,
  updateTransactions,
  updateUnpaid,
} from './repository.ts'

/** Money that a rail says has arrived. */
export interface Receipt {
  /** The rail's own reference. One reference, one effect, however often it is told. */
  readonly railReference: string
  readonly method: ReceivedBy
  readonly amount: Kobo
  readonly payer: Payer
  /** Where it arrived; null where it arrived on no account number. */
  readonly bankCode: string | null
  readonly accountNumber: string | null
  readonly card: CardFacts | null
}

/** Money for a transaction that exists. */
export interface Arrival {
  readonly merchantId: bigint
  readonly transactionId: bigint
  readonly receipt: Receipt
}

/** Money that brings its own transaction, which is paid from the first moment; or is refused for a reason, and never is. */
export interface Birth {
  readonly transaction: TransactionRow
  readonly receipt: Receipt
  readonly refused?: RejectionReason | undefined
}

/** What was decided about rail references before; asked under a lock that a twin elsewhere would wait for. */
export type DecidedBefore = Awaited<ReturnType<typeof decidedBefore>>

/** What the door must know of the transactions that money arrives for. They are locked, but for those that are said not to be. */
export interface Known {
  readonly transactions: readonly TransactionRow[]
  /** Ids of those that were read without a lock: where one has got money since, or was closed, all fails as outdated. */
  readonly unlocked: ReadonlySet<bigint>
  readonly decided: DecidedBefore
  readonly payments: readonly PaymentRow[]
}

/** The door for money in, for transactions that exist. Who has locked them already says what it knows of them. */
export const receiveMoney = async (
  tx: Tx,
  ids: IdSource,
  at: Date,
  arrivals: readonly Arrival[],
  known?: Known,
): Promise<readonly CreditOutcome[]> => (await receive(tx, ids, at, { arrivals, births: [], known })).arrivals

/** The door for money that brings its own transaction: each credit of a reserved account is one. */
export const receiveNewborn = async (
  tx: Tx,
  ids: IdSource,
  at: Date,
  births: readonly Birth[],
): Promise<readonly CreditOutcome[]> => (await receive(tx, ids, at, { arrivals: [], births })).births

/**
 * Takes a set of receipts in one database transaction, each kept or sent back. One whose rail reference was seen before
 * gets the answer it got then and changes nothing. Both kinds go through the ledger together, so that its accounts are
 * locked once and last.
 */
export async function receive(
  tx: Tx,
  ids: IdSource,
  at: Date,
  {
    arrivals,
    births,
    decided,
    known,
  }: {
    readonly arrivals: readonly Arrival[]
    readonly births: readonly Birth[]
    readonly decided?: DecidedBefore
    readonly known?: Known | undefined
  },
): Promise<{ readonly arrivals: readonly CreditOutcome[]; readonly births: readonly CreditOutcome[] }> {
  const keys = arrivals.map(({ merchantId, transactionId }) => ({ merchantId, id: transactionId }))
  // Sent together and carried out in this order: what is asked after the lock sees all that a twin elsewhere has committed.
  const [locked, before, earlier] = await Promise.all([
    known?.transactions ?? (keys.length === 0 ? [] : lockTransactions(tx, keys)),
    known?.decided ?? decided ?? decidedBefore(tx, [...arrivals.map(referenceOf), ...births.map(referenceOfBirth)]),
    known?.payments ?? (keys.length === 0 ? [] : selectPayments(tx, keys)),
  ])
  const transactions = new Map(locked.map((row) => [row.id, row]))
  const intake = openIntake(ids, at, before, earlier)
  const changed = new Map<bigint, TransactionRow>()
  const born: TransactionRow[] = []
  const outcomes = {
    arrivals: arrivals.map(({ transactionId, receipt }) => {
      const transaction = transactions.get(transactionId)
      invariant(transaction !== undefined, 'money for a transaction finds it')
      const { outcome, after } = intake.take(transaction, receipt)
      if (after !== undefined) {
        transactions.set(transactionId, after)
        changed.set(transactionId, after)
      }
      return outcome
    }),
    births: births.map(({ transaction, receipt, refused }) => {
      const { outcome, after } = intake.take(transaction, receipt, refused)
      if (after !== undefined) born.push(after)
      return outcome
    }),
  }
  const isUnlocked = ({ id }: TransactionRow): boolean => known?.unlocked.has(id) === true
  updateUnpaid(tx, [...changed.values()].filter(isUnlocked))
  updateTransactions(
    tx,
    [...changed.values()].filter((row) => !isUnlocked(row)),
  )
  insertPaidTransactions(tx, born)
  intake.write(tx)
  return outcomes
}

const referenceOf = ({ merchantId, receipt }: { merchantId: bigint; receipt: Receipt }) => ({
  merchantId,
  railReference: receipt.railReference,
})
const referenceOfBirth = ({ transaction, receipt }: Birth) =>
  referenceOf({ merchantId: transaction.merchantId, receipt })

interface Intake {
  /** Decides about a receipt; answers the transaction after it where it was kept. */
  readonly take: (
    transaction: TransactionRow,
    receipt: Receipt,
    refused?: RejectionReason,
  ) => { readonly outcome: CreditOutcome; readonly after?: TransactionRow }
  /** Writes all that follows, along with the commit. */
  readonly write: (tx: Tx) => void
}

/** Gathers what a set of receipts leads to. */
function openIntake(
  ids: IdSource,
  at: Date,
  known: ReadonlyMap<string, string | null>,
  earlier: readonly PaymentRow[],
): Intake {
  const decided = new Map(known)
  const paymentsOf = Map.groupBy(earlier, ({ transactionId }) => transactionId)
  const payments: PaymentRow[] = []
  const rejections: RejectedPaymentRow[] = []
  const journals: Journal[] = []
  const events: OutgoingEvent[] = []

  return {
    take: (transaction, receipt, refused) => {
      const key = `${transaction.merchantId} ${receipt.railReference}`
      const before = decided.get(key)
      if (before !== undefined) return { outcome: outcomeOf(before) }
      const received = receivedOf(ids.id(), at, receipt)
      const decision =
        refused === undefined ? decide(transaction, received) : { kind: 'rejected' as const, reason: refused }
      if (decision.kind === 'rejected') {
        const { method: _, card: __, ...money } = received
        const rejection = { ...money, merchantId: transaction.merchantId, transactionId: transaction.id }
        rejections.push({ ...rejection, reason: decision.reason })
        events.push(rejectionEvent(transaction, { ...rejection, reason: decision.reason }))
        decided.set(key, decision.reason)
        return { outcome: outcomeOf(decision.reason) }
      }
      const all = [...(paymentsOf.get(transaction.id) ?? []), decision.payment]
      paymentsOf.set(transaction.id, all)
      payments.push(decision.payment)
      journals.push(decision.journal)
      events.push(collectionEvent(decision.transaction, all))
      decided.set(key, null)
      return { outcome: outcomeOf(null), after: decision.transaction }
    },
    // The ledger comes last, since it locks the merchant's accounts, for which all payments of the merchant wait.
    write: (tx) => {
      insertPayments(tx, payments)
      insertRejectedPayments(tx, rejections)
      emit({ tx, ids, at, wake: () => {} }, events)
      postNew({ tx, ids, at, wake: () => {} }, journals)
    },
  }
}

const receivedOf = (id: bigint, at: Date, { payer, ...receipt }: Receipt): Received => ({
  id,
  railReference: receipt.railReference,
  method: receipt.method,
  amount: receipt.amount,
  payerName: payer.name,
  payerAccountNumber: payer.accountNumber,
  payerBankCode: payer.bankCode,
  bankCode: receipt.bankCode,
  accountNumber: receipt.accountNumber,
  card: receipt.card,
  receivedAt: at,
})

const outcomeOf = (reason: string | null): CreditOutcome =>
  reason === null ? { kind: 'accepted' } : { kind: 'rejected', reason }
