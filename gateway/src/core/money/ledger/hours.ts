import type { Db, Tx } from '../../../platform/postgres/db.ts'
import { type Fragment, sql } from '../../../platform/postgres/sql.ts'
import { movesInRow } from './moves.ts'
import { type Range, ranged, within } from './verification/check.ts'

/** The moves of one hour between two kinds of accounts. */
export interface HourOfMoves {
  readonly merchantId: bigint
  readonly hour: Date
  readonly source: string
  readonly target: string
  /** The number of journals. */
  readonly count: bigint
  readonly amount: bigint
}

/** Computes the hour of a row from its id, which holds the milliseconds since 2024, shifted left by 22 bits. */
export const hourOfId = (id: Fragment): Fragment =>
  sql`timestamptz '2024-01-01T00:00:00Z' + ((${id} >> 22) / 3600000) * interval '1 hour'`

/** Returns the kind of an account: its name without the wallet, sub account or partner. */
const kindOf = (account: Fragment): Fragment => sql`case
    when ${account} like 'clearing/%' then 'clearing/' || split_part(${account}, '/', 2)
    when ${account} like 'fees/%' then ${account}
    when ${account} like 'in-flight/settlement%' then 'in-flight/settlement'
    else split_part(${account}, '/', 1) end`

/** Adds up the moves of journals in ranges, by hour and by the kinds of the two accounts. */
export const sumHours = (db: Db | Tx, ranges: readonly Range[]): Promise<HourOfMoves[]> =>
  ranges.length === 0
    ? Promise.resolve([])
    : db<HourOfMoves[]>`
        with k as materialized (select merchant_id, after, up_to from ${ranged(ranges)})
        select m.merchant_id, ${hourOfId(sql`m.journal_id`)} as hour, ${kindOf(sql`m.source`)} as source, ${kindOf(sql`m.target`)} as target,
               count(distinct m.journal_id) as count, sum(m.amount)::bigint as amount
          from (select j.merchant_id, j.id as journal_id, held.source, held.target, held.amount
                  from k
                 cross join lateral (
                   select merchant_id, id, sources, targets, amounts from journal j
                    where ${within('j', ranges)} offset 0) j
                 cross join lateral ${movesInRow('j')}
                union all
                select b.merchant_id, b.journal_id, b.source, b.target, b.amount
                  from k
                 cross join lateral (
                   select merchant_id, journal_id, source, target, amount from move b
                    where ${within('b', ranges, 'journal_id')} offset 0) b) m
         group by 1, 2, 3, 4`

export async function firstJournal(db: Db | Tx, merchantId: bigint): Promise<bigint | undefined> {
  const [row] = await db<{ id: bigint }[]>`
    select id from journal where merchant_id = ${merchantId} order by id limit 1`
  return row?.id
}
