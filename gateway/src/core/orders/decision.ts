import type { OrderVerdict } from '@kobo/contract'
import type { Db, Tx } from '../../platform/db.ts'
import { column, type Row, table } from '../../platform/table.ts'
import { type AuditRecord, audit } from '../security/audit.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import { orderErrors } from './errors.ts'
import { type OrderKey, type OrderRow, orders } from './order.ts'
import { askAgain, lockUnresolved } from './repository.ts'
import { verdictsOn } from './verdicts.ts'

/** What the partner told, by name. */
export type Told = Readonly<Record<string, string>>

/** What people decided about an order for which they were called: one proposes it, another confirms it. */
export const decisions = table('order_decision', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  orderId: column<bigint>(),
  /** The order's at the time: sent again under another one, it is another question. */
  reference: column<string>(),
  verdict: column<OrderVerdict>(),
  told: column<Told>(),
  proposedBy: column<string>(),
  proposedBecause: column<string>(),
  proposedAt: column<Date>(),
  confirmedBy: column<string | null>(),
  confirmedBecause: column<string | null>(),
  confirmedAt: column<Date | null>(),
  state: column<'PROPOSED' | 'CONFIRMED' | 'CARRIED_OUT' | 'MOOT'>(),
  endedAt: column<Date | null>(),
})
export type DecisionRow = Row<typeof decisions>

/** Who acts, as the audit has it. */
type By = Pick<AuditRecord, 'actor' | 'name' | 'address'>

/** What a person says of an order. */
export interface Word {
  readonly verdict: OrderVerdict
  readonly told: Told
  /** The person's name or address: however it is written, it is one pair of eyes. */
  readonly by: string
  readonly because: string
}

/**
 * Takes down what a person says of an order for which a person is called. Where another has said the same, it is decided,
 * and any node carries it out. Whoever says otherwise than the one before begins anew.
 */
export async function decide(unit: UnitOfWork, reference: string, word: Word, by: By): Promise<DecisionRow> {
  const order = await lockUnresolved(unit.tx, reference)
  if (order === undefined) throw orderErrors.nobodyCalled()
  const offered = verdictsOn(order).find(({ verdict }) => verdict === word.verdict)
  if (offered === undefined) throw orderErrors.notOffered()
  const missing = offered.needs.filter((name) => word.told[name] === undefined)
  if (missing.length > 0) throw orderErrors.untold(missing.join(', '))
  const before = await findOpen(unit.tx, order)
  if (before?.state === 'CONFIRMED' && before.reference === reference) throw orderErrors.decidedAlready()
  if (before !== undefined && isSame(before, order, word)) return confirm(unit, before, word, by)
  if (before !== undefined) endDecisions(unit, [before], 'MOOT')
  const decision = proposal(unit, order, word)
  decisions.insert(unit.tx, [decision])
  auditWord(unit, 'order.propose', decision, word, by)
  return decision
}

function confirm(unit: UnitOfWork, before: DecisionRow, word: Word, by: By): DecisionRow {
  if (isSamePerson(before.proposedBy, word.by)) throw orderErrors.ownProposal()
  const { by: confirmedBy, because: confirmedBecause } = word
  const decision: DecisionRow = { ...before, state: 'CONFIRMED', confirmedBy, confirmedBecause, confirmedAt: unit.at }
  decisions.update(unit.tx, [decision], ['state', 'confirmedBy', 'confirmedBecause', 'confirmedAt'])
  auditWord(unit, 'order.confirm', decision, word, by)
  return decision
}

/** Has the partner asked again about an order for which a person was called. */
export async function askByPerson(unit: UnitOfWork, reference: string, by: By): Promise<OrderRow> {
  const asked = await askAgain(unit.tx, reference, unit.at)
  if (asked === undefined) throw orderErrors.nobodyCalled()
  audit(unit, { ...by, merchantId: asked.merchantId, act: 'order.ask-again', reference })
  unit.wake('orders')
  return asked
}

const proposal = ({ ids, at }: UnitOfWork, order: OrderRow, word: Word): DecisionRow => ({
  merchantId: order.merchantId,
  id: ids.id(),
  orderId: order.id,
  reference: order.reference,
  verdict: word.verdict,
  told: word.told,
  proposedBy: word.by,
  proposedBecause: word.because,
  proposedAt: at,
  confirmedBy: null,
  confirmedBecause: null,
  confirmedAt: null,
  state: 'PROPOSED',
  endedAt: null,
})

export const isSamePerson = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

const isSame = (before: DecisionRow, { reference }: OrderRow, { verdict, told }: Word): boolean =>
  before.reference === reference &&
  before.verdict === verdict &&
  Object.keys(before.told).length === Object.keys(told).length &&
  Object.entries(told).every(([name, value]) => before.told[name] === value)

/** What is told may be worth money, as a token is: the audit has its names alone. */
function auditWord(
  unit: UnitOfWork,
  act: string,
  { merchantId, reference, id }: DecisionRow,
  { by: person, because, verdict, told }: Word,
  by: By,
): void {
  const details = { decision: String(id), by: person, because, verdict, told: Object.keys(told) }
  audit(unit, { ...by, merchantId, act, reference, details })
}

const DECISIONS_SHOWN_MAX = 100

/** What was decided about an order, the newest first. */
export const decisionsAbout = (db: Db, { merchantId, id }: OrderKey): Promise<DecisionRow[]> =>
  db<DecisionRow[]>`
    select ${decisions.columns} from order_decision
     where merchant_id = ${merchantId} and order_id = ${id} order by id desc limit ${DECISIONS_SHOWN_MAX}`

/** The order about which people decided under this reference. */
export async function findDecidedOrder(db: Db, reference: string): Promise<OrderRow | undefined> {
  const [row] = await db<OrderRow[]>`
    -- over all merchants: for the operator
    select ${orders.of('o')} from order_decision d
      join rail_order o on o.merchant_id = d.merchant_id and o.id = d.order_id
     where d.reference = ${reference} order by d.id desc limit 1`
  return row
}

/** What is proposed, or confirmed and not yet carried out. */
export const selectOpenDecisions = (db: Db): Promise<DecisionRow[]> =>
  db<DecisionRow[]>`
    -- over all merchants: for the operator; one at the most for each order that is unresolved
    select ${decisions.columns} from order_decision where state in ('PROPOSED', 'CONFIRMED')`

async function findOpen(tx: Tx, order: OrderRow): Promise<DecisionRow | undefined> {
  const [row] = await tx<DecisionRow[]>`
    select ${decisions.columns} from order_decision
     where merchant_id = ${order.merchantId} and order_id = ${order.id} and state in ('PROPOSED', 'CONFIRMED')`
  return row
}

/** Ends decisions that are open, and writes down how. */
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
