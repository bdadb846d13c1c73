import type { EventStatus } from '@kobo/contract'
import { firstIdAt, ID_MAX, idsIn } from '../../../kernel/ids.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { type Looked, listing, SEARCH_BOUNDS, searchBack } from '../../../platform/postgres/list-search.ts'
import { type Fragment, names, sql } from '../../../platform/postgres/sql.ts'
import type { UnitOfWork } from '../../unit-of-work.ts'
import { type AttemptRow, attempts, DROPPED_BODY, endpointOf, events, type StoredEvent } from './repository.ts'

export interface EventRow
  extends Pick<StoredEvent, 'id' | 'eventType' | 'refs' | 'createdAt' | 'nextAttemptAt' | 'body'> {
  readonly status: EventStatus
  readonly url: string | null
}

export interface EventFilter {
  readonly eventType?: string | undefined
  readonly reference?: string | undefined
  readonly status?: EventStatus | undefined
  readonly id?: bigint | undefined
}

/** An event as merchants see it. */
const shownEvent = sql`id, event_type, refs, endpoint.url, created_at, next_attempt_at, body, ${shownStatus('event')} as status`

/** Computes an event's status as merchants see it. The query must join `endpoint`. */
function shownStatus(event: string): Fragment {
  const status = sql`${names(event)}.status`
  return sql`
    case when ${status} not in ('WAITING', 'PAUSED') then ${status}
         when ${status} = 'PAUSED' and endpoint.url is null then 'NOT_SENT' else 'PENDING' end`
}

const matching = ({ eventType, reference, status, id }: EventFilter): Fragment => sql`
    ${id === undefined ? sql`` : sql`and event.id = ${id}`}
    ${eventType === undefined ? sql`` : sql`and event_type = ${eventType}`}
    ${reference === undefined ? sql`` : sql`and ${reference} = any (refs)`}
    ${status === undefined ? sql`` : sql`and ${shownStatus('event')} = ${status}`}`

/** Reads a merchant's events, newest first. */
export const selectEvents = (
  db: Db,
  merchantId: bigint,
  filter: EventFilter,
  limit: number,
  offset: number,
): Promise<EventRow[]> =>
  db<EventRow[]>`
    select ${shownEvent}
      from event
      left join ${endpointOf('event', sql`e.merchant_id = ${merchantId}`)} endpoint on true
     where event.merchant_id = ${merchantId} ${matching(filter)}
     order by id desc
     limit ${limit} offset ${offset}`

/** Reads a merchant's events after an id, in order. */
export const selectEventsAfter = (
  db: Db,
  merchantId: bigint,
  id: bigint,
  limit: number,
): Promise<Pick<StoredEvent, 'id' | 'eventType' | 'refs' | 'createdAt' | 'body'>[]> =>
  db<Pick<StoredEvent, 'id' | 'eventType' | 'refs' | 'createdAt' | 'body'>[]>`
    select id, event_type, refs, created_at, body
      from event
     where merchant_id = ${merchantId} and id > ${id}
     order by id
     limit ${limit}`

/**
 * Reads a merchant's events before an id, newest first. Also returns the id where the search stopped; undefined if all
 * events were searched.
 */
export const selectEventsBefore = (
  db: Db,
  merchantId: bigint,
  end: bigint,
  filter: EventFilter,
  limit: number,
): Promise<Looked<EventRow>> =>
  searchBack(end, limit, SEARCH_BOUNDS, async (before, limit, stepRows) => {
    const rows = await db<EventRow[]>`
      select ${shownEvent}
        from (select * from event where merchant_id = ${merchantId} and id < ${before} order by id desc limit ${stepRows}) event
        left join ${endpointOf('event', sql`e.merchant_id = ${merchantId}`)} endpoint on true
       where event.merchant_id = ${merchantId} ${matching(filter)}
       order by id desc
       limit ${limit}`
    if (rows.length === limit) return { rows, lookedTo: rows.at(-1)?.id }
    const [last] = await db<{ id: bigint }[]>`
      select id from event where merchant_id = ${merchantId} and id < ${before}
       order by id desc offset ${stepRows - 1} limit 1`
    return { rows, lookedTo: last?.id }
  })

export async function countEvents(db: Db, merchantId: bigint, filter: EventFilter): Promise<number> {
  const [row] = await db<{ count: bigint }[]>`
    select count(*)
      from event
      left join ${endpointOf('event', sql`e.merchant_id = ${merchantId}`)} endpoint on true
     where event.merchant_id = ${merchantId} ${matching(filter)}`
  return Number(row?.count ?? 0n)
}

const ATTEMPTS_SHOWN_MAX = 1_000

/** Reads the attempts of events, oldest first; if `endpointId` is given, only those at this additional endpoint. */
export const selectAttempts = (
  db: Db,
  merchantId: bigint,
  eventIds: readonly bigint[],
  endpointId?: bigint,
): Promise<AttemptRow[]> =>
  db<AttemptRow[]>`
    select ${attempts.columns}
      from event_attempt
     where merchant_id = ${merchantId} and event_id = any (${eventIds.map(String)}::bigint[])
       ${endpointId === undefined ? sql`` : sql`and endpoint_id = ${endpointId}`}
     order by event_id, id
     limit ${ATTEMPTS_SHOWN_MAX}`

