import { inOneStatement } from '../../platform/db.ts'
import type { Core } from '../core.ts'
import { ofShard, type Shard } from '../shards/index.ts'
import type { Sweep } from '../sweep.ts'
import { type UnitOfWork, unitOfWork } from '../unit-of-work.ts'
import { type DecisionRow, decisions, endDecisions } from './decision.ts'
import { type OrderPurpose, type OrderRow, orders } from './order.ts'
import { LEASE_SECONDS } from './place.ts'
import { TRIES_MAX } from './schedule.ts'

/** An order with what people decided about it. */
export interface DecidedOrder {
  readonly order: OrderRow
  readonly decision: DecisionRow
}

/** Concludes an order by what people decided. */
export type CarryOut = (decided: DecidedOrder) => Promise<void>

/** Carries out what was decided about orders, by what concludes partners' answers, and ends what is moot. */
export const decisionSweep = (
  core: Core,
  all: Readonly<Record<OrderPurpose, { readonly decided: CarryOut }>>,
): Sweep => ({
  name: 'carry out what was decided about orders',
  run: (_, limit) =>
    core.shards.each(async (shard) => {
      const moot = await unitOfWork(core, (unit) => endMoot(unit, shard, limit))
      const taken = await takeDecided(core, shard, Object.keys(all), limit)
      const outcomes = await Promise.allSettled(taken.map((one) => all[one.order.purpose].decided(one)))
      // One that failed keeps nobody from the others, and is taken again after its lease.
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
      return moot + taken.length
    }),
})

/** Where the partner has said what became of the order, or it was sent again under another reference. */
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

/** Takes orders that were decided and that still nobody else could conclude: for as long as a lease, they are ours. */
async function takeDecided(
  { db }: Core,
  shard: Shard,
  purposes: readonly string[],
  limit: number,
): Promise<readonly DecidedOrder[]> {
  const taken = await inOneStatement(
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

/** An order that was sent as often as it may by itself may be sent by people's decision: the count begins anew. */
const mayBeSentAgain = (order: OrderRow): OrderRow =>
  order.tries % TRIES_MAX === 0 ? { ...order, tries: order.tries + 1 } : order

/**
 * Ends a decision in the transaction that concludes its order. Where somebody has taken the order from us meanwhile, that
 * one is to say what became of it, and all is undone.
 */
export async function endCarriedOut(unit: UnitOfWork, { order, decision }: DecidedOrder): Promise<void> {
  const [present] = await orders.lock(unit.tx, [order])
  if (present?.taken !== order.taken) throw new Error(`The order ${order.reference} was taken by somebody else`)
  endDecisions(unit, [decision], 'CARRIED_OUT')
}
