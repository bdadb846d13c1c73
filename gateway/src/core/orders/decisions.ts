import type { OrderVerdict } from '@kobo/contract'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'
import { type AuditRecord, audit, personOf } from '../security/audit.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import { orderErrors } from './errors.ts'
import { type OrderKey, type OrderRow, orders } from './order.ts'
import { lockUnresolvedOr, queryAgain } from './repository.ts'
import { isDecidable, verdictsOn } from './verdicts.ts'

/** Values reported by the partner, by name. */
export type ReportedDetails = Readonly<Record<string, string>>

/** Decisions about orders with an unknown outcome: one person proposes, another confirms. */
export const decisions = table('order_decision', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  orderId: column<bigint>(),
  /** The order's reference when it was decided: a resend under another reference needs a new decision. */
  reference: column<string>(),
  verdict: column<OrderVerdict>(),
  told: column<ReportedDetails>(),
  proposedBy: column<string>(),
  /** The id of the person; null for a name given at the command line of a sandbox. */
  proposedById: column<bigint | null>(),
  proposedBecause: column<string>(),
  proposedAt: column<Date>(),
  confirmedBy: column<string | null>(),
  confirmedBecause: column<string | null>(),
  confirmedAt: column<Date | null>(),
  state: column<'PROPOSED' | 'CONFIRMED' | 'CARRIED_OUT' | 'MOOT'>(),
  endedAt: column<Date | null>(),
  /** How often the decision could not be applied, and why the last time. */
  failures: column<number>(),
  failure: column<string | null>(),
})
export type DecisionRow = Row<typeof decisions>

/** After this many failures a decision is not tried again: people must replace it, or query the partner again. */
export const DECISION_FAILURES_MAX = 3

/** Whether a decision is confirmed and can still be applied. */
const isBinding = ({ state, failures }: DecisionRow): boolean =>
  state === 'CONFIRMED' && failures < DECISION_FAILURES_MAX

/** The acting user, as in the audit log. */
type By = Pick<AuditRecord, 'actor' | 'name' | 'address'>

/** A person's vote for a decision: the first vote proposes it, the second confirms it. */
export interface Vote {
  readonly verdict: OrderVerdict
  readonly told: ReportedDetails
  /** The person's name or email address, normalized so that one person counts once. */
  readonly by: string
  readonly because: string
}

/**
 * Records a person's decision about an order with an unknown outcome. If another person has proposed the same, the
 * decision is confirmed and any node applies it. A different decision becomes a new proposal.
 */
export async function decide(unit: UnitOfWork, reference: string, vote: Vote, by: By): Promise<DecisionRow> {
  const order = await lockUnresolvedOr(unit.tx, 'SENT', reference)
  if (order === undefined || !isDecidable(order, unit.at)) throw orderErrors.noReviewNeeded()
  const offered = verdictsOn(order, unit.at).find(({ verdict }) => verdict === vote.verdict)
  if (offered === undefined) throw orderErrors.notOffered()
  const missing = offered.needs.filter((name) => vote.told[name] === undefined)
  if (missing.length > 0) throw orderErrors.missingDetails(missing.join(', '))
  const before = await findOpen(unit.tx, order)
  if (before !== undefined && isBinding(before) && before.reference === reference) throw orderErrors.decidedAlready()
  if (before?.state === 'PROPOSED' && isSame(before, order, vote)) return confirm(unit, before, vote, by)
  if (before !== undefined) endDecisions(unit, [before], 'MOOT')
  const decision = proposal(unit, order, vote, by)
  decisions.insert(unit.tx, [decision])
  auditDecision(unit, 'order.propose', decision, vote, by)
  return decision
}

function confirm(unit: UnitOfWork, before: DecisionRow, vote: Vote, by: By): DecisionRow {
  if (isProposer(before, { id: personOf(by.actor), name: vote.by })) throw orderErrors.ownProposal()
  const { by: confirmedBy, because: confirmedBecause } = vote
  const decision: DecisionRow = { ...before, state: 'CONFIRMED', confirmedBy, confirmedBecause, confirmedAt: unit.at }
  decisions.update(unit.tx, [decision], ['state', 'confirmedBy', 'confirmedBecause', 'confirmedAt'])
  auditDecision(unit, 'order.confirm', decision, vote, by)
  return decision
}

/** Queries the partner now about an unresolved order, or about one whose money may still come back. */
export async function queryByOperator(unit: UnitOfWork, reference: string, by: By): Promise<OrderRow> {
  const queried = await queryAgain(unit.tx, reference, unit.at)
  if (queried === undefined) throw orderErrors.noReviewNeeded()
  const before = await findOpen(unit.tx, queried)
  if (before?.state === 'CONFIRMED' && !isBinding(before)) endDecisions(unit, [before], 'MOOT')
  audit(unit, { ...by, merchantId: queried.merchantId, act: 'order.ask-again', reference })
  unit.wake('orders')
  return queried
}

