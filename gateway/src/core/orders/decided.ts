import { inOneStatement } from '../../platform/db.ts'
import type { Core } from '../core.ts'
import type { Sweep } from '../sweep.ts'
import { type UnitOfWork, unitOfWork } from '../unit-of-work.ts'
import { type DecisionRow, decisions, endDecisions } from './decision.ts'
import { type OrderPurpose, type OrderRow, orders } from './order.ts'
import { LEASE_SECONDS } from './place.ts'

/** An order with what people decided about it. */
export interface DecidedOrder {
  readonly order: OrderRow
  readonly decision: DecisionRow
}

/** Concludes orders of one purpose by what people decided. */
export type CarryOut = (decided: readonly DecidedOrder[]) => Promise<void>

/** Carries out what was decided about orders, through the lanes that partners' answers go through, and ends what is moot. */
export const decisionSweep = (
  core: Core,
  all: Readonly<Record<OrderPurpose, { readonly decided: CarryOut }>>,
): Sweep => ({
  name: 'carry out what was decided about orders',
  run: async (_, limit) => {
    const moot = await unitOfWork(core, (unit) => endMoot(unit, limit))
    const taken = await takeDecided(core, limit)
    for (const [purpose, group] of Map.groupBy(taken, ({ order }) => order.purpose)) await all[purpose].decided(group)
    return moot + taken.length
  },
})

/** Where the partner has said what became of the order, or it was sent again under another reference. */
async function endMoot(unit: UnitOfWork, limit: number): Promise<number> {
  // Over all merchants: what is due.
  const moot = await unit.tx<DecisionRow[]>`
    select ${decisions.of('d')} from order_decision d
      join rail_order o on o.merchant_id = d.merchant_id and o.id = d.order_id
     where d.state in ('PROPOSED', 'CONFIRMED') and (o.state = 'CONCLUDED' or o.reference <> d.reference)
     limit ${limit} for no key update of d skip locked`
  endDecisions(unit, moot, 'MOOT')
  return moot.length
}

/** Takes orders that were decided and that still nobody else could conclude: for as long as a lease, they are ours. */
async function takeDecided({ db }: Core, limit: number): Promise<readonly DecidedOrder[]> {
  // Over all merchants: what is due.
  const taken = await inOneStatement(
    db,
    (tx) => tx<(OrderRow & { readonly decisionId: bigint })[]>`
    with chosen as (
      select o.merchant_id, o.id, d.id as decision_id from order_decision d
        join rail_order o on o.merchant_id = d.merchant_id and o.id = d.order_id
       where d.state = 'CONFIRMED' and o.state = 'UNRESOLVED' and o.reference = d.reference
         and (o.leased_until is null or o.leased_until < now())
       limit ${limit} for no key update of o skip locked
    )
    update rail_order o set taken = o.taken + 1, leased_until = now() + ${LEASE_SECONDS} * interval '1 second'
      from chosen c
     where o.merchant_id = c.merchant_id and o.id = c.id
    returning ${orders.of('o')}, c.decision_id`,
  )
  const keys = taken.map(({ merchantId, decisionId: id }) => ({ merchantId, id }))
  const rows = new Map((await decisions.select(db, keys)).map((row) => [row.id, row]))
  return taken.flatMap(({ decisionId, ...order }) => {
    const decision = rows.get(decisionId)
    // A person sends it again after this, where it is to be sent again: the count of tries begins anew.
    return decision === undefined ? [] : { order: { ...order, tries: order.tries + 1 }, decision }
  })
}

/**
 * Ends decisions in the transaction that concludes their orders. Where somebody has taken an order from us meanwhile, that
 * one is to say what became of it, and all is undone.
 */
export async function endCarriedOut(unit: UnitOfWork, decided: readonly DecidedOrder[]): Promise<void> {
  if (decided.length === 0) return
  const present = await orders.lock(
    unit.tx,
    decided.map(({ order }) => order),
  )
  const taken = new Map(present.map((order) => [order.id, order.taken]))
  for (const { order } of decided)
    if (taken.get(order.id) !== order.taken) throw new Error(`The order ${order.reference} was taken by somebody else`)
  endDecisions(
    unit,
    decided.map(({ decision }) => decision),
    'CARRIED_OUT',
  )
}
