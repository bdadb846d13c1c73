import { invariant } from '../../../kernel/errors.ts'
import type { Kobo } from '../../../kernel/money.ts'
import { chunksOf } from '../../../platform/lanes/chunks.ts'
import { columnsOf, type Db, type Tx } from '../../../platform/postgres/db.ts'
import { type Fragment, sql } from '../../../platform/postgres/sql.ts'
import type { UnitOfWork } from '../../unit-of-work.ts'
import { BALANCES, writeBalances, writeHistoryBalances } from './balances.ts'
import type { Journal } from './journal.ts'

/**
 * Posts journals with their moves and balances, all or none, in a few queries. Returns the keys that are new. Skips a
 * journal whose key was posted before.
 */
export async function post(unit: UnitOfWork, journals: readonly Journal[]): Promise<ReadonlySet<string>> {
  if (journals.length === 0) return new Set()
  const { tx, ids, at } = unit
  const identified = journals.map((journal) => dated(journal, ids.id(), at))
  const inserted = await tx<{ id: bigint }[]>`
    ${inserting(identified)} on conflict (merchant_id, key) do nothing returning id`
  const newIds = new Set(inserted.map(({ id }) => id))
  const posted = identified.filter(({ id }) => newIds.has(id))
  writeBalances(unit, posted)
  return new Set(posted.map(({ key }) => key))
}

/**
 * Posts journals whose keys the caller guarantees to be new, without waiting for the result. If a key was used before,
 * the transaction fails.
 */
export function postNew(unit: UnitOfWork, journals: readonly Journal[]): void {
  if (journals.length === 0) return
  const { tx, ids, at } = unit
  void tx`${inserting(journals.map((journal) => dated(journal, ids.id(), at)))}`
  writeBalances(unit, journals)
}

/** A journal with its id and time, which may be in the past. */
export interface DatedJournal extends Journal {
  readonly id: bigint
  readonly postedAt: Date
}

const dated = ({ merchantId, key, memo, moves }: Journal, id: bigint, postedAt: Date): DatedJournal => ({
  merchantId,
  id,
  key,
  memo,
  postedAt,
  moves,
})

/** At most this many rows per query. */
const BATCH_MAX = 2_000

/** Posts journals at their own times, for a sandbox history. If a key was used before, the transaction fails. */
export function postHistory(tx: Tx, journals: readonly DatedJournal[]): void {
  for (const batch of chunksOf(journals, BATCH_MAX)) void tx`${inserting(batch)}`
  writeHistoryBalances(tx, journals)
}

/**
 * Whether a journal with one of these keys was posted since a time. The result is reliable only under the lock that
 * every transaction takes before it posts these journals.
 */
export async function isPosted(
  db: Db | Tx,
  merchantId: bigint,
  keys: readonly string[],
  since: Date,
): Promise<boolean> {
  if (keys.length === 0) return false
  const { count } = await db`
    select from journal where merchant_id = ${merchantId} and key = any(${keys}::text[]) and posted_at > ${since} limit 1`
  return count > 0
}

function inserting(journals: readonly DatedJournal[]): Fragment {
  const rows = columnsOf(
    journals.map(rowOf),
    ...(['merchantId', 'id', 'key', 'memo', 'postedAt', 'sources', 'targets', 'amounts'] as const),
  )
  const { merchantId, id, key, memo, postedAt, sources, targets, amounts } = rows
  return sql`
    insert into journal (merchant_id, id, key, memo, posted_at, sources, targets, amounts)
    select merchant_id, id, key, memo, posted_at, sources::text[], targets::text[], amounts::bigint[]
      from unnest(${merchantId}::bigint[], ${id}::bigint[], ${key}::text[], ${memo}::text[], ${postedAt}::timestamptz[],
                  ${sources}::text[], ${targets}::text[], ${amounts}::text[])
        as new (merchant_id, id, key, memo, posted_at, sources, targets, amounts)`
}

function rowOf({ merchantId, id, key, memo, postedAt, moves }: DatedJournal) {
  for (const { from, to, amount } of moves) invariant(amount > 0n && from !== to, 'a move needs an amount and two ends')
  return {
    merchantId,
    id,
    key,
    memo,
    postedAt,
    sources: moves.map(({ from }) => from),
    targets: moves.map(({ to }) => to),
    amounts: moves.map(({ amount }) => amount),
  }
}

/** Reads a merchant's money at Kobo or in transit, by account, largest first. */
export const moneyOf = (
  db: Db | Tx,
  merchantId: bigint,
): Promise<{ readonly code: string; readonly balance: Kobo }[]> =>
  db<{ code: string; balance: Kobo }[]>`
    select code, balance from ${BALANCES} account
     where merchant_id = ${merchantId} and balance <> 0 and code not like 'clearing/%' and code not like 'fees/%' and code not like 'suspense/%' and code not like 'costs/%'
     order by balance desc`
