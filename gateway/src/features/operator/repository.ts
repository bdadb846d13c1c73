import type { CHANGE_STATUSES, ChangeKind } from '@kobo/contract'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'

/** Changes that one operator requests and another decides on. */
const changes = table('operator_change', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  kind: column<ChangeKind>(),
  wanted: column<object>(),
  reason: column<string>(),
  askedBy: column<bigint>(),
  /** When it was requested, in business time. */
  createdAt: column<Date>(),
  status: column<'WAITING' | 'APPLIED' | 'REJECTED'>(),
  decidedBy: column<bigint | null>(),
  decidedAt: column<Date | null>(),
  decidedBecause: column<string | null>(),
})
export type ChangeRow = Row<typeof changes>

export const insertChange = (tx: Tx, row: ChangeRow): void => changes.insert(tx, [row])

/** Filters of a list of changes. Pending changes requested before `expiredBefore` have expired. */
export interface ChangeFilter {
  readonly merchantId: bigint | null
  readonly status: (typeof CHANGE_STATUSES)[number] | null
  readonly expiredBefore: Date
  readonly from: bigint
  readonly before: bigint
}

/** Returns changes, newest first. */
export const selectChanges = (
  db: Db,
  { merchantId, status, expiredBefore, from, before }: ChangeFilter,
  limit: number,
): Promise<ChangeRow[]> =>
  // over all merchants: for the operator
  db<ChangeRow[]>`
    select ${changes.of('c')}
      from operator_change c
     where c.id >= ${from} and c.id < ${before}
       and (${merchantId}::bigint is null or c.merchant_id = ${merchantId}::bigint)
       and (${status}::text is null
            or ${status}::text = case when c.status = 'WAITING' and c.created_at <= ${expiredBefore} then 'EXPIRED' else c.status end)
     order by c.id desc
     limit ${limit}`

export async function findChange(db: Db, id: bigint): Promise<ChangeRow | undefined> {
  // over all merchants: for the operator, by id
  const [row] = await db<ChangeRow[]>`select ${changes.columns} from operator_change where id = ${id}`
  return row
}

/** Locks a change until the transaction ends, and returns its current state. */
export async function lockChange(
  tx: Tx,
  { merchantId, id }: Pick<ChangeRow, 'merchantId' | 'id'>,
): Promise<ChangeRow | undefined> {
  const [row] = await changes.lock(tx, [{ merchantId, id }])
  return row
}

export const writeDecision = (
  tx: Tx,
  { merchantId, id }: Pick<ChangeRow, 'merchantId' | 'id'>,
  decision: Pick<ChangeRow, 'status' | 'decidedBy' | 'decidedAt' | 'decidedBecause'>,
): void => void changes.change(tx, sql`merchant_id = ${merchantId} and id = ${id}`, decision)

export async function countWaitingChanges(db: Db, expiredBefore: Date): Promise<number> {
  // over all merchants: for the operator
  const [row] = await db<{ count: bigint }[]>`
    select count(*) from operator_change where status = 'WAITING' and created_at > ${expiredBefore}`
  return Number(row?.count ?? 0)
}
