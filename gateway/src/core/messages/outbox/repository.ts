import type { EventKind, EventStatus } from '@kobo/contract'
import { columnsOf, type Db, rowSet, type Tx } from '../../../platform/postgres/db.ts'
import { deleteBatch } from '../../../platform/postgres/delete-in-batches.ts'
import { type Fragment, names, plain, sql } from '../../../platform/postgres/sql.ts'
import { column, ofMerchants, type Row, table } from '../../../platform/postgres/table.ts'
import type { LeasedEvent } from '../../event-sender.ts'
import { ofShard, type Shard } from '../../shards/index.ts'

/**
 * The stored status of an event. PENDING events are queued, WAITING events wait for their next attempt, and PAUSED
 * events wait for their endpoint. Merchants see all three as PENDING.
 */
export type StoredStatus = EventStatus | 'WAITING' | 'PAUSED'

export const events = table('event', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  kind: column<EventKind>(),
  eventType: column<string>(),
  /** References to search for, the main one first. */
  refs: column<readonly string[]>(),
  /** The text as sent and signed. */
  body: column<string>(),
  status: column<StoredStatus>(),
  /** The number of attempts since the event was created or last resent, which is its position in the retry schedule. */
  attempts: column<number>(),
  resent: column<boolean>(),
  createdAt: column<Date>(),
  /** In business time. */
  nextAttemptAt: column<Date | null>(),
  /** The end of the sender's lease, by the database's clock. */
  leasedUntil: column<Date | null>(),
})
export type StoredEvent = Row<typeof events>

/** The text that replaces a deleted one. */
export const DROPPED_BODY = '{"note":"The text of this event is no longer kept"}'

const NEW = ['merchantId', 'id', 'kind', 'eventType', 'refs', 'body'] as const
export type NewEvent = Pick<StoredEvent, (typeof NEW)[number]>

/** The part of a lease that is only known once the event is written. */
export type LeasedNow = Pick<LeasedEvent, 'id' | 'leasedUntil' | 'endpointKind' | 'url'>

/**
 * Inserts events, due now. Returns those that are leased at once: they were chosen, and their endpoint is not paused.
 * An event without a URL is stored as NOT_SENT.
 */
export function insertEvents(
  tx: Tx,
  at: Date,
  rows: readonly NewEvent[],
  chosen: readonly boolean[],
  leaseSeconds: number,
): Promise<LeasedNow[]> {
  const { merchantId, id, kind, eventType, refs, body } = columnsOf(rows, ...NEW)
  return tx<LeasedNow[]>`
    with new as materialized (
      select new.merchant_id, id, kind, event_type, refs, body, endpoint_kind, url,
             case when chosen and url is not null and paused_at is null then lease.ends end as leased_until
        from unnest(${merchantId}::bigint[], ${id}::bigint[], ${kind}::text[], ${eventType}::text[], ${refs}::text[], ${body}::text[], ${chosen.map(String)}::boolean[])
               as new (merchant_id, id, kind, event_type, refs, body, chosen)
       cross join (select date_trunc('milliseconds', clock_timestamp()) + ${leaseSeconds} * interval '1 second' as ends) lease -- compared later, in milliseconds
        left join ${endpointOf('new', ofMerchants('e', rows))} endpoint on true
    ), made as (
      insert into event (merchant_id, id, kind, event_type, refs, body, created_at, next_attempt_at, status, leased_until)
      select merchant_id, id, kind, event_type, refs::text[], body, ${at}, ${at}, case when url is null then 'NOT_SENT' else 'PENDING' end, leased_until
        from new
    )
    select id, endpoint_kind, url, leased_until from new where leased_until is not null`
}

export interface LeaseRequest {
  readonly at: Date
  readonly leaseSeconds: number
  readonly perEndpointMax: number
  readonly limit: number
  /** How many more events may be leased for the merchants and kinds that this process is already sending. */
  readonly rooms: readonly { readonly merchantId: bigint; readonly kind: string; readonly room: number }[]
}

/** Joins the endpoint for an event's kind, or the default endpoint if the kind has none, even if it is paused. */
export const endpointOf = (row: string, whose: Fragment = plain('true')): Fragment => sql`
  lateral (
    select e.kind as endpoint_kind, e.url, e.paused_at
      from webhook_endpoint e
     where ${whose} and e.merchant_id = ${names(row)}.merchant_id and e.kind in (${names(row)}.kind, 'default')
     order by e.kind = 'default'
     limit 1)`

/** Finds the merchants and kinds with queued events, by skipping through the index. */
export const queuedKinds = (shard: Shard): Fragment => sql`
    waiting as (
      (select merchant_id, kind from event e where ${ofShard(shard, 'e')} and status = 'PENDING' order by merchant_id, kind limit 1)
      union all
      select further.merchant_id, further.kind
        from waiting
       cross join lateral (
         select merchant_id, kind from event e
          where ${ofShard(shard, 'e')} and status = 'PENDING' and (merchant_id, kind) > (waiting.merchant_id, waiting.kind)
          order by merchant_id, kind limit 1) further
    )`

