import type { EventStatus } from '@kobo/contract'
import type { Db } from '../../../platform/postgres/db.ts'
import { type Looked, SEARCH_BOUNDS, searchBack } from '../../../platform/postgres/list-search.ts'
import { type Fragment, sql } from '../../../platform/postgres/sql.ts'
import type { UnitOfWork } from '../../unit-of-work.ts'
import type { StoredDelivery } from './additional-repository.ts'
import { type EventFilter, type EventRow, firstId, type RequeueFilter, requeued } from './log-repository.ts'
import { type AttemptRow, attempts, DROPPED_BODY } from './repository.ts'

/** A delivery's status as merchants see it. */
const shownStatus: Fragment = sql`
    case when d.status in ('WAITING', 'PAUSED') then 'PENDING' else d.status end`

const shownDelivery: Fragment = sql`
  event.id, event.event_type, event.refs, e.url, event.created_at, d.next_attempt_at, event.body, ${shownStatus} as status`

const matching = ({ eventType, reference, status }: EventFilter): Fragment => sql`
    ${eventType === undefined ? sql`` : sql`and event.event_type = ${eventType}`}
    ${reference === undefined ? sql`` : sql`and ${reference} = any (event.refs)`}
    ${status === undefined ? sql`` : sql`and ${shownStatus} = ${status}`}`

/** Joins the event and the endpoint of each delivery `d`. */
const withEvent = (merchantId: bigint): Fragment => sql`
        join event on event.merchant_id = ${merchantId} and event.id = d.event_id
        join additional_endpoint e on e.merchant_id = ${merchantId} and e.id = d.endpoint_id`

/** Reads an additional endpoint's events before an id, newest first, in the form of `selectEventsBefore`. */
export const selectDeliveriesBefore = (
  db: Db,
  merchantId: bigint,
  endpointId: bigint,
  end: bigint,
  filter: EventFilter,
  limit: number,
): Promise<Looked<EventRow>> =>
  searchBack(end, limit, SEARCH_BOUNDS, async (before, limit, stepRows) => {
    const rows = await db<EventRow[]>`
      select ${shownDelivery}
        from (select * from additional_delivery
               where merchant_id = ${merchantId} and endpoint_id = ${endpointId} and event_id < ${before}
               order by event_id desc limit ${stepRows}) d
        ${withEvent(merchantId)}
       where d.merchant_id = ${merchantId} ${matching(filter)}
       order by event.id desc
       limit ${limit}`
    if (rows.length === limit) return { rows, lookedTo: rows.at(-1)?.id }
    const [last] = await db<{ id: bigint }[]>`
      select event_id as id from additional_delivery
       where merchant_id = ${merchantId} and endpoint_id = ${endpointId} and event_id < ${before}
       order by event_id desc offset ${stepRows - 1} limit 1`
    return { rows, lookedTo: last?.id }
  })

/** The delivery of an event to an additional endpoint, as merchants see it. */
export interface ShownDelivery extends Pick<StoredDelivery, 'eventId' | 'endpointId' | 'nextAttemptAt'> {
  readonly url: string
  readonly status: EventStatus
}

/** Reads the deliveries of events to additional endpoints, the oldest endpoint first. */
export const selectDeliveries = (db: Db, merchantId: bigint, eventIds: readonly bigint[]): Promise<ShownDelivery[]> =>
  db<ShownDelivery[]>`
    select d.event_id, d.endpoint_id, d.next_attempt_at, e.url, ${shownStatus} as status
      from additional_endpoint e
      join additional_delivery d on d.merchant_id = ${merchantId} and d.endpoint_id = e.id
     where e.merchant_id = ${merchantId} and d.event_id = any (${eventIds.map(String)}::bigint[])
     order by d.event_id, e.id`

