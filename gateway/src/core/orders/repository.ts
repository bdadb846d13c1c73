import { columnsOf, type Db, inOneStatement, rowSet, type Tx } from '../../platform/db.ts'
import { type Fragment, names, sql } from '../../platform/sql.ts'
import { ofMerchants } from '../../platform/table.ts'
import { ofShard, type Shard } from '../shards/index.ts'
import { type OrderKey, type OrderRow, type OrderState, orders } from './order.ts'

/** What is written of a new order. What every one starts with is left to the columns' defaults. */
const NEW = orders.except('unknownAnswers', 'taken', 'leasedUntil', 'concludedAt')

/** Writes new orders. Those that their caller sends at once are leased to it from the first moment. */
export function insertOrders(tx: Tx, rows: readonly OrderRow[], leaseSeconds: number): void {
  if (rows.length === 0) return
  void tx`
    insert into rail_order (merchant_id, id, purpose, subject_id, reference, partner, routing_version, slot, amount, account, held, state, tries, created_at, due_at, leased_until)
    select merchant_id, id, purpose, subject_id, reference, partner, routing_version, slot, amount, account, held, state, tries, created_at, due_at,
           case when state = 'SENT' then now() + ${leaseSeconds} * interval '1 second' end
      from ${orders.set(rows, NEW)}`
}

