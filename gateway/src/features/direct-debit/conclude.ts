import type { Concluded, OrderResponse } from '../../core/orders/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import { next } from '../../kernel/machine.ts'
import { subtract } from '../../kernel/money.ts'
import type { DebitOutcome } from '../../rails/debit.ts'
import { type Arrival, declineTransactions, receive, transactionReads } from '../transactions/index.ts'
import { debitMachine } from './machine.ts'
import { moved } from './mandate.ts'
import { type DebitRow, debits, type MandateRow, mandates, updateDebits, updateMandates } from './repository.ts'
import { changeMandates } from './service.ts'

export interface MandatedDebit {
  readonly debit: DebitRow
  readonly mandate: MandateRow
}

/** The customer's bank's response to a debit. `not found`: the bank never received it, and never executes it. */
export type DebitResponse = DebitOutcome | { readonly kind: 'not found' }

/** A debit whose outcome is known, and the partner that it was sent to. */
interface KnownDebit extends MandatedDebit {
  readonly partner: string | null
}

type KnownOutcome = Exclude<DebitOutcome, { kind: 'unknown' }>

const NEVER_ARRIVED: KnownOutcome = { kind: 'declined', reason: 'The bank never received the debit', isStopped: false }

/**
 * Records the banks' responses to a batch of debits, in one database transaction. A paid debit is received as money. A
 * declined debit frees its part of the mandate's amount, and its bank may also stop the mandate. A repeated response
 * changes nothing.
 */
export async function concludeDebits(
  unit: UnitOfWork,
  responses: readonly OrderResponse<MandatedDebit, DebitResponse>[],
): Promise<Concluded<MandatedDebit>[]> {
  const subjects = responses.map(({ subject }) => subject)
  // Pipelined queries run in order: a query after the lock sees what a concurrent duplicate has committed.
  const [lockedMandates, lockedDebits] = await Promise.all([
    mandates.lock(
      unit.tx,
      subjects.map(({ mandate }) => mandate),
    ),
    debits.lock(
      unit.tx,
      subjects.map(({ debit }) => debit),
    ),
  ])
  const mandatesById = new Map(lockedMandates.map((mandate) => [mandate.id, mandate]))
  const debitsById = new Map(lockedDebits.map((debit) => [debit.id, debit]))
  const known = new Map<bigint, KnownDebit>()
  const stopped = new Set<bigint>()

  const concluded = responses.map(({ order, subject, response }): Concluded<MandatedDebit> => {
    const debit = debitsById.get(subject.debit.id)
    const mandate = mandatesById.get(subject.mandate.id)
    invariant(debit !== undefined && mandate !== undefined, 'debits and mandates are never deleted')
    // Another process may have received the response first.
    if (debit.status !== 'PENDING') return { subject: { debit, mandate }, conclusion: { kind: 'concluded' } }
    if (response.kind === 'unknown') return { subject: { debit, mandate }, conclusion: { kind: 'unknown' } }
    const outcome = response.kind === 'not found' ? NEVER_ARRIVED : response
    const after = { debit: afterOutcome(debit, outcome), mandate: withAmountFreed(mandate, debit, outcome) }
    debitsById.set(debit.id, after.debit)
    mandatesById.set(mandate.id, after.mandate)
    known.set(debit.id, { ...after, partner: order.partner })
    if (outcome.kind === 'declined' && outcome.isStopped) stopped.add(mandate.id)
    return { subject: after, conclusion: { kind: 'concluded' } }
  })

  const ended = [...known.values()]
  updateDebits(
    unit.tx,
    ended.map(({ debit }) => debit),
  )
  const failed = ended.filter(({ debit }) => debit.status === 'FAILED')
  const changed = new Map(failed.map(({ mandate: { id } }) => [id, mandatesById.get(id) as MandateRow]))
  writeMandates(unit, [...changed.values()], stopped)
  await decline(unit, failed)
  await collect(
    unit,
    ended.filter(({ debit }) => debit.status === 'PAID'),
  )
  return concluded
}

function afterOutcome(debit: DebitRow, outcome: KnownOutcome): DebitRow {
  const status = next(debitMachine, debit.status, outcome.kind === 'paid' ? 'pay' : 'decline')
  invariant(status !== undefined, 'a pending debit can be paid or declined')
  return outcome.kind === 'paid'
    ? { ...debit, status, sessionId: outcome.sessionId }
    : { ...debit, status, reason: outcome.reason }
}

/** Frees a failed debit's part of the mandate's amount. */
const withAmountFreed = (mandate: MandateRow, { amount }: DebitRow, { kind }: KnownOutcome): MandateRow =>
  kind === 'paid' ? mandate : { ...mandate, debited: subtract(mandate.debited, amount) }

/** Writes mandates whose amounts changed. Suspends those that their banks stopped, and sends an event for each. */
function writeMandates(unit: UnitOfWork, changed: readonly MandateRow[], stopped: ReadonlySet<bigint>): void {
  const suspended = changed.flatMap((mandate) => (stopped.has(mandate.id) ? (moved(mandate, 'suspend') ?? []) : []))
  const isSuspended = new Set(suspended.map(({ id }) => id))
  updateMandates(
    unit.tx,
    changed.filter(({ id }) => !isSuspended.has(id)),
  )
  changeMandates(unit, suspended)
}

/** Fails the transactions of failed debits. */
async function decline(unit: UnitOfWork, failed: readonly MandatedDebit[]): Promise<void> {
  const keys = failed.map(({ debit: { merchantId, transactionId } }) => ({ merchantId, id: transactionId }))
  for (const { status } of declineTransactions(unit, await transactionReads.lock(unit.tx, keys)))
    invariant(status === 'FAILED', 'a pending debit can be declined')
}

async function collect(unit: UnitOfWork, paid: readonly KnownDebit[]): Promise<void> {
  if (paid.length === 0) return
  for (const { kind } of await receive(unit, paid.map(arrivalOf)))
    invariant(kind === 'accepted', 'a paid debit is accepted')
}

/** Returns the money to receive. It has our own reference, because the bank's reference may not be unique. */
const arrivalOf = ({ debit, mandate, partner }: KnownDebit): Arrival => ({
  merchantId: debit.merchantId,
  transactionId: debit.transactionId,
  receipt: {
    partner: partner ?? '',
    railReference: debit.transactionReference,
    sessionId: debit.sessionId ?? undefined,
    method: 'DIRECT_DEBIT',
    amount: debit.amount,
    payer: {
      name: mandate.customerAccountName,
      accountNumber: mandate.customerAccountNumber,
      bankCode: mandate.customerAccountBankCode,
      bvn: null,
    },
    bankCode: null,
    accountNumber: null,
    card: null,
  },
})