const proposal = ({ ids, at }: UnitOfWork, order: OrderRow, vote: Vote, by: By): DecisionRow => ({
  merchantId: order.merchantId,
  id: ids.id(),
  orderId: order.id,
  reference: order.reference,
  verdict: vote.verdict,
  told: vote.told,
  proposedBy: vote.by,
  proposedById: personOf(by.actor),
  proposedBecause: vote.because,
  proposedAt: at,
  confirmedBy: null,
  confirmedBecause: null,
  confirmedAt: null,
  state: 'PROPOSED',
  endedAt: null,
  failures: 0,
  failure: null,
})

/** Whether this person has proposed the decision: compared by id or, without one, by name. */
export const isProposer = (
  { proposedBy, proposedById }: Pick<DecisionRow, 'proposedBy' | 'proposedById'>,
  { id, name }: { readonly id: bigint | null; readonly name: string },
): boolean =>
  proposedById !== null && id !== null ? proposedById === id : proposedBy.toLowerCase() === name.toLowerCase()

const isSame = (before: DecisionRow, { reference }: OrderRow, { verdict, told }: Vote): boolean =>
  before.reference === reference &&
  before.verdict === verdict &&
  Object.keys(before.told).length === Object.keys(told).length &&
  Object.entries(told).every(([name, value]) => before.told[name] === value)

/** Audits a vote. The reported values may be worth money (such as a token), so only their names are recorded. */
function auditDecision(
  unit: UnitOfWork,
  act: string,
  { merchantId, reference, id }: DecisionRow,
  { by: person, because, verdict, told }: Vote,
  by: By,
): void {
  const details = { decision: String(id), by: person, because, verdict, told: Object.keys(told) }
  audit(unit, { ...by, merchantId, act, reference, details })
}

const DECISIONS_SHOWN_MAX = 100

/** Reads the decisions about an order, newest first. */
export const decisionsAbout = (db: Db, { merchantId, id }: OrderKey): Promise<DecisionRow[]> =>
  db<DecisionRow[]>`
    select ${decisions.columns} from order_decision
     where merchant_id = ${merchantId} and order_id = ${id} order by id desc limit ${DECISIONS_SHOWN_MAX}`

export async function findDecidedOrder(db: Db, reference: string): Promise<OrderRow | undefined> {
  const [row] = await db<OrderRow[]>`
    -- over all merchants: for the operator
    select ${orders.of('o')} from order_decision d
      join rail_order o on o.merchant_id = d.merchant_id and o.id = d.order_id
     where d.reference = ${reference} order by d.id desc limit 1`
  return row
}

/** Decisions that are proposed, or confirmed and not yet applied. */
export const selectOpenDecisions = (db: Db): Promise<DecisionRow[]> =>
  db<DecisionRow[]>`
    -- over all merchants: for the operator; at most one per unresolved order
    select ${decisions.columns} from order_decision where state in ('PROPOSED', 'CONFIRMED')`

async function findOpen(tx: Tx, order: OrderRow): Promise<DecisionRow | undefined> {
  const [row] = await tx<DecisionRow[]>`
    select ${decisions.columns} from order_decision
     where merchant_id = ${order.merchantId} and order_id = ${order.id} and state in ('PROPOSED', 'CONFIRMED')`
  return row
}

const FAILURE_LENGTH_MAX = 500

/** Records that a decision could not be applied, and why; returns how often that has happened. */
export async function noteFailure(tx: Tx, { merchantId, id }: DecisionRow, why: string): Promise<number> {
  const [row] = await tx<{ failures: number }[]>`
    update order_decision set failures = failures + 1, failure = ${why.slice(0, FAILURE_LENGTH_MAX)}
     where merchant_id = ${merchantId} and id = ${id} and state = 'CONFIRMED'
    returning failures`
  return row?.failures ?? 0
}

/** Closes open decisions and records the reason. */
export function endDecisions(unit: UnitOfWork, open: readonly DecisionRow[], state: 'CARRIED_OUT' | 'MOOT'): void {
  if (open.length === 0) return
  const ended = open.map((decision): DecisionRow => ({ ...decision, state, endedAt: unit.at }))
  decisions.update(unit.tx, ended, ['state', 'endedAt'])
  audit(
    unit,
    ...ended.map(({ merchantId, reference, id, verdict }) => ({
      merchantId,
      act: state === 'MOOT' ? 'order.decision.moot' : 'order.decision.carry-out',
      actor: 'worker' as const,
      reference,
      details: { decision: String(id), verdict },
    })),
  )
}
