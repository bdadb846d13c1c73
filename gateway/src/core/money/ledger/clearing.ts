import { secondsAfter } from '../../../kernel/clock.ts'
import { HOUSE } from '../../../kernel/house.ts'
import { firstIdAt } from '../../../kernel/ids.ts'
import { type Kobo, kobo } from '../../../kernel/money.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import { type Fragment, sql } from '../../../platform/postgres/sql.ts'
import type { MerchantScope } from '../../../platform/postgres/table.ts'
import { accounts, RAILS } from './accounts.ts'
import { BALANCES } from './balances.ts'
import { movesOf } from './moves.ts'

/** A journal's effect on a partner's balance. */
export interface ClearingEntry {
  readonly merchantId: bigint
  readonly key: string
  readonly postedAt: Date
  /** The account that the money came from or went to. Its name contains the rail. */
  readonly account: string
  /** Positive if the partner holds more after it. */
  readonly amount: Kobo
  /** Our revenue from the journal. */
  readonly income: Kobo
}

/** Returns the accounts that mirror the money that a partner holds. */
const clearingOf = (partner: string): string[] => [
  accounts.clearingAt(partner),
  ...RAILS.map((rail) => accounts.clearing(rail, partner)),
]

/** The time in a journal's id and its `posted_at` differ by at most this much. */
const TIMES_DIFFER_SECONDS = 3_600

/** Selects a period's journals, for merchants on one shard, with the sum of each journal's moves at a partner. */
const sums = (whose: MerchantScope, partner: string, from: Date, to: Date | null): Fragment => sql`
  select j.merchant_id, j.key, j.posted_at, s.account, s.amount, s.income
    from (select id as merchant_id from merchant union select ${HOUSE}::bigint) k
   cross join lateral (
     select merchant_id, id, key, posted_at, sources, targets, amounts from journal j
      where ${whose('j')} and j.merchant_id = k.merchant_id and j.id >= ${firstIdAt(secondsAfter(from, -TIMES_DIFFER_SECONDS))}
        and (${to}::timestamptz is null or j.id < ${to === null ? 0n : firstIdAt(secondsAfter(to, TIMES_DIFFER_SECONDS))})
        and j.posted_at >= ${from} and (${to}::timestamptz is null or j.posted_at < ${to}) offset 0) j
   cross join lateral (
     select min(case when source = any(${clearingOf(partner)}::text[]) then source else target end)
              filter (where source = any(${clearingOf(partner)}::text[]) or target = any(${clearingOf(partner)}::text[])) as account,
            (coalesce(sum(amount) filter (where source = any(${clearingOf(partner)}::text[])), 0)
             - coalesce(sum(amount) filter (where target = any(${clearingOf(partner)}::text[])), 0))::bigint as amount,
            (coalesce(sum(amount) filter (where target like 'fees/%'), 0)
             - coalesce(sum(amount) filter (where source like 'fees/%'), 0))::bigint as income
       from ${movesOf('j', whose)} m) s
   where s.amount <> 0`

/** Selects the journals of a period that changed a partner's balance, for merchants on one shard. */
export const selectClearing = (
  db: Db | Tx,
  whose: MerchantScope,
  partner: string,
  from: Date,
  to: Date,
): Promise<ClearingEntry[]> => db<ClearingEntry[]>`${sums(whose, partner, from, to)}`

/** Returns a partner's balance at a time, for merchants on one shard: the current balance minus later changes. */
export async function heldAt(db: Db | Tx, whose: MerchantScope, partner: string, at: Date): Promise<Kobo> {
  const [row] = await db<{ held: bigint }[]>`
    select (-coalesce((select sum(balance) from ${BALANCES} a where ${whose('a')} and code = any(${clearingOf(partner)}::text[])), 0)
            - coalesce((select sum(amount) from (${sums(whose, partner, at, null)}) since), 0))::bigint as held`
  return kobo(row?.held ?? 0n)
}
