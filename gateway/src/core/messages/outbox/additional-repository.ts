import { secondsAfter } from '../../../kernel/clock.ts'
import { columnsOf, type Db, rowSet, type Tx } from '../../../platform/postgres/db.ts'
import { deleteBatch } from '../../../platform/postgres/delete-in-batches.ts'
import { type Fragment, names, sql } from '../../../platform/postgres/sql.ts'
import { column, merchantsOf, ofMerchants, type Row, table } from '../../../platform/postgres/table.ts'
import type { LeasedEvent } from '../../event-sender.ts'
import { ofShard, type Shard } from '../../shards/index.ts'
import type { DeliveryQueue, QueueKey } from './queue.ts'
import { queueOf } from './queue-tables.ts'
import type { AttemptedEvent, EndpointTally, LeaseRequest, NewEvent, StoredStatus } from './repository.ts'

/** Deliveries of events to additional endpoints. The columns have the same meaning as in `events`. */
export const deliveries = table('additional_delivery', ['merchantId', 'endpointId', 'eventId'], {
  merchantId: column<bigint>(),
  endpointId: column<bigint>(),
  eventId: column<bigint>(),
  status: column<StoredStatus>(),
  attempts: column<number>(),
  resent: column<boolean>(),
  nextAttemptAt: column<Date | null>(),
  leasedUntil: column<Date | null>(),
})
export type StoredDelivery = Row<typeof deliveries>

/** Queues events for the additional endpoints that receive their types. */
export function insertDeliveries(tx: Tx, at: Date, rows: readonly NewEvent[]): void {
  const { merchantId, id, eventType } = columnsOf(rows, 'merchantId', 'id', 'eventType')
  void tx`
    insert into additional_delivery (merchant_id, endpoint_id, event_id, status, next_attempt_at)
    select e.merchant_id, e.id, new.id, 'PENDING', ${at}
      from unnest(${merchantId}::bigint[], ${id}::bigint[], ${eventType}::text[]) as new (merchant_id, id, event_type)
      join additional_endpoint e on ${ofMerchants('e', rows)} and e.merchant_id = new.merchant_id
     where e.removed_at is null and (e.event_types is null or new.event_type = any(e.event_types))`
}

/** Finds the merchants and endpoints with queued deliveries, by skipping through the index. */
const queuedEndpoints = (shard: Shard): Fragment => sql`
    waiting as (
      (select merchant_id, endpoint_id from additional_delivery d
        where ${ofShard(shard, 'd')} and status = 'PENDING' order by merchant_id, endpoint_id limit 1)
      union all
      select further.merchant_id, further.endpoint_id
        from waiting
       cross join lateral (
         select merchant_id, endpoint_id from additional_delivery d
          where ${ofShard(shard, 'd')} and status = 'PENDING' and (merchant_id, endpoint_id) > (waiting.merchant_id, waiting.endpoint_id)
          order by merchant_id, endpoint_id limit 1) further
    )`

/** Joins the endpoint of queued deliveries. A removed endpoint is left out, so it has no URL and no pause. */
const endpointOfQueued = (shard: Shard): Fragment => sql`
    additional_endpoint e on ${ofShard(shard, 'e')} and e.merchant_id = waiting.merchant_id and e.id = waiting.endpoint_id
      and e.removed_at is null`

