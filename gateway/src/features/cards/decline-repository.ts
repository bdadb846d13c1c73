import { secondsAfter } from '../../kernel/clock.ts'
import { firstTransactionIdAt } from '../../kernel/ids.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { deleteBatch } from '../../platform/postgres/delete-in-batches.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'

const declineCounts = table('card_decline_count', ['key', 'windowEnds'], {
  /** The attribute that the declined charges share. */
  key: column<string>(),
  windowEnds: column<Date>(),
  declines: column<number>(),
  blocked: column<boolean>(),
})
type CountRow = Row<typeof declineCounts>
export type DeclineCount = Pick<CountRow, 'key' | 'windowEnds' | 'declines'>

/** Counts one decline for each of the keys; returns the totals over all nodes. */
export const addDecline = (tx: Tx, rows: readonly Pick<CountRow, 'key' | 'windowEnds'>[]): Promise<DeclineCount[]> =>
  // Over all merchants: card testing uses many of them. In a fixed order, so that two writers never deadlock.
  tx<DeclineCount[]>`
    insert into card_decline_count (key, window_ends, declines)
    select key, window_ends, 1 from ${declineCounts.set(rows, ['key', 'windowEnds'])} new order by key
        on conflict (key, window_ends) do update set declines = card_decline_count.declines + 1
    returning key, window_ends, declines`

/** Blocks a key, and notifies every node on commit; returns whether it was not blocked before. */
export async function block(
  tx: Tx,
  { key, windowEnds }: DeclineCount,
  channel: string,
  message: string,
): Promise<boolean> {
  const { count } = await tx`
    update card_decline_count set blocked = true
     where key = ${key} and window_ends = ${windowEnds} and not blocked`
  if (count === 1) void tx`select pg_notify(${channel}, ${message})`
  return count === 1
}

/** Reads the keys that are blocked at the given time. */
export const selectBlocked = (db: Db, at: Date, limit: number): Promise<Pick<CountRow, 'key' | 'windowEnds'>[]> =>
  db<Pick<CountRow, 'key' | 'windowEnds'>[]>`
    select key, window_ends from card_decline_count where blocked and window_ends > ${at} limit ${limit}`

export const deleteOldCounts = (tx: Tx, at: Date, limit: number): Promise<number> =>
  deleteBatch(tx, declineCounts, sql`window_ends <= ${at}`, limit)

const ATTEMPTS_LOOKED_AT_MAX = 10_000
/** A transaction is usually paid within this time of being opened. Attempts are found through their transactions. */
const OPENED_BEFORE_SECONDS = 3_600

/** Counts the charges of a merchant, or of one of its BINs, since the given time: all of them and the declined ones. */
export async function countRecentAttempts(
  db: Db,
  merchantId: bigint,
  bin: string | null,
  since: Date,
): Promise<{ readonly all: number; readonly declined: number }> {
  const firstId = firstTransactionIdAt(secondsAfter(since, -OPENED_BEFORE_SECONDS))
  const [row] = await db<{ all: bigint; declined: bigint }[]>`
    select count(*) as all, count(*) filter (where status = 'DECLINED') as declined
      from (select status from card_attempt
             where merchant_id = ${merchantId} and transaction_id >= ${firstId} and opened_at >= ${since}
               ${bin === null ? sql`` : sql`and card ->> 'bin' = ${bin}`}
             order by transaction_id desc
             limit ${ATTEMPTS_LOOKED_AT_MAX}) recent`
  return { all: Number(row?.all ?? 0n), declined: Number(row?.declined ?? 0n) }
}
