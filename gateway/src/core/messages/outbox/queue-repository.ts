import type { Db, Tx } from '../../../platform/postgres/db.ts'
import { rowSet } from '../../../platform/postgres/db.ts'
import { type Fragment, names, plain } from '../../../platform/postgres/sql.ts'
import { merchantsOf, ofMerchants } from '../../../platform/postgres/table.ts'
import { ofShard, type Shard } from '../../shards/index.ts'
import type { DeliveryQueue, QueueKey } from './queue.ts'
import { queueOf } from './queue-tables.ts'
import { endpointOf, leaseEvents, nextEventDue, queuedKinds, tallyEndpoints, updateAttempted } from './repository.ts'

/** Selects the events of both queues with a status. It is not a query parameter, so that its index is used. */
const withStatus = (status: 'PENDING' | 'WAITING' | 'PAUSED'): Fragment =>
  plain(`
    select 1 from event where status = '${status}' -- over all merchants: for the operator
    union all
    select 1 from additional_delivery where status = '${status}'`)

/** Undelivered events by state, each counted up to a maximum. */
export async function countUndelivered(db: Db, countedMax: number): Promise<readonly (readonly [string, number])[]> {
  const [row] = await db<{ isQueued: number; waiting: number; paused: number }[]>`
    -- over all merchants: for the operator
    select (select count(*) from (${withStatus('PENDING')} limit ${countedMax}) e)::integer as is_queued,
           (select count(*) from (${withStatus('WAITING')} limit ${countedMax}) e)::integer as waiting,
           (select count(*) from (${withStatus('PAUSED')} limit ${countedMax}) e)::integer as paused`
  return [
    ['in line', row?.isQueued ?? 0],
    ['waiting', row?.waiting ?? 0],
    ['paused', row?.paused ?? 0],
  ]
}

/** Returns since when the oldest sendable event is due. Reads only the first event of each merchant and kind. */
export async function oldestQueued(db: Db, shard: Shard): Promise<Date | undefined> {
  const [row] = await db<{ due: Date | null }[]>`
    with recursive ${queuedKinds(shard)}
    select min(first.next_attempt_at) as due
      from waiting
      left join ${endpointOf('waiting', ofShard(shard, 'e'))} endpoint on true
     cross join lateral (
       select next_attempt_at from event
        where ${ofShard(shard, 'event')} and event.merchant_id = waiting.merchant_id and event.kind = waiting.kind and status = 'PENDING'
        order by next_attempt_at limit 1) first
     where endpoint.paused_at is null`
  return row?.due ?? undefined
}

const selectPausedQueued = (db: Db, shard: Shard, limit: number): Promise<QueueKey[]> =>
  db<QueueKey[]>`
    with recursive ${queuedKinds(shard)}
    select waiting.merchant_id, waiting.kind
      from waiting
     cross join ${endpointOf('waiting', ofShard(shard, 'e'))} endpoint
     where endpoint.paused_at is not null
     limit ${limit}`

async function setAside(tx: Tx, kinds: readonly QueueKey[], limit: number): Promise<number> {
  void tx`
    update webhook_endpoint set resumes = true
     where merchant_id = any(${merchantsOf(kinds)}::bigint[]) and paused_at is not null and not resumes`
  const { count } = await tx`
    with chosen as materialized (
      select held.merchant_id, held.id
        from json_to_recordset(${rowSet(kinds)}::text::json) as wanted (merchant_id bigint, kind text)
       cross join ${endpointOf('wanted', ofMerchants('e', kinds))} endpoint
       cross join lateral (
         select merchant_id, id from event
          where ${ofMerchants('event', kinds)} and event.merchant_id = wanted.merchant_id and event.kind = wanted.kind and status = 'PENDING'
            and (leased_until is null or leased_until < now())
          limit ${limit}
            for update skip locked) held
       where endpoint.paused_at is not null
       limit ${limit})
    update event
       set status = 'PAUSED'
      from chosen
     where ${ofMerchants('event', kinds)} and event.merchant_id = chosen.merchant_id and event.id = chosen.id`
  return count
}

async function enqueueResumed(
  tx: Tx,
  merchants: readonly { readonly merchantId: bigint }[],
  limit: number,
): Promise<number> {
  const { count } = await tx`
    update event
       set status = 'PENDING'
     where (merchant_id, id) in (
       select event.merchant_id, event.id
         from event
         join webhook_endpoint e on e.merchant_id = event.merchant_id
          and (e.kind = event.kind or e.kind = 'default' and not exists (
                select from webhook_endpoint own where own.merchant_id = e.merchant_id and own.kind = event.kind))
        where event.merchant_id = any(${merchantsOf(merchants)}::bigint[]) and event.status = 'PAUSED'
          and e.resumes and e.paused_at is null
        limit ${limit})`
  return count
}

/** The queue of the URLs in merchants' settings. Its keys are kinds of events. */
export const defaultQueue: DeliveryQueue = {
  name: 'default',
  work: 'events',
  lease: leaseEvents,
  nextDue: nextEventDue,
  updateAttempted,
  tally: tallyEndpoints,
  selectPausedQueued,
  setAside,
  enqueueResumed,
  ...queueOf({
    events: names('event'),
    eventKey: names('merchant_id', 'id'),
    endpoints: names('webhook_endpoint'),
    endpointKey: names('merchant_id', 'kind'),
  }),
}