/** Leases due events of a shard, a few per endpoint, so that the backlog of a dead endpoint never blocks another. */
export const leaseEvents = (
  db: Db,
  shard: Shard,
  { at, leaseSeconds, perEndpointMax, limit, rooms }: LeaseRequest,
): Promise<LeasedEvent[]> =>
  db<LeasedEvent[]>`
    with recursive ${queuedKinds(shard)}, chosen as (
      select due.merchant_id, due.id, endpoint.endpoint_kind, endpoint.url
        from (select merchant_id, kind from waiting order by hashint8extended(merchant_id, ${at.getTime()}::bigint)) waiting -- in a different sequence each time
        left join ${endpointOf('waiting', ofShard(shard, 'e'))} endpoint on true
        left join json_to_recordset(${rowSet(rooms)}::text::json) as busy (merchant_id bigint, kind text, room integer)
          on busy.merchant_id = waiting.merchant_id and busy.kind = waiting.kind
       cross join lateral (
         select merchant_id, id from event
          where ${ofShard(shard, 'event')} and event.merchant_id = waiting.merchant_id and event.kind = waiting.kind and status = 'PENDING'
            and next_attempt_at <= ${at} and (leased_until is null or leased_until < now())
          order by next_attempt_at limit coalesce(busy.room, ${perEndpointMax})
            for update skip locked) due
       where endpoint.paused_at is null
       limit ${limit}
    )
    update event
       set leased_until = date_trunc('milliseconds', now()) + ${leaseSeconds} * interval '1 second' -- compared later, in milliseconds
      from chosen
     where ${ofShard(shard, 'event')} and event.merchant_id = chosen.merchant_id and event.id = chosen.id
    returning event.merchant_id, event.id, event.kind, event.body, event.attempts, event.resent, event.leased_until,
              chosen.endpoint_kind, chosen.url`

/** Returns when the next sendable event is due. */
export async function nextEventDue(db: Db): Promise<Date | undefined> {
  const [row] = await db<{ due: Date | null }[]>`
    -- over all merchants: due work
    select min(event.next_attempt_at) as due
      from event
      left join ${endpointOf('event')} endpoint on true
     where event.status = 'PENDING' and endpoint.paused_at is null`
  return row?.due ?? undefined
}

const ATTEMPTED = ['merchantId', 'id', 'status', 'attempts', 'nextAttemptAt', 'leasedUntil'] as const
export interface AttemptedEvent extends Pick<StoredEvent, (typeof ATTEMPTED)[number]> {
  /** The kind of the event, or the id of the additional endpoint. */
  readonly kind: string
}

/**
 * Stores the outcomes of events, unless they were resent meanwhile. The values are passed as arrays, because with JSON
 * PostgreSQL would plan the query again for every batch.
 */
export function updateAttempted(tx: Tx, rows: readonly AttemptedEvent[]): void {
  const { merchantId, id, status, attempts: counts, nextAttemptAt, leasedUntil } = columnsOf(rows, ...ATTEMPTED)
  void tx`
    update event
       set status = attempted.status, attempts = attempted.attempts, next_attempt_at = attempted.next_attempt_at, leased_until = null
      from unnest(${merchantId}::bigint[], ${id}::bigint[], ${status}::text[], ${counts}::smallint[], ${nextAttemptAt}::timestamptz[], ${leasedUntil}::timestamptz[])
        as attempted (merchant_id, id, status, attempts, next_attempt_at, leased_until)
     where ${ofMerchants('event', rows)}
       and event.merchant_id = attempted.merchant_id and event.id = attempted.id and event.leased_until = attempted.leased_until`
}

export const attempts = table('event_attempt', ['merchantId', 'eventId', 'id'], {
  merchantId: column<bigint>('bigint'),
  eventId: column<bigint>('bigint'),
  id: column<bigint>('bigint'),
  at: column<Date>('timestamptz'),
  url: column<string>('text'),
  /** The status of the response; null if there was none. */
  status: column<number | null>('smallint'),
  bodyExcerpt: column<string | null>('text'),
  milliseconds: column<number>('integer'),
  error: column<string | null>('text'),
  resent: column<boolean>('boolean'),
  /** The additional endpoint; null for the URLs of the settings. */
  endpointId: column<bigint | null>('bigint'),
})
export type AttemptRow = Row<typeof attempts>
/** The columns of an attempt at a URL of the settings. */
export const PLAIN_ATTEMPT = attempts.except('endpointId')

/** Deletes attempts of events before an id; returns how many. */
export const deleteAttempts = (db: Db, shard: Shard, before: bigint, limit: number): Promise<number> =>
  deleteBatch(db, attempts, sql`event_id < ${before}`, limit, undefined, ofShard(shard, 't'))

/** An endpoint's results in one batch of attempts. */
export interface EndpointTally {
  readonly merchantId: bigint
  readonly kind: string
  readonly delivered: boolean
  readonly gaveUp: number
  readonly pause: boolean
}