/** How many of a merchant's orders wait for a person. */
export async function countUnresolved(db: Db, merchantId: bigint): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from rail_order where merchant_id = ${merchantId} and state = 'UNRESOLVED'`
  return row?.count ?? 0
}

/** What goes out for a merchant itself waits while that is suspended; what goes back to payers does not. */
const mayBeSent = (order: string): Fragment => sql`(
  ${names(order)}.purpose in ('refund', 'card-reversal', 'return')
  or exists (select from merchant m where m.id = ${names(order)}.merchant_id and m.standing = 'ACTIVE'))`

/** What a slot may still take on for a kind of work, where that is less than all others may. */
export interface SlotLimit {
  readonly state: OrderState
  readonly slot: string
  readonly free: number
}

export interface LeaseRequest {
  readonly at: Date
  readonly leaseSeconds: number
  readonly limit: number
  readonly sendsMax: number
  readonly questionsMax: number
  readonly limits: readonly SlotLimit[]
  /** What orders are taken for: those of a purpose that a later version added are left to its nodes. */
  readonly purposes: readonly string[]
}

/** An order that somebody has taken: to send it, or to ask about it. */
export interface LeasedOrder extends OrderRow {
  /** As it was before it was taken. */
  readonly was: OrderState
}

/**
 * Takes orders that are due, some of each slot and kind of work, so that those of one never keep another's waiting. Finds
 * the slots by skipping through the index from one to the next, without reading all that waits. What is to be sent counts
 * as sent from here on: whoever dies now has perhaps sent it, so it is asked about.
 */
export const leaseOrders = (db: Db, shard: Shard, request: LeaseRequest): Promise<LeasedOrder[]> =>
  inOneStatement(
    db,
    (tx) => tx<LeasedOrder[]>`
    with recursive slots as (
      (select state, slot from rail_order o where ${ofShard(shard, 'o')} and due_at is not null order by state, slot limit 1)
      union all
      select further.state, further.slot
        from slots
       cross join lateral (
         select state, slot from rail_order o
          where ${ofShard(shard, 'o')} and due_at is not null and (state, slot) > (slots.state, slots.slot)
          order by state, slot limit 1) further
    ), chosen as (
      select due.merchant_id, due.id, slots.state
        from (select state, slot from slots order by hashtextextended(slot, ${request.at.getTime()}::bigint)) slots -- in another order each time
        left join json_to_recordset(${rowSet(request.limits)}::text::json) as busy (state text, slot text, free integer)
          on busy.state = slots.state and busy.slot = slots.slot
       cross join lateral (
         select merchant_id, id from rail_order o
          where ${ofShard(shard, 'o')} and o.state = slots.state and o.slot = slots.slot and due_at <= ${request.at}
            and (leased_until is null or leased_until < now())
            and o.purpose = any(${request.purposes}::text[])
            and (slots.state <> 'WAITING' or ${mayBeSent('o')})
          order by due_at
          limit coalesce(busy.free, case when slots.state = 'WAITING' then ${request.sendsMax}::integer else ${request.questionsMax}::integer end)
            for no key update skip locked) due
       limit ${request.limit}
    )
    update rail_order o
       set state = case when o.state = 'WAITING' then 'SENT' else o.state end, taken = o.taken + 1,
           tries = case when o.state = 'WAITING' then o.tries + 1 else o.tries end,
           leased_until = now() + ${request.leaseSeconds} * interval '1 second'
      from chosen
     where ${ofShard(shard, 'o')} and o.merchant_id = chosen.merchant_id and o.id = chosen.id
    returning ${orders.of('o')}, chosen.state as was`,
  )

/** When the next order falls due, or fell due where somebody is at it: whoever moves the clock waits for that. */
export async function nextOrderDue(db: Db): Promise<Date | undefined> {
  const [row] = await db<{ due: Date | null }[]>`
    -- over all merchants: what is due
    select min(due_at) as due from rail_order where due_at is not null`
  return row?.due ?? undefined
}

const CHANGING = ['reference', 'partner', 'state', 'tries', 'unknownAnswers', 'dueAt', 'concludedAt'] as const

/** Writes down what came of orders, unless somebody else has taken one since: then that is the one to say. */
export function updateTaken(tx: Tx, rows: readonly OrderRow[], at: Date): void {
  const isOver = ({ state }: OrderRow): boolean => state === 'CONCLUDED'
  const open = rows.filter((row) => !isOver(row))
  concludeTaken(tx, open.length === 0 ? rows : rows.filter(isOver), at)
  postponeTaken(tx, open)
}

/** Most orders are concluded by their first answer: little of them changes. */
function concludeTaken(tx: Tx, rows: readonly OrderRow[], at: Date): void {
  if (rows.length === 0) return
  const { merchantId, id, taken, partner } = columnsOf(rows, 'merchantId', 'id', 'taken', 'partner')
  void tx`
    update rail_order o
       set partner = c.partner, state = 'CONCLUDED', due_at = null, concluded_at = coalesce(o.concluded_at, ${at}), leased_until = null
      from unnest(${merchantId}::bigint[], ${id}::bigint[], ${taken}::integer[], ${partner}::text[]) c (merchant_id, id, taken, partner)
     where ${ofMerchants('o', rows)} and o.merchant_id = c.merchant_id and o.id = c.id and o.taken = c.taken`
}

function postponeTaken(tx: Tx, rows: readonly OrderRow[]): void {
  if (rows.length === 0) return
  void tx`
    update rail_order o
       set reference = c.reference, partner = c.partner, state = c.state, tries = c.tries, unknown_answers = c.unknown_answers,
           due_at = c.due_at, concluded_at = c.concluded_at, leased_until = null
      from ${orders.set(rows, ['merchantId', 'id', 'taken', ...CHANGING])} c
     where ${ofMerchants('o', rows)} and o.merchant_id = c.merchant_id and o.id = c.id and o.taken = c.taken`
}

/**
 * Gives orders to another partner, before anything of them was sent, or where nothing was; answers those that nobody else
 * has taken meanwhile. Those that are under way are held on to for as long as it may take from here.
 */
export async function moveOrders(tx: Tx, rows: readonly OrderRow[], leaseSeconds: number): Promise<readonly bigint[]> {
  const moved = await tx<{ id: bigint }[]>`
    update rail_order o
       set partner = c.partner, routing_version = c.routing_version, slot = c.slot,
           leased_until = now() + case when c.state = 'SENT' then ${leaseSeconds}::float8 end * interval '1 second'
      from ${orders.set(rows, ['merchantId', 'id', 'taken', 'state', 'partner', 'routingVersion', 'slot'])} c
     where ${ofMerchants('o', rows)} and o.merchant_id = c.merchant_id and o.id = c.id and o.taken = c.taken and o.state = c.state
    returning o.id`
  return moved.map(({ id }) => id)
}

/** Orders that were never sent and wait for slots that rest, some of each. */
export const selectWaiting = (
  db: Db,
  shard: Shard,
  slots: readonly string[],
  at: Date,
  limit: number,
): Promise<OrderRow[]> =>
  db<OrderRow[]>`
    select ${orders.of('o')}
      from unnest(${slots}::text[]) as resting (slot)
     cross join lateral (
       select * from rail_order w
        where ${ofShard(shard, 'w')} and w.state = 'WAITING' and w.slot = resting.slot and w.due_at <= ${at} and w.tries = 0
        order by w.due_at limit ${limit}) o`

/** The order with this key. */
export const findOrder = (db: Db, key: OrderKey): Promise<OrderRow | undefined> => orders.find(db, key)

/** Lets orders that were held be sent. */
export function releaseOrders(tx: Tx, merchantId: bigint, ids: readonly bigint[], at: Date): void {
  void tx`
    update rail_order set state = 'WAITING', due_at = ${at}
     where merchant_id = ${merchantId} and id = any(${ids.map(String)}::bigint[]) and state = 'HELD'`
}

/** The same for an order that its caller sends at once; answers it as it is then. */
export async function releaseToCaller(
  tx: Tx,
  { merchantId, id }: OrderKey,
  askAt: Date,
  leaseSeconds: number,
): Promise<OrderRow | undefined> {
  const [row] = await tx<OrderRow[]>`
    update rail_order
       set state = 'SENT', tries = tries + 1, taken = taken + 1, due_at = ${askAt},
           leased_until = now() + ${leaseSeconds} * interval '1 second'
     where merchant_id = ${merchantId} and id = ${id} and state = 'HELD'
    returning ${orders.columns}`
  return row
}

/** Takes an order that was sent and is not concluded, from whoever has it; answers it as it is then. */
export async function takeForCaller(
  tx: Tx,
  { merchantId, id }: OrderKey,
  askAt: Date,
  leaseSeconds: number,
  condition: Fragment = sql``,
): Promise<OrderRow | undefined> {
  const [row] = await tx<OrderRow[]>`
    update rail_order
       set state = 'SENT', taken = taken + 1, due_at = ${askAt},
           leased_until = now() + ${leaseSeconds} * interval '1 second'
     where merchant_id = ${merchantId} and id = ${id} and state in ('SENT', 'UNRESOLVED') ${condition}
    returning ${orders.columns}`
  return row
}

/** Ends orders that were never sent. */
export function withdrawOrders(tx: Tx, keys: readonly OrderKey[], at: Date): void {
  if (keys.length === 0) return
  void tx`
    update rail_order o set state = 'CONCLUDED', due_at = null, concluded_at = ${at}
      from ${orders.set(keys, ['merchantId', 'id'])} c
     where ${ofMerchants('o', keys)} and o.merchant_id = c.merchant_id and o.id = c.id and o.state = 'HELD'`
}

const UNRESOLVED_SHOWN_MAX = 1_000

/** The orders for which a person is called, oldest first. */
export const selectUnresolved = (db: Db): Promise<OrderRow[]> =>
  db<OrderRow[]>`
    -- over all merchants: for the operator
    select ${orders.columns} from rail_order where state = 'UNRESOLVED' order by created_at limit ${UNRESOLVED_SHOWN_MAX}`

/** The order that a partner knows by this reference and that is not over; one for which a person is called first. */
export async function findOpenOrder(db: Db, reference: string): Promise<OrderRow | undefined> {
  const [row] = await db<OrderRow[]>`
    -- over all merchants: for the operator, and what is open is little
    (select ${orders.columns} from rail_order where state = 'UNRESOLVED' and reference = ${reference} limit 1)
    union all
    (select ${orders.columns} from rail_order where due_at is not null and reference = ${reference} limit 1)
    limit 1`
  return row
}

/** The order that a partner knows by this reference, however it stands. Looks through them all: for a person who can wait. */
export async function findAmongAll(db: Db, reference: string): Promise<OrderRow | undefined> {
  const [row] = await db<OrderRow[]>`
    -- over all merchants: for the operator
    select ${orders.columns} from rail_order where reference = ${reference} order by id desc limit 1`
  return row
}

/** The order with this reference for which a person is called, held until what is said of it is written down. */
export async function lockUnresolved(tx: Tx, reference: string): Promise<OrderRow | undefined> {
  const [found] = await tx<OrderKey[]>`
    -- over all merchants: for the operator
    select merchant_id, id from rail_order where state = 'UNRESOLVED' and reference = ${reference}`
  if (found === undefined) return undefined
  const [row] = await orders.lock(tx, [found])
  return row?.state === 'UNRESOLVED' && row.reference === reference ? row : undefined
}

/** How many orders are not over, by state; of those for which a person is called always, also where there are none. */
export async function countOrders(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db<{ state: OrderState; count: bigint }[]>`
    -- over all merchants: for the operator
    select state, count(*) from rail_order where due_at is not null group by state
    union all
    select 'UNRESOLVED', count(*) from rail_order where state = 'UNRESOLVED'`
  return new Map(rows.map(({ state, count }) => [state, Number(count)]))
}

/** When the oldest order was placed whose outcome nobody knows: of those that are asked about, and of those that call a person. */
export async function oldestUnknown(db: Db): Promise<ReadonlyMap<OrderState, Date | undefined>> {
  const [row] = await db<{ asked: Date | null; unresolved: Date | null }[]>`
    -- over all merchants: for the operator
    select (select min(created_at) from rail_order where due_at is not null and state = 'SENT' and unknown_answers > 0) as asked,
           (select min(created_at) from rail_order where state = 'UNRESOLVED') as unresolved`
  return new Map([
    ['SENT', row?.asked ?? undefined],
    ['UNRESOLVED', row?.unresolved ?? undefined],
  ])
}

/** Has an unresolved order asked about again, from the start of the schedule, and sent again where it is to be; answers it, if there is one. */
export async function askAgain(tx: Tx, reference: string, at: Date): Promise<OrderRow | undefined> {
  const order = await lockUnresolved(tx, reference)
  if (order === undefined) return undefined
  const { concludedAt, tries } = order
  const asked: OrderRow = {
    ...order,
    state: concludedAt === null ? 'SENT' : 'WATCHED',
    tries: tries + 1,
    unknownAnswers: 0,
    dueAt: at,
  }
  orders.update(tx, [asked], ['state', 'tries', 'unknownAnswers', 'dueAt'])
  return asked
}

/**
 * Has open orders asked about at once, and then by the schedule from its start; answers the references of those that are
 * open. Looks through what is open, which is little, rather than keep an index of references that every order would pay for.
 */
export async function askNow(
  tx: Tx,
  shard: Shard,
  references: readonly string[],
  at: Date,
): Promise<readonly string[]> {
  const open = await tx<OrderKey[]>`
    select merchant_id, id from rail_order o
     where ${ofShard(shard, 'o')}
       and (due_at is not null and state in ('SENT', 'WATCHED') or state = 'UNRESOLVED') and reference = any(${references}::text[])
     order by merchant_id, id for no key update`
  if (open.length === 0) return []
  // By itself: PostgreSQL does not find every row again that a worker has changed while a joined statement waited for another.
  const rows = await tx<{ reference: string }[]>`
    update rail_order o
       set state = case when o.state <> 'UNRESOLVED' then o.state when o.concluded_at is null then 'SENT' else 'WATCHED' end,
           tries = case when o.state = 'UNRESOLVED' then o.tries + 1 else o.tries end,
           unknown_answers = 0, due_at = least(o.due_at, ${at}::timestamptz)
      from ${orders.set(open, ['merchantId', 'id'])} l
     where ${ofMerchants('o', open)} and o.merchant_id = l.merchant_id and o.id = l.id
    returning o.reference`
  return rows.map(({ reference }) => reference)
}