const lease = (
  db: Db,
  shard: Shard,
  { at, leaseSeconds, perEndpointMax, limit, rooms }: LeaseRequest,
): Promise<LeasedEvent[]> =>
  db<LeasedEvent[]>`
    with recursive ${queuedEndpoints(shard)}, chosen as (
      select due.merchant_id, due.endpoint_id, due.event_id, e.url
        from (select merchant_id, endpoint_id from waiting order by hashint8extended(endpoint_id, ${at.getTime()}::bigint)) waiting -- in a different sequence each time
        left join ${endpointOfQueued(shard)}
        left join json_to_recordset(${rowSet(rooms)}::text::json) as busy (merchant_id bigint, kind text, room integer)
          on busy.merchant_id = waiting.merchant_id and busy.kind = waiting.endpoint_id::text
       cross join lateral (
         select merchant_id, endpoint_id, event_id from additional_delivery d
          where ${ofShard(shard, 'd')} and d.merchant_id = waiting.merchant_id and d.endpoint_id = waiting.endpoint_id and status = 'PENDING'
            and next_attempt_at <= ${at} and (leased_until is null or leased_until < now())
          order by next_attempt_at limit coalesce(busy.room, ${perEndpointMax})
            for update skip locked) due
       where e.paused_at is null
       limit ${limit}
    )
    update additional_delivery d
       set leased_until = date_trunc('milliseconds', now()) + ${leaseSeconds} * interval '1 second' -- compared later, in milliseconds
      from chosen
      join event on ${ofShard(shard, 'event')} and event.merchant_id = chosen.merchant_id and event.id = chosen.event_id
     where ${ofShard(shard, 'd')} and d.merchant_id = chosen.merchant_id and d.endpoint_id = chosen.endpoint_id and d.event_id = chosen.event_id
    returning d.merchant_id, d.event_id as id, d.endpoint_id::text as kind, event.body, d.attempts, d.resent, d.leased_until,
              d.endpoint_id::text as endpoint_kind, chosen.url`

async function nextDue(db: Db): Promise<Date | undefined> {
  const [row] = await db<{ due: Date | null }[]>`
    -- over all merchants: due work
    select min(d.next_attempt_at) as due
      from additional_delivery d
      left join additional_endpoint e on e.merchant_id = d.merchant_id and e.id = d.endpoint_id and e.removed_at is null
     where d.status = 'PENDING' and e.paused_at is null`
  return row?.due ?? undefined
}

const ATTEMPTED = ['merchantId', 'kind', 'id', 'status', 'attempts', 'nextAttemptAt', 'leasedUntil'] as const

function updateAttempted(tx: Tx, rows: readonly AttemptedEvent[]): void {
  const { merchantId, kind, id, status, attempts, nextAttemptAt, leasedUntil } = columnsOf(rows, ...ATTEMPTED)
  void tx`
    update additional_delivery d
       set status = attempted.status, attempts = attempted.attempts, next_attempt_at = attempted.next_attempt_at, leased_until = null
      from unnest(${merchantId}::bigint[], ${kind}::bigint[], ${id}::bigint[], ${status}::text[], ${attempts}::smallint[], ${nextAttemptAt}::timestamptz[], ${leasedUntil}::timestamptz[])
        as attempted (merchant_id, endpoint_id, event_id, status, attempts, next_attempt_at, leased_until)
     where ${ofMerchants('d', rows)}
       and d.merchant_id = attempted.merchant_id and d.endpoint_id = attempted.endpoint_id and d.event_id = attempted.event_id
       and d.leased_until = attempted.leased_until`
}

/** The last delivery to an endpoint is recorded at most this often. */
const DELIVERED_SECONDS = 60

const tally = (tx: Tx, at: Date, tallies: readonly EndpointTally[], givenUpMax: number): Promise<QueueKey[]> =>
  tx<QueueKey[]>`
    with counted as materialized (
      select e.merchant_id, e.id, t.pause, t.delivered, e.paused_at is not null as was_paused, case when t.delivered then 0 else e.given_up_in_a_row end + t.gave_up as given_up
        from json_to_recordset(${rowSet(tallies)}::text::json) as t (merchant_id bigint, kind bigint, delivered boolean, gave_up integer, pause boolean)
        join additional_endpoint e on e.merchant_id = t.merchant_id and e.id = t.kind
       where ${ofMerchants('e', tallies)}
         and (t.pause or t.gave_up > 0 or e.given_up_in_a_row > 0
              or t.delivered and (e.last_delivered_at is null or e.last_delivered_at < ${secondsAfter(at, -DELIVERED_SECONDS)}))
       order by e.merchant_id, e.id
         for no key update of e
    ), changed as (
      update additional_endpoint e
         set given_up_in_a_row = counted.given_up,
             last_delivered_at = case when counted.delivered then ${at} else e.last_delivered_at end,
             paused_at = case when counted.pause or counted.given_up >= ${givenUpMax} then coalesce(e.paused_at, ${at}) else e.paused_at end
        from counted
       where ${ofMerchants('e', tallies)} and e.merchant_id = counted.merchant_id and e.id = counted.id
      returning e.merchant_id, e.id, e.paused_at, counted.was_paused
    )
    select merchant_id, id::text as kind from changed where paused_at is not null and not was_paused`