/**
 * Counts consecutive failures. Pauses endpoints that responded 410 or failed too often; returns the newly paused ones.
 */
export async function tallyEndpoints(
  tx: Tx,
  at: Date,
  tallies: readonly EndpointTally[],
  givenUpMax: number,
): Promise<readonly { merchantId: bigint; kind: string }[]> {
  return tx<{ merchantId: bigint; kind: string }[]>`
    with counted as materialized (
      select merchant_id, kind, t.pause, e.paused_at is not null as was_paused, case when t.delivered then 0 else e.given_up_in_a_row end + t.gave_up as given_up
        from json_to_recordset(${rowSet(tallies)}::text::json) as t (merchant_id bigint, kind text, delivered boolean, gave_up integer, pause boolean)
        join webhook_endpoint e using (merchant_id, kind)
       where ${ofMerchants('e', tallies)}
         and (t.pause or t.gave_up > 0 or e.given_up_in_a_row > 0) -- nearly all endpoints are left out and not locked
       order by merchant_id, kind
         for no key update of e
    ), changed as (
      update webhook_endpoint e
         set given_up_in_a_row = counted.given_up,
             paused_at = case when counted.pause or counted.given_up >= ${givenUpMax} then coalesce(e.paused_at, ${at}) else e.paused_at end
        from counted
       where ${ofMerchants('e', tallies)} and e.merchant_id = counted.merchant_id and e.kind = counted.kind
         and (counted.pause or counted.given_up <> e.given_up_in_a_row)
      returning e.merchant_id, e.kind, e.paused_at, counted.was_paused
    )
    select merchant_id, kind from changed where paused_at is not null and not was_paused`
}

/** Sets or clears the URL for a kind. A new URL ends a pause; a cleared kind uses the default URL. */
export function setEndpoint(tx: Tx, merchantId: bigint, kind: EventKind | 'default', url: string | null): void {
  if (url === null) {
    void tx`delete from webhook_endpoint where merchant_id = ${merchantId} and kind = ${kind}`
    void tx`update webhook_endpoint set resumes = true where merchant_id = ${merchantId} and kind = 'default'`
  } else
    void tx`
      insert into webhook_endpoint (merchant_id, kind, url) values (${merchantId}, ${kind}, ${url})
          on conflict (merchant_id, kind) do update set url = excluded.url, paused_at = null, given_up_in_a_row = 0, resumes = true`
}

export const selectEndpoints = (
  db: Db | Tx,
  merchantId: bigint,
): Promise<{ kind: EventKind | 'default'; url: string; pausedAt: Date | null }[]> =>
  db<{ kind: EventKind | 'default'; url: string; pausedAt: Date | null }[]>`
    select kind, url, paused_at from webhook_endpoint where merchant_id = ${merchantId}`

/** Reads paused endpoints over all merchants, newest first, up to a limit. */
export const selectPausedEndpoints = (
  db: Db,
  limit: number,
): Promise<{ merchantCode: string; merchantName: string; kind: string; url: string; pausedAt: Date }[]> =>
  db<{ merchantCode: string; merchantName: string; kind: string; url: string; pausedAt: Date }[]>`
    -- over all merchants: for the operator
    select m.code as merchant_code, m.name as merchant_name, e.kind, e.url, e.paused_at
      from (select merchant_id, kind, url, paused_at from webhook_endpoint
            union all
            select merchant_id, 'additional', url, paused_at from additional_endpoint where removed_at is null) e
      join merchant m on m.id = e.merchant_id
     where e.paused_at is not null
     order by e.paused_at desc
     limit ${limit}`

/** How many undelivered events are inspected: an endpoint that was down for long may have millions. */
const UNDELIVERED_MAX = 10_000

/** Reads waiting and paused events of all merchants, newest first. */
export const selectUndelivered = (db: Db, before: bigint, limit: number): Promise<StoredEvent[]> =>
  db<StoredEvent[]>`
    -- over all merchants: for the operator
    select ${events.columns} from (
      (select ${events.columns} from event where status = 'WAITING' and id < ${before} order by next_attempt_at limit ${UNDELIVERED_MAX})
      union all
      (select ${events.columns} from event where status = 'PAUSED' and id < ${before} order by merchant_id, kind limit ${UNDELIVERED_MAX})
    ) undelivered
     order by id desc
     limit ${limit}`

/** Reads the codes of merchants with http:// webhook URLs, up to a limit. */
export async function selectPlainEndpoints(db: Db, limit: number): Promise<readonly string[]> {
  const rows = await db<{ code: string }[]>`
    -- over all merchants: for the operator
    select distinct m.code
      from (select merchant_id, url from webhook_endpoint
            union all
            select merchant_id, url from additional_endpoint where removed_at is null) e
      join merchant m on m.id = e.merchant_id
     where e.url ilike 'http:%'
     limit ${limit}`
  return rows.map(({ code }) => code)
}
