import { monotonic } from '../../kernel/clock.ts'
import type { Kobo } from '../../kernel/money.ts'
import { columnsOf, type Db, inOneQuery, rowSet, type Tx } from '../../platform/postgres/db.ts'
import { type Fragment, names, sql } from '../../platform/postgres/sql.ts'
import { ofMerchants } from '../../platform/postgres/table.ts'
import { ofShard, type Shard } from '../shards/index.ts'
import { type OrderKey, type OrderPurpose, type OrderRow, type OrderState, orders } from './order.ts'

/** The columns of a new order; the others have defaults. */
const NEW = orders.except('unknownAnswers', 'taken', 'leasedUntil', 'concludedAt')

/** Inserts orders. Orders that the caller sends at once are leased to the caller. */
export function insertOrders(tx: Tx, rows: readonly OrderRow[], leaseSeconds: number): void {
  if (rows.length === 0) return
  void tx`
    insert into rail_order (merchant_id, id, purpose, subject_id, reference, partner, routing_version, slot, amount, account, held, state, tries, created_at, due_at, leased_until)
    select merchant_id, id, purpose, subject_id, reference, partner, routing_version, slot, amount, account, held, state, tries, created_at, due_at,
           case when state = 'SENT' then now() + ${leaseSeconds} * interval '1 second' end
      from ${orders.from(rows, NEW)}`
}

