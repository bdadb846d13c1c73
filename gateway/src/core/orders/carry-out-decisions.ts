import { inOneQuery } from '../../platform/postgres/db.ts'
import type { Core } from '../core.ts'
import { ofShard, type Shard } from '../shards/index.ts'
import type { Sweep } from '../sweep.ts'
import { type UnitOfWork, unitOfWork } from '../unit-of-work.ts'
import { type DecisionRow, decisions, endDecisions } from './decisions.ts'
import { type OrderPurpose, type OrderRow, orders } from './order.ts'
import { LEASE_SECONDS } from './place.ts'
import { ATTEMPTS_MAX } from './schedule.ts'

/** An order and the decision about it. */
export interface DecidedOrder {
  readonly order: OrderRow
  readonly decision: DecisionRow
}

/** Concludes an order by a decision. */
export type CarryOut = (decided: DecidedOrder) => Promise<void>

/**
 * Applies decisions about orders the way partner responses are concluded, and closes decisions that no longer matter.
 */
export const decisionSweep = (
  core: Core,
  all: Readonly<Record<OrderPurpose, { readonly decided: CarryOut }>>,
): Sweep => ({
  name: 'carry out what was decided about orders',
  runShard: async (shard, _, limit) => {
    const moot = await unitOfWork(core, (unit) => endMoot(unit, shard, limit))
    const taken = await leaseDecided(core, shard, Object.keys(all), limit)
    const outcomes = await Promise.allSettled(taken.map((one) => all[one.order.purpose].decided(one)))
    // A failure does not hold up the others; that order is taken again after its lease.
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    return moot + taken.length
  },
})

/** A decision no longer matters if the partner has answered or the order was resent under another reference. */
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

/** Leases decided orders that are still unresolved. */
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
         and d.state = 'CONFIRMED' and o.state = 'UNRESOLVED' and o.reference = d.reference
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
    return decision === undefined ? [] : { order: mayBeSentAgain(order), decision }
  })
}

/** A decision may send an order that has used up its attempts: the count starts over. */
const mayBeSentAgain = (order: OrderRow): OrderRow =>
  order.tries % ATTEMPTS_MAX === 0 ? { ...order, tries: order.tries + 1 } : order

/**
 * Closes a decision in the transaction that concludes its order. If another process has taken the order, everything is
 * rolled back.
 */
export async function endCarriedOut(unit: UnitOfWork, { order, decision }: DecidedOrder): Promise<void> {
  const [present] = await orders.lock(unit.tx, [order])
  if (present?.taken !== order.taken) throw new Error(`The order ${order.reference} was claimed by another process`)
  endDecisions(unit, [decision], 'CARRIED_OUT')
}