/** Reads the attempts to send its newest events to an additional endpoint, newest attempt first. */
export const selectEndpointAttempts = (
  db: Db,
  merchantId: bigint,
  endpointId: bigint,
  eventsMax: number,
): Promise<AttemptRow[]> =>
  db<AttemptRow[]>`
    select ${attempts.of('a')}
      from (select event_id from additional_delivery
             where merchant_id = ${merchantId} and endpoint_id = ${endpointId}
             order by event_id desc limit ${eventsMax}) d
      join event_attempt a on a.merchant_id = ${merchantId} and a.event_id = d.event_id and a.endpoint_id = ${endpointId}
     order by a.id desc`

/** The undelivered events of an endpoint. */
export interface Backlog {
  readonly waiting: number
  /** When the oldest was created. */
  readonly oldest: Date | null
}

/** Counts an endpoint's undelivered events, up to a maximum. */
export async function selectBacklog(db: Db, merchantId: bigint, endpointId: bigint, max: number): Promise<Backlog> {
  const [row] = await db<Backlog[]>`
    with waiting as (
      select event_id from additional_delivery
       where merchant_id = ${merchantId} and endpoint_id = ${endpointId} and status in ('PENDING', 'WAITING', 'PAUSED')
       order by event_id limit ${max})
    select (select count(*)::integer from waiting) as waiting,
           (select created_at from event
             where merchant_id = ${merchantId} and id = (select min(event_id) from waiting)) as oldest`
  return row ?? { waiting: 0, oldest: null }
}

/** Resends an event to an additional endpoint, as `requeueEvent` does; returns whether it was found. */
export async function requeueDelivery(
  { tx, at, wake }: UnitOfWork,
  merchantId: bigint,
  endpointId: bigint,
  eventId: bigint,
): Promise<boolean> {
  const { count } = await tx`
    update additional_delivery d set ${requeued(at)}
      from event
     where d.merchant_id = ${merchantId} and d.endpoint_id = ${endpointId} and d.event_id = ${eventId}
       and event.merchant_id = ${merchantId} and event.id = d.event_id and event.body <> ${DROPPED_BODY}`
  wake('additional deliveries')
  return count > 0
}

const requeueable = (merchantId: bigint, endpointId: bigint, { since, status }: RequeueFilter): Fragment => sql`
      from additional_delivery d
      ${withEvent(merchantId)}
     where d.merchant_id = ${merchantId} and d.endpoint_id = ${endpointId} and d.event_id >= ${firstId(since)}
       and event.created_at >= ${since} and event.body <> ${DROPPED_BODY} ${matching({ status })}`

/** Counts an endpoint's events to resend, up to a maximum. */
export async function countRequeueableDeliveries(
  db: Db,
  merchantId: bigint,
  endpointId: bigint,
  which: RequeueFilter,
  max: number,
): Promise<number> {
  const [row] = await db<{ count: bigint }[]>`
    select count(*) from (select ${requeueable(merchantId, endpointId, which)} limit ${max}) found`
  return Number(row?.count ?? 0n)
}

/** Resends a batch of an endpoint's events after an id, as `requeueEvents` does. */
export async function requeueDeliveries(
  { tx, at, wake }: UnitOfWork,
  merchantId: bigint,
  endpointId: bigint,
  which: RequeueFilter,
  after: bigint,
  limit: number,
): Promise<{ readonly count: number; readonly last: bigint | null }> {
  const [row] = await tx<{ count: bigint; last: bigint | null }[]>`
    with chosen as (
      select d.event_id ${requeueable(merchantId, endpointId, which)} and d.event_id > ${after} order by d.event_id limit ${limit}
    ), changed as (
      update additional_delivery d set ${requeued(at)} from chosen
       where d.merchant_id = ${merchantId} and d.endpoint_id = ${endpointId} and d.event_id = chosen.event_id
      returning d.event_id
    )
    select count(*), max(event_id) as last from changed`
  wake('additional deliveries')
  return { count: Number(row?.count ?? 0n), last: row?.last ?? null }
}