/** Counts a merchant's orders that need manual review; only those of one purpose, if given. */
export async function countUnresolved(db: Db | Tx, merchantId: bigint, purpose?: OrderPurpose): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from rail_order
     where merchant_id = ${merchantId} and state = 'UNRESOLVED' ${purpose === undefined ? sql`` : sql`and purpose = ${purpose}`}`
  return row?.count ?? 0
}

/**
 * Whether an order may be sent. A suspended merchant's own payouts wait; refunds to payers do not. A closed
 * merchant had no open order when it was closed, so later orders are payouts by operators and may be sent.
 */
const mayBeSent = (order: string): Fragment => sql`(
  ${names(order)}.purpose in ('refund', 'card-reversal', 'return')
  or exists (select from merchant m where m.id = ${names(order)}.merchant_id and m.standing <> 'SUSPENDED'))`

/**
 * Returns the reference of a merchant's pending order, if there is one. A partner may know a pending order, and its
 * outcome is not final.
 */
export async function findPendingOrder(tx: Tx, merchantId: bigint): Promise<string | undefined> {
  const [row] = await tx<{ reference: string }[]>`
    select reference from rail_order where merchant_id = ${merchantId} and state not in ('HELD', 'CONCLUDED') limit 1`
  return row?.reference
}

/** A slot's remaining capacity for one kind of work. */
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
  readonly queriesMax: number
  readonly limits: readonly SlotLimit[]
  /** The purposes that this version knows. Orders with newer purposes are left to newer nodes. */
  readonly purposes: readonly string[]
}

/** A leased order: to be sent, or to be queried. */
export interface LeasedOrder extends OrderRow {
  /** The state before the lease. */
  readonly was: OrderState
}

/**
 * Leases due orders, some of each slot and kind of work, so that no slot delays another. It skips through the index
 * from slot to slot without reading all waiting rows. From now on an order to be sent counts as sent: if
 * this process sends it and dies, the order is queried and not sent twice.
 */
export async function leaseOrders(db: Db, shard: Shard, request: LeaseRequest): Promise<LeasedOrder[]> {
  const leaseBegan = monotonic()
  const leased = await inOneQuery(
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
        from (select state, slot from slots order by hashtextextended(slot, ${request.at.getTime()}::bigint)) slots -- in a different sequence each time
        left join json_to_recordset(${rowSet(request.limits)}::text::json) as busy (state text, slot text, free integer)
          on busy.state = slots.state and busy.slot = slots.slot
       cross join lateral (
         select merchant_id, id from rail_order o
          where ${ofShard(shard, 'o')} and o.state = slots.state and o.slot = slots.slot and due_at <= ${request.at}
            and (leased_until is null or leased_until < now())
            and o.purpose = any(${request.purposes}::text[])
            and (slots.state <> 'WAITING' or ${mayBeSent('o')})
          order by due_at
          limit coalesce(busy.free, case when slots.state = 'WAITING' then ${request.sendsMax}::integer else ${request.queriesMax}::integer end)
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
  return leased.map((order) => ({ ...order, leaseBegan }))
}

/** Returns when the next order is due, including leased orders. An advancing sandbox clock stops there. */
export async function nextOrderDue(db: Db): Promise<Date | undefined> {
  const [row] = await db<{ due: Date | null }[]>`
    -- over all merchants: the earliest due time
    select min(due_at) as due from rail_order where due_at is not null`
  return row?.due ?? undefined
}

const CHANGING = ['reference', 'partner', 'state', 'tries', 'unknownAnswers', 'dueAt', 'concludedAt'] as const

/** Stores the state of leased orders. Fails in the database if another process has leased one of them since. */
export function updateLeased(tx: Tx, rows: readonly OrderRow[], at: Date): void {
  const isOver = ({ state }: OrderRow): boolean => state === 'CONCLUDED'
  const open = rows.filter((row) => !isOver(row))
  concludeLeased(tx, open.length === 0 ? rows : rows.filter(isOver), at)
  postponeLeased(tx, open)
}

/** Concludes orders. Most are concluded by their first response, which changes few columns. */
function concludeLeased(tx: Tx, rows: readonly OrderRow[], at: Date): void {
  if (rows.length === 0) return
  const { merchantId, id, taken, partner } = columnsOf(rows, 'merchantId', 'id', 'taken', 'partner')
  rejectLost(
    tx,
    rows,
    sql`
    update rail_order o
       set partner = c.partner, state = 'CONCLUDED', due_at = null, concluded_at = coalesce(o.concluded_at, ${at}), leased_until = null
      from unnest(${merchantId}::bigint[], ${id}::bigint[], ${taken}::integer[], ${partner}::text[]) c (merchant_id, id, taken, partner)
     where ${ofMerchants('o', rows)} and o.merchant_id = c.merchant_id and o.id = c.id and o.taken = c.taken`,
  )
}

function postponeLeased(tx: Tx, rows: readonly OrderRow[]): void {
  if (rows.length === 0) return
  rejectLost(
    tx,
    rows,
    sql`
    update rail_order o
       set reference = c.reference, partner = c.partner, state = c.state, tries = c.tries, unknown_answers = c.unknown_answers,
           due_at = c.due_at, concluded_at = c.concluded_at, leased_until = null
      from ${orders.set(rows, ['merchantId', 'id', 'taken', ...CHANGING])} c
     where ${ofMerchants('o', rows)} and o.merchant_id = c.merchant_id and o.id = c.id and o.taken = c.taken`,
  )
}

/**
 * Fails the transaction in the database unless every order was updated, so that no outcome is stored under a lost
 * lease.
 */
const rejectLost = (tx: Tx, rows: readonly OrderRow[], update: Fragment): void =>
  void tx`with changed as (${update} returning 1) select refuse_outdated(count(*), ${rows.length}) from changed`

/** Stores new partners of unsent orders; returns the orders that are still ours. Leased orders get a new lease. */
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

/** Reads unsent orders that wait for paused slots, some of each slot. */
export const selectWaiting = (
  db: Db,
  shard: Shard,
  slots: readonly string[],
  at: Date,
  limit: number,
): Promise<OrderRow[]> =>
  db<OrderRow[]>`
    select ${orders.of('o')}
      from unnest(${slots}::text[]) as paused (slot)
     cross join lateral (
       select * from rail_order w
        where ${ofShard(shard, 'w')} and w.state = 'WAITING' and w.slot = paused.slot and w.due_at <= ${at} and w.tries = 0
        order by w.due_at limit ${limit}) o`

export const findOrder = (db: Db, key: OrderKey): Promise<OrderRow | undefined> => orders.find(db, key)

export function releaseOrders(tx: Tx, merchantId: bigint, ids: readonly bigint[], at: Date): void {
  void tx`
    update rail_order set state = 'WAITING', due_at = ${at}
     where merchant_id = ${merchantId} and id = any(${ids.map(String)}::bigint[]) and state = 'HELD'`
}

export async function releaseToCaller(
  tx: Tx,
  { merchantId, id }: OrderKey,
  queryAt: Date,
  leaseSeconds: number,
): Promise<OrderRow | undefined> {
  const [row] = await tx<OrderRow[]>`
    update rail_order
       set state = 'SENT', tries = tries + 1, taken = taken + 1, due_at = ${queryAt},
           leased_until = now() + ${leaseSeconds} * interval '1 second'
     where merchant_id = ${merchantId} and id = ${id} and state = 'HELD'
    returning ${orders.columns}`
  return row
}

/** Leases a sent or unresolved order, even if another process holds its lease, and returns it. */
export async function leaseForCaller(
  tx: Tx,
  { merchantId, id }: OrderKey,
  queryAt: Date,
  leaseSeconds: number,
  condition: Fragment = sql``,
): Promise<OrderRow | undefined> {
  const [row] = await tx<OrderRow[]>`
    update rail_order
       set state = 'SENT', taken = taken + 1, due_at = ${queryAt},
           leased_until = now() + ${leaseSeconds} * interval '1 second'
     where merchant_id = ${merchantId} and id = ${id} and state in ('SENT', 'UNRESOLVED') ${condition}
    returning ${orders.columns}`
  return row
}

/** Closes orders that were never sent. */
export function withdrawOrders(tx: Tx, keys: readonly OrderKey[], at: Date): void {
  if (keys.length === 0) return
  void tx`
    update rail_order o set state = 'CONCLUDED', due_at = null, concluded_at = ${at}
      from ${orders.set(keys, ['merchantId', 'id'])} c
     where ${ofMerchants('o', keys)} and o.merchant_id = c.merchant_id and o.id = c.id and o.state = 'HELD'`
}

const UNRESOLVED_SHOWN_MAX = 1_000

/**
 * Reads the orders that people may decide, oldest first: unresolved orders, and orders that were placed before a time
 * and are still queried.
 */
export const selectUnresolved = (db: Db, placedBefore: Date): Promise<OrderRow[]> =>
  db<OrderRow[]>`
    -- over all merchants: for the operator
    select ${orders.columns} from rail_order where state = 'UNRESOLVED'
    union all
    select ${orders.columns} from rail_order
     where due_at is not null and state = 'SENT' and unknown_answers > 0 and created_at <= ${placedBefore}
     order by created_at limit ${UNRESOLVED_SHOWN_MAX}`

/** Reads the orders of these amounts without an outcome, oldest first. Their money may have left already. */
export const selectWithoutOutcome = async (db: Db, amounts: readonly Kobo[]): Promise<OrderRow[]> =>
  amounts.length === 0
    ? []
    : db<OrderRow[]>`
    -- over all merchants: for the operator; open orders are few
    select ${orders.columns} from rail_order where state = 'UNRESOLVED' and amount = any(${amounts.map(String)}::bigint[])
    union all
    select ${orders.columns} from rail_order
     where due_at is not null and state = 'SENT' and amount = any(${amounts.map(String)}::bigint[])
     order by created_at limit ${UNRESOLVED_SHOWN_MAX}`

/** Selects the orders of these amounts that have arrived and may come back. */
export const selectWatched = async (db: Db, amounts: readonly Kobo[]): Promise<OrderRow[]> =>
  amounts.length === 0
    ? []
    : db<OrderRow[]>`
    -- over all merchants: for the operator; only orders that are still queried
    select ${orders.columns} from rail_order
     where due_at is not null and state = 'WATCHED' and amount = any(${amounts.map(String)}::bigint[])
     order by created_at limit ${UNRESOLVED_SHOWN_MAX}`

/** Finds the open order with this reference. If there are several, an unresolved one is returned. */
export async function findOpenOrder(db: Db, reference: string): Promise<OrderRow | undefined> {
  const [row] = await db<OrderRow[]>`
    -- over all merchants: for the operator; open orders are few
    (select ${orders.columns} from rail_order where state = 'UNRESOLVED' and reference = ${reference} limit 1)
    union all
    (select ${orders.columns} from rail_order where due_at is not null and reference = ${reference} limit 1)
    limit 1`
  return row
}

/** Finds the order with this reference in any state. The query reads all orders, so only operators may use it. */
export async function findAmongAll(db: Db, reference: string): Promise<OrderRow | undefined> {
  const [row] = await db<OrderRow[]>`
    -- over all merchants: for the operator
    select ${orders.columns} from rail_order where reference = ${reference} order by id desc limit 1`
  return row
}

/** Locks the order with this reference that is unresolved or in the given state, until the transaction ends. */
export async function lockUnresolvedOr(
  tx: Tx,
  state: 'SENT' | 'WATCHED',
  reference: string,
): Promise<OrderRow | undefined> {
  const [found] = await tx<OrderKey[]>`
    -- over all merchants: for the operator; open orders are few
    select merchant_id, id from rail_order where state = 'UNRESOLVED' and reference = ${reference}
    union all
    select merchant_id, id from rail_order where due_at is not null and state = ${state} and reference = ${reference}`
  if (found === undefined) return undefined
  const [row] = await orders.lock(tx, [found])
  if (row?.reference !== reference) return undefined
  return row.state === 'UNRESOLVED' || row.state === state ? row : undefined
}

/** Counts the open orders by state; UNRESOLVED is always present. */
export async function countOrders(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db<{ state: OrderState; count: bigint }[]>`
    -- over all merchants: for the operator
    select state, count(*) from rail_order where due_at is not null group by state
    union all
    select 'UNRESOLVED', count(*) from rail_order where state = 'UNRESOLVED'`
  return new Map(rows.map(({ state, count }) => [state, Number(count)]))
}

/** Returns when the oldest order with an unknown outcome was placed: of the queried and of the unresolved orders. */
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

/**
 * Makes a query due now for an unresolved or watched order, restarts its schedule and returns it. A SENT order is not
 * queried: if the partner has not received it yet, it would report "not found", and Kobo would send the order twice.
 */
export async function queryAgain(tx: Tx, reference: string, at: Date): Promise<OrderRow | undefined> {
  const order = await lockUnresolvedOr(tx, 'WATCHED', reference)
  if (order === undefined) return undefined
  const { concludedAt, state, tries } = order
  const queried: OrderRow = {
    ...order,
    state: concludedAt === null ? 'SENT' : 'WATCHED',
    tries: state === 'UNRESOLVED' ? tries + 1 : tries,
    unknownAnswers: 0,
    dueAt: at,
  }
  orders.update(tx, [queried], ['state', 'tries', 'unknownAnswers', 'dueAt'])
  return queried
}

/**
 * Queries open orders now and restarts their schedules; returns the references that are open. It scans the few open
 * orders, because an index on references would slow down every order.
 */
export async function queryNow(
  tx: Tx,
  shard: Shard,
  references: readonly string[],
  at: Date,
  /** Whether an order may be queried because of a notification. */
  matchesNotification: (order: Pick<OrderRow, 'reference' | 'partner'>) => boolean = () => true,
): Promise<readonly string[]> {
  const found = await tx<Pick<OrderRow, 'merchantId' | 'id' | 'reference' | 'partner'>[]>`
    select merchant_id, id, reference, partner from rail_order o
     where ${ofShard(shard, 'o')}
       and (due_at is not null and state in ('SENT', 'WATCHED') or state = 'UNRESOLVED') and reference = any(${references}::text[])
     order by merchant_id, id for no key update`
  const open = found.filter(matchesNotification)
  if (open.length === 0) return []
  // The update is a separate query. If it waited for a lock in a join, PostgreSQL could miss rows that a worker has
  // just changed.
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
