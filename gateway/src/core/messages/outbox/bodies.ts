import { columnsOf, type Db, type Tx } from '../../../platform/postgres/db.ts'
import { type Fragment, names, plain, sql } from '../../../platform/postgres/sql.ts'
import { ofMerchants } from '../../../platform/postgres/table.ts'
import { ofShard, type Shard } from '../../shards/index.ts'
import { DROPPED_BODY } from './repository.ts'

/** An event's text and references. */
export interface EventBody {
  readonly merchantId: bigint
  readonly id: bigint
  readonly refs: readonly string[]
  readonly body: string
}

/** Reads a merchant's events after an id, with their texts. Events whose text was deleted are left out. */
export const selectBodies = (db: Db, merchantId: bigint, after: bigint, limit: number): Promise<EventBody[]> =>
  db<EventBody[]>`
    select merchant_id, id, refs, body
      from event
     where merchant_id = ${merchantId} and id > ${after} and body <> ${DROPPED_BODY}
     order by id
     limit ${limit}`

/** Replaces event texts and deletes the endpoints' responses to the old texts. */
export function replaceBodies(tx: Tx, events: readonly EventBody[]): void {
  if (events.length === 0) return
  const { merchantId, id, body } = columnsOf(events, 'merchantId', 'id', 'body')
  void tx`
    update event
       set body = new.body
      from unnest(${merchantId}::bigint[], ${id}::bigint[], ${body}::text[]) as new (merchant_id, id, body)
     where ${ofMerchants('event', events)} and event.merchant_id = new.merchant_id and event.id = new.id`
  void tx`
    update event_attempt a
       set body_excerpt = null
      from unnest(${merchantId}::bigint[], ${id}::bigint[]) as changed (merchant_id, id)
     where ${ofMerchants('a', events)} and a.merchant_id = changed.merchant_id and a.event_id = changed.id
       and a.body_excerpt is not null`
}

const UNDELIVERED = plain(`('PENDING', 'WAITING', 'PAUSED')`)

/** Whether an event must still be sent to the merchant's URL or to an additional endpoint. */
const isUndelivered = (event: string, whose: Fragment): Fragment => sql`(
  ${names(event)}.status in ${UNDELIVERED} or exists (
    select from additional_endpoint n
     cross join lateral (
       select from additional_delivery d
        where ${whose} and d.merchant_id = n.merchant_id and d.endpoint_id = n.id and d.event_id = ${names(event)}.id
          and d.status in ${UNDELIVERED} limit 1) d
     where n.merchant_id = ${names(event)}.merchant_id))`

/**
 * Deletes the texts of events before an id; returns how many events were inspected. For each merchant it continues
 * where the last run stopped. Undelivered events keep their text until `dropLateBodies`. No event is deleted, because
 * ledger verification needs them.
 */
export async function dropBodies(tx: Tx, shard: Shard, before: bigint, limit: number): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    with due as materialized (
      select e.merchant_id, e.id, e.is_undelivered
        from merchant m
        left join event_bodies_dropped d on ${ofShard(shard, 'd')} and d.merchant_id = m.id
       cross join lateral (
         select merchant_id, id, ${isUndelivered('e', ofShard(shard, 'd'))} as is_undelivered from event e
          where ${ofShard(shard, 'e')} and merchant_id = m.id and id > coalesce(d.up_to, 0) and id < ${before}
          order by id limit ${limit}) e
       limit ${limit}
    ), dropped as (
      update event
         set body = ${DROPPED_BODY}
        from due
       where ${ofShard(shard, 'event')}
         and event.merchant_id = due.merchant_id and event.id = due.id and not due.is_undelivered and event.status not in ${UNDELIVERED}
    ), unanswered as (
      update event_attempt a
         set body_excerpt = null
        from due
       where ${ofShard(shard, 'a')} and a.merchant_id = due.merchant_id and a.event_id = due.id and not due.is_undelivered and a.body_excerpt is not null
    ), marked as (
      insert into event_bodies_dropped (merchant_id, up_to)
      select merchant_id, max(id) from due group by merchant_id
          on conflict (merchant_id) do update set up_to = excluded.up_to
    )
    select count(*)::integer as count from due`
  return row?.count ?? 0
}

type EventKey = Pick<EventBody, 'merchantId' | 'id'>

/** Locks events, so that the last of several endpoints to receive an event sees that the others have it. */
export function lockEvents(tx: Tx, events: readonly EventKey[]): void {
  if (events.length === 0) return
  const { merchantId, id } = columnsOf(events, 'merchantId', 'id')
  void tx`
    select from event
     where ${ofMerchants('event', events)}
       and (merchant_id, id) in (select * from unnest(${merchantId}::bigint[], ${id}::bigint[]))
     order by merchant_id, id
       for no key update`
}

/** Deletes the texts that `dropBodies` left because the events were undelivered. The events are locked. */
export function dropLateBodies(tx: Tx, events: readonly EventKey[]): void {
  if (events.length === 0) return
  const { merchantId, id } = columnsOf(events, 'merchantId', 'id')
  void tx`
    update event
       set body = ${DROPPED_BODY}
      from unnest(${merchantId}::bigint[], ${id}::bigint[]) as late (merchant_id, id)
      join event_bodies_dropped dropped on dropped.merchant_id = late.merchant_id and late.id <= dropped.up_to
     where ${ofMerchants('event', events)} and event.merchant_id = late.merchant_id and event.id = late.id
       and not ${isUndelivered('event', ofMerchants('d', events))}`
  void tx`
    update event_attempt a
       set body_excerpt = null
      from unnest(${merchantId}::bigint[], ${id}::bigint[]) as late (merchant_id, id)
      join event on ${ofMerchants('event', events)} and event.merchant_id = late.merchant_id and event.id = late.id
     where ${ofMerchants('a', events)} and a.merchant_id = late.merchant_id and a.event_id = late.id
       and event.body = ${DROPPED_BODY} and a.body_excerpt is not null`
}
