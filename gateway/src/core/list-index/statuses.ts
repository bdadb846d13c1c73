import type { Db, Tx } from '../../platform/postgres/db.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { MerchantScope } from '../../platform/postgres/table.ts'
import { BEGINNING, type LongTable, lockMarks, type Mark, marks, marksWithAfter, someMarks } from './marks.ts'

/** A row whose status no longer changes once the row is completed. */
export interface Completed {
  readonly status: string
  readonly completedAt: Date | null
}

/**
 * Counts a merchant's rows with a status. If all rows of an index entry are completed, their counts are stored in it.
 * Only the other rows are counted now.
 */
export async function countOfStatus<R extends Completed>(
  db: Db,
  { name, label }: LongTable<R>,
  merchantId: bigint,
  status: R['status'],
): Promise<number> {
  const ofStatus = sql`t.merchant_id = ${merchantId} and t.status = ${status}`
  const [row] = await db<{ count: bigint }[]>`
    with marked as (${marksWithAfter(merchantId, label)})
    select coalesce((select sum((by_status ->> ${status}::text)::bigint) from marked), 0)::bigint
         + (select count(*) from marked
             cross join lateral (select from ${name} t
                                  where by_status is null and ${ofStatus} and t.id > after and t.id <= up_to) one)
         + (select count(*) from ${name} t
             where ${ofStatus} and t.id > (select coalesce(max(up_to), ${BEGINNING.upTo}) from marked)) as count`
  return Number(row?.count ?? 0n)
}

/**
 * Stores the counts by status of some entries on one shard whose rows are all completed; returns how many entries.
 * Entries are counted independently, so a row that stays open for long delays only its own entry.
 */
export async function countMarks<R extends Completed>(
  tx: Tx,
  whose: MerchantScope,
  { name, label }: LongTable<R>,
  limit: number,
): Promise<number> {
  // A process that inserts rows between indexed ones has already deleted the entries, or waits for this lock.
  await lockMarks(tx)
  const counted = await tx<Mark[]>`
    select m.merchant_id, m.list, m.up_to, m.count, rows.by_status
      from (${someMarks(whose, label, sql`m.by_status is null`, limit)}) m
     cross join lateral (
       select jsonb_object_agg(status, count) as by_status, bool_and(are_complete) as are_complete
         from (select t.status, count(*), bool_and(t.completed_at is not null) as are_complete
                 from ${name} t
                where ${whose('t')} and t.merchant_id = m.merchant_id and t.id > m.after and t.id <= m.up_to
                group by t.status) of_status) rows
     where rows.are_complete`
  marks.update(tx, counted, ['byStatus'])
  return counted.length
}
