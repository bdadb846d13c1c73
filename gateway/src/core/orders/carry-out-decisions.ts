import { isBusy } from '../../platform/lanes/lane.ts'
import type { Log } from '../../platform/observability/log.ts'
import { inOneQuery, isRolledBack } from '../../platform/postgres/db.ts'
import type { Core } from '../core.ts'
import { ofShard, type Shard } from '../shards/index.ts'
import type { Sweep } from '../sweep.ts'
import { type UnitOfWork, unitOfWork } from '../unit-of-work.ts'
import { DECISION_FAILURES_MAX, type DecisionRow, decisions, endDecisions, noteFailure } from './decisions.ts'
import { type OrderPurpose, type OrderRow, orders } from './order.ts'
import { LEASE_SECONDS } from './place.ts'
import { ATTEMPTS_MAX } from './schedule.ts'

/** An order and the decision about it. */
export interface DecidedOrder {
  readonly order: OrderRow
  readonly decision: DecisionRow
}

/** Applies a person's decision to an order. */
export type CarryOut = (decided: DecidedOrder) => Promise<void>

/** Applies decisions about orders in the same way as partner responses, and closes decisions that no longer matter. */
export const decisionSweep = (
  core: Core,
  log: Log,
  all: Readonly<Record<OrderPurpose, { readonly decided: CarryOut }>>,
): Sweep => ({
  name: 'carry out decisions about orders',
  runShard: async (shard, _, limit) => {
    const moot = await unitOfWork(core, (unit) => endMoot(unit, shard, limit))
    const taken = await leaseDecided(core, shard, Object.keys(all), limit)
    const outcomes = await Promise.allSettled(taken.map((one) => all[one.order.purpose].decided(one)))
    // A failure does not delay other orders. The failed order is leased again when its lease ends.
    for (const [index, outcome] of outcomes.entries())
      if (outcome.status === 'rejected') await handleFailure(core, log, taken[index] as DecidedOrder, outcome.reason)
    return moot + taken.length
  },
})

/** Stores why a decision could not be applied. After the last attempt, the log calls for manual review. */
async function handleFailure(core: Core, log: Log, { decision }: DecidedOrder, error: unknown): Promise<void> {
  if (isBusy(error)) return
  if (!isRolledBack(error)) throw error
  const { message } = error as Error
  const failures = await unitOfWork(core, ({ tx }) => noteFailure(tx, decision, message))
  const facts = { error, reference: decision.reference, verdict: decision.verdict, failures }
  if (failures < DECISION_FAILURES_MAX) log.warn(facts, 'order decision not carried out; it will be retried')
  else log.error(facts, 'order decision cannot be carried out; replace it, or query the partner again')
}

/** Closes decisions that no longer matter: the partner responded, or the order was resent under another reference. */
async function endMoot(unit: UnitOfWork, shard: Shard, limit: number): Promise<number> {
  const moot = await unit.tx<DecisionRow[]>`
    select ${decisions.of('d')} from order_decision d
      join rail_order o on o.merchant_id = d.merchant_id and o.id = d.order_id
     where ${ofShard(shard, 'd')} and ${ofShard(shard, 'o')}
       and d.state in ('PROPOSED', 'CONFIRMED') and (o.state = 'CONCLUDED' or o.reference <> d.reference)
     limit ${limit} for no key update of d skip locked`
  endDecisions(unit, moot, 'MOOT')
  return moot.length
}

/** Leases decided orders whose outcome is still unknown. */
async function leaseDecided(
  { db }: Core,
  shard: Shard,
  purposes: readonly string[],
  limit: number,
): Promise<readonly DecidedOrder[]> {
  const taken = await inOneQuery(
    db,
    (tx) => tx<(OrderRow & { readonly decisionId: bigint })[]>`
    with chosen as (
      select o.merchant_id, o.id, d.id as decision_id from order_decision d
        join rail_order o on o.merchant_id = d.merchant_id and o.id = d.order_id
       where ${ofShard(shard, 'd')} and ${ofShard(shard, 'o')}
         and d.state = 'CONFIRMED' and d.failures < ${DECISION_FAILURES_MAX} and o.state in ('SENT', 'UNRESOLVED') and o.reference = d.reference
         and (o.leased_until is null or o.leased_until < now()) and o.purpose = any(${purposes}::text[])
       limit ${limit} for no key update of o skip locked
    )
    update rail_order o set taken = o.taken + 1, leased_until = now() + ${LEASE_SECONDS} * interval '1 second'
      from chosen c
     where ${ofShard(shard, 'o')} and o.merchant_id = c.merchant_id and o.id = c.id
    returning ${orders.of('o')}, c.decision_id`,
  )
  const keys = taken.map(({ merchantId, decisionId: id }) => ({ merchantId, id }))
  const rows = new Map((await decisions.select(db, keys)).map((row) => [row.id, row]))
  return taken.flatMap(({ decisionId, ...order }) => {
    const decision = rows.get(decisionId)
    return decision === undefined ? [] : { order: allowResend(order), decision }
  })
}

/** Starts a new series of attempts if the order has used up its attempts, because a decision may resend it. */
const allowResend = (order: OrderRow): OrderRow =>
  order.tries % ATTEMPTS_MAX === 0 ? { ...order, tries: order.tries + 1 } : order
