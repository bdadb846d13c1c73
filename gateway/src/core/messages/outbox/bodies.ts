import { columnsOf, type Db, type Tx } from '../../../platform/postgres/db.ts'
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

/**
 * Deletes the texts of events before an id; returns how many events were inspected. For each merchant it continues
 * where the last run stopped. Events with the status PENDING keep their text. No event is deleted, because ledger
 * verification needs them.
 */
export async function dropBodies(tx: Tx, shard: Shard, before: bigint, limit: number): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    with due as materialized (
      select e.merchant_id, e.id, e.status
        from merchant m
        left join event_bodies_dropped d on ${ofShard(shard, 'd')} and d.merchant_id = m.id
       cross join lateral (
         select merchant_id, id, status from event e
          where ${ofShard(shard, 'e')} and merchant_id = m.id and id > coalesce(d.up_to, 0) and id < ${before}
          order by id limit ${limit}) e
       limit ${limit}
    ), dropped as (
      update event
         set body = ${DROPPED_BODY}
        from due
       where ${ofShard(shard, 'event')}
         and event.merchant_id = due.merchant_id and event.id = due.id and event.status <> 'PENDING'
    ), unanswered as (
      update event_attempt a
         set body_excerpt = null
        from due
       where ${ofShard(shard, 'a')} and a.merchant_id = due.merchant_id and a.event_id = due.id and due.status <> 'PENDING' and a.body_excerpt is not null
    ), marked as (
      insert into event_bodies_dropped (merchant_id, up_to)
      select merchant_id, max(id) from due group by merchant_id
          on conflict (merchant_id) do update set up_to = excluded.up_to
    )
    select count(*)::integer as count from due`
  return row?.count ?? 0
}