/** Counts how often each of these events was sent. Events that were never sent are left out. */
export async function countAttempts(
  db: Db,
  merchantId: bigint,
  eventIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, number>> {
  if (eventIds.length === 0) return new Map()
  const rows = await db<{ eventId: bigint; count: number }[]>`
    select event_id, count(*)::integer as count
      from event_attempt
     where merchant_id = ${merchantId} and event_id = any (${eventIds.map(String)}::bigint[])
     group by event_id`
  return new Map(rows.map(({ eventId, count }) => [eventId, count]))
}

/** Reads the attempts to send a merchant's events to the URLs of its settings, newest event first. */
export const selectNewestAttempts = (db: Db, merchantId: bigint, limit: number): Promise<AttemptRow[]> =>
  db<AttemptRow[]>`
    select ${attempts.columns}
      from event_attempt
     where merchant_id = ${merchantId} and endpoint_id is null
     order by event_id desc, id desc
     limit ${limit}`

/**
 * Resends an event at once and restarts its retry schedule; returns whether it was found. An event without a text is
 * not resent.
 */
export async function requeueEvent({ tx, at, wake }: UnitOfWork, merchantId: bigint, id: bigint): Promise<boolean> {
  const { count } = await tx`
    update event set ${requeued(at)} where merchant_id = ${merchantId} and id = ${id} and body <> ${DROPPED_BODY}`
  wake('events')
  return count > 0
}

/** The columns of an event or a delivery that is sent again. */
export const requeued = (at: Date): Fragment =>
  sql`status = 'PENDING', attempts = 0, resent = true, next_attempt_at = ${at}, leased_until = null`

/** Which events to resend: those since a time, with a status if given. */
export interface RequeueFilter {
  readonly since: Date
  readonly status?: EventStatus | undefined
}

/** Returns the lowest id since a time. Ids ascend with time, so the primary key finds the events. */
export const firstId = (since: Date): bigint => {
  const id = firstIdAt(since)
  return id > ID_MAX ? ID_MAX : id
}

const requeueable = (merchantId: bigint, { since, status }: RequeueFilter): Fragment => sql`
      from event
      left join ${endpointOf('event', sql`e.merchant_id = ${merchantId}`)} endpoint on true
     where event.merchant_id = ${merchantId} and event.id >= ${firstId(since)} and created_at >= ${since} and body <> ${DROPPED_BODY} ${matching({ status })}`

/** Counts the events to resend, up to a maximum. */
export async function countRequeueable(db: Db, merchantId: bigint, which: RequeueFilter, max: number): Promise<number> {
  const [row] = await db<{ count: bigint }[]>`
    select count(*) from (select ${requeueable(merchantId, which)} limit ${max}) found`
  return Number(row?.count ?? 0n)
}

/** Resends a batch of events after an id, oldest first; returns how many, and the id of the last one. */
export async function requeueEvents(
  { tx, at, wake }: UnitOfWork,
  merchantId: bigint,
  which: RequeueFilter,
  after: bigint,
  limit: number,
): Promise<{ readonly count: number; readonly last: bigint | null }> {
  const [row] = await tx<{ count: bigint; last: bigint | null }[]>`
    with chosen as (
      select event.id ${requeueable(merchantId, which)} and event.id > ${after} order by event.id limit ${limit}
    ), changed as (
      update event set ${requeued(at)} from chosen
       where event.merchant_id = ${merchantId} and event.id = chosen.id
      returning event.id
    )
    select count(*), max(id) as last from changed`
  wake('events')
  return { count: Number(row?.count ?? 0n), last: row?.last ?? null }
}

export const eventList = listing(events, { idFormat: 'standard', status: 'status', method: 'eventType' })

/** How many of the newest events are inspected. */
const RECENT_MAX = 5_000

/** Counts the given-up events among a merchant's newest events since a time. */
export async function countGivenUp(db: Db, merchantId: bigint, since: Date): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) filter (where status = 'GIVEN_UP')::integer as count
      from (select status from event
             where merchant_id = ${merchantId} and id >= ${firstIdAt(since)} order by id desc limit ${RECENT_MAX}) recent`
  return row?.count ?? 0
}

const SENT_SHOWN_MAX = 100
/** An event is usually written this soon after the change that it reports. */
const SOON_SECONDS = 60

/** A sent event without its text, which may be long: it may list a thousand transactions. */
export type SentEvent = Omit<StoredEvent, 'body' | 'kind' | 'merchantId' | 'resent' | 'leasedUntil'>

/**
 * Reads the events about a subject that were written soon after the given times, oldest first. References have no
 * index, so the events are found by the ids of those times.
 */
export const selectSentEvents = (
  db: Db,
  merchantId: bigint,
  reference: string,
  moments: readonly Date[],
): Promise<SentEvent[]> =>
  db<SentEvent[]>`
    select distinct on (e.id) e.id, e.event_type, e.refs[1:1] as refs, e.status, e.attempts, e.created_at, e.next_attempt_at
      from unnest(${moments.map((at) => String(firstIdAt(at)))}::bigint[]) as change (at)
     cross join lateral (
       select id, event_type, refs, status, attempts, created_at, next_attempt_at from event
        where merchant_id = ${merchantId} and id >= change.at and id < change.at + ${idsIn(SOON_SECONDS)} offset 0) e
     where ${reference} = any (e.refs)
     order by e.id
     limit ${SENT_SHOWN_MAX}`
