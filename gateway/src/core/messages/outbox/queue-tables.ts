import type { Fragment } from '../../../platform/postgres/sql.ts'
import { merchantsOf } from '../../../platform/postgres/table.ts'
import { ofShard } from '../../shards/index.ts'
import type { DeliveryQueue } from './queue.ts'

/** The tables of a queue's events and endpoints, and their primary keys. */
interface QueueTables {
  readonly events: Fragment
  readonly eventKey: Fragment
  readonly endpoints: Fragment
  readonly endpointKey: Fragment
}

type SharedPart = 'enqueueDue' | 'nextWaitingDue' | 'lockEndpoints' | 'selectResuming' | 'markResumed'

/** Builds the part of a queue whose queries differ only in the tables. */
export const queueOf = ({
  events,
  eventKey,
  endpoints,
  endpointKey,
}: QueueTables): Pick<DeliveryQueue, SharedPart> => ({
  enqueueDue: async (tx, shard, at, limit) => {
    const { count } = await tx`
      with taken as materialized (
        select ${eventKey} from ${events} e
         where ${ofShard(shard, 'e')} and status = 'WAITING' and next_attempt_at <= ${at}
         order by next_attempt_at limit ${limit}
           for update skip locked)
      update ${events} e
         set status = 'PENDING'
       where ${ofShard(shard, 'e')} and (${eventKey}) in (select ${eventKey} from taken)`
    return count
  },
  nextWaitingDue: async (db) => {
    const [row] = await db<{ due: Date | null }[]>`
      -- over all merchants: due work
      select min(next_attempt_at) as due from ${events} where status = 'WAITING'`
    return row?.due ?? undefined
  },
  lockEndpoints: async (tx, merchants) => {
    await tx`
      select from ${endpoints}
       where merchant_id = any(${merchantsOf(merchants)}::bigint[]) order by ${endpointKey} for update`
  },
  selectResuming: (db, shard, limit) =>
    db<{ merchantId: bigint }[]>`
      select merchant_id from ${endpoints} e
       where ${ofShard(shard, 'e')} and resumes and paused_at is null
       order by ${endpointKey} limit ${limit}`,
  markResumed: (tx, merchants) =>
    void tx`
      update ${endpoints} set resumes = false
       where merchant_id = any(${merchantsOf(merchants)}::bigint[]) and resumes and paused_at is null`,
})