const selectPausedQueued = (db: Db, shard: Shard, limit: number): Promise<QueueKey[]> =>
  db<QueueKey[]>`
    with recursive ${queuedEndpoints(shard)}
    select waiting.merchant_id, waiting.endpoint_id::text as kind
      from waiting
      join ${endpointOfQueued(shard)}
     where e.paused_at is not null
     limit ${limit}`

async function setAside(tx: Tx, paused: readonly QueueKey[], limit: number): Promise<number> {
  void tx`
    update additional_endpoint set resumes = true
     where merchant_id = any(${merchantsOf(paused)}::bigint[]) and paused_at is not null and not resumes`
  const { count } = await tx`
    with chosen as materialized (
      select held.merchant_id, held.endpoint_id, held.event_id
        from json_to_recordset(${rowSet(paused)}::text::json) as wanted (merchant_id bigint, kind bigint)
        join additional_endpoint e on ${ofMerchants('e', paused)} and e.merchant_id = wanted.merchant_id and e.id = wanted.kind
       cross join lateral (
         select merchant_id, endpoint_id, event_id from additional_delivery d
          where ${ofMerchants('d', paused)} and d.merchant_id = wanted.merchant_id and d.endpoint_id = wanted.kind and status = 'PENDING'
            and (leased_until is null or leased_until < now())
          limit ${limit}
            for update skip locked) held
       where e.paused_at is not null
       limit ${limit})
    update additional_delivery d
       set status = 'PAUSED'
      from chosen
     where ${ofMerchants('d', paused)} and d.merchant_id = chosen.merchant_id and d.endpoint_id = chosen.endpoint_id and d.event_id = chosen.event_id`
  return count
}

async function enqueueResumed(
  tx: Tx,
  merchants: readonly { readonly merchantId: bigint }[],
  limit: number,
): Promise<number> {
  const { count } = await tx`
    update additional_delivery
       set status = 'PENDING'
     where (merchant_id, endpoint_id, event_id) in (
       select d.merchant_id, d.endpoint_id, d.event_id
         from additional_endpoint e
         join additional_delivery d on d.merchant_id = e.merchant_id and d.endpoint_id = e.id
        where e.merchant_id = any(${merchantsOf(merchants)}::bigint[]) and e.resumes and e.paused_at is null
          and d.status = 'PAUSED'
        limit ${limit})`
  return count
}

/** Deletes completed deliveries of events before an id; returns how many. */
export const deleteDeliveries = (db: Db, shard: Shard, before: bigint, limit: number): Promise<number> =>
  deleteBatch(
    db,
    deliveries,
    sql`event_id < ${before} and status not in ('PENDING', 'WAITING', 'PAUSED')`,
    limit,
    undefined,
    ofShard(shard, 't'),
  )

/** The queue of the additional endpoints. Its keys are the endpoints' ids. */
export const additionalQueue: DeliveryQueue = {
  name: 'additional',
  work: 'additional deliveries',
  lease,
  nextDue,
  updateAttempted,
  tally,
  selectPausedQueued,
  setAside,
  enqueueResumed,
  ...queueOf({
    events: names('additional_delivery'),
    eventKey: names('merchant_id', 'endpoint_id', 'event_id'),
    endpoints: names('additional_endpoint'),
    endpointKey: names('merchant_id', 'id'),
  }),
}
