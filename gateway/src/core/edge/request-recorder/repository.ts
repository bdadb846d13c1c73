import { type Db, inOneQuery, type Tx } from '../../../platform/postgres/db.ts'
import { deleteBatch } from '../../../platform/postgres/delete-in-batches.ts'
import { type ListFilter, type ListPage, listing, type PlaceInList } from '../../../platform/postgres/list-search.ts'
import { type Fragment, sql } from '../../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../../platform/postgres/table.ts'
import { ofShard, type Shard } from '../../shards/index.ts'

const requests = table('request_log', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  at: column<Date>(),
  method: column<string>(),
  route: column<string>(),
  status: column<number>(),
  outcome: column<'SUCCEEDED' | 'REFUSED' | 'FAILED'>(),
  refusal: column<string | null>(),
  reference: column<string | null>(),
  microseconds: column<number>(),
  requestId: column<string>(),
  address: column<string>(),
  leftOut: column<number>(),
  url: column<string | null>(),
  requestBody: column<string | null>(),
  answerBody: column<string | null>(),
})
export type RequestRow = Row<typeof requests>

/** The rows kept per merchant. There may be more until the next cleanup. */
export const STORED_MAX = 10_000

export const insertRequests = (db: Db, rows: readonly RequestRow[]): Promise<void> =>
  inOneQuery(db, (tx) => requests.insert(tx, rows))

/** Deletes a merchant's oldest rows above the maximum. */
export async function dropExcess(db: Db, merchantId: bigint): Promise<void> {
  await db`
    delete from request_log
     where merchant_id = ${merchantId}
       and id <= (select id from request_log where merchant_id = ${merchantId}
                   order by id desc offset ${STORED_MAX} limit 1)`
}

const requestList = listing(requests, { idFormat: 'standard', status: 'outcome' })

/** Filters of the log, in addition to those of every list. */
export interface RequestFilter extends ListFilter {
  /** A part of the route's path. */
  readonly route?: string | undefined
  readonly reference?: string | undefined
  readonly requestId?: string | undefined
}

/** Selects a page of a merchant's requests, newest first. */
export function selectRequests(
  db: Db,
  merchantId: bigint,
  { route, reference, requestId, ...filter }: RequestFilter,
  place: PlaceInList,
): Promise<ListPage<RequestRow>> {
  const isRequested: Fragment = sql`
    (${route ?? null}::text is null or position(lower(${route ?? null}::text) in lower(route)) > 0)
    and (${reference ?? null}::text is null or reference = ${reference ?? null}::text)
    and (${requestId ?? null}::text is null or request_id = ${requestId ?? null}::text)`
  return requestList(db, merchantId, filter, place, isRequested)
}

export const findRequest = (db: Db, merchantId: bigint, id: bigint): Promise<RequestRow | undefined> =>
  requests.find(db, { merchantId, id })

/** Deletes requests with lower ids; returns how many. */
export const deleteRequestsBefore = (db: Db, shard: Shard, before: bigint, limit: number): Promise<number> =>
  deleteBatch(db, requests, sql`id < ${before}`, limit, undefined, ofShard(shard, 't'))

/** Deletes a merchant's requests that contain one of these texts, given in lower case, or one of these references. */
export async function deleteRequests(
  tx: Tx,
  merchantId: bigint,
  texts: readonly string[],
  references: readonly string[],
): Promise<number> {
  const { count } = await tx`
    delete from request_log
     where merchant_id = ${merchantId}
       and (reference = any(${references}::text[])
            or exists (select from unnest(${texts}::text[]) known
                        where position(known in lower(concat_ws(' ', url, reference, request_body, answer_body))) > 0)
            or exists (select from unnest(${references}::text[]) known
                        where position(known in concat_ws(' ', url, request_body, answer_body)) > 0))`
  return count
}
