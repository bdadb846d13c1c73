import { invariant } from '../../../kernel/errors.ts'
import type { Kobo } from '../../../kernel/money.ts'
import { columnsOf, type Db, type Tx } from '../../../platform/db.ts'
import { setsOf } from '../../../platform/sets.ts'
import { type Fragment, sql } from '../../../platform/sql.ts'
import type { UnitOfWork } from '../../unit-of-work.ts'
import { BALANCES, writeBalances, writePastBalances } from './balances.ts'
import type { Journal } from './journal.ts'

/**
 * Posts journals, their moves and the balances they change, all or none, with a few statements whatever their number.
 * Answers the keys that were new; a key that was posted before changes nothing.
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
 * The same for journals whose keys cannot have been used, because the caller makes their reference unique in this very
 * transaction. It need not wait to learn which are new; a used key fails the transaction.
 */
export function postNew(unit: UnitOfWork, journals: readonly Journal[]): void {
  if (journals.length === 0) return
  const { tx, ids, at } = unit
  void tx`${inserting(journals.map((journal) => dated(journal, ids.id(), at)))}`
  writeBalances(unit, journals)
}

/** A journal with its id and its moment, which may be long past. */
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

/** So many rows go into one statement. */
const SET_MAX = 2_000

/** Posts journals as if at their own moments: for a history that is written afterwards. A used key fails the transaction. */
export function postPast(tx: Tx, journals: readonly DatedJournal[]): void {
  for (const set of setsOf(journals, SET_MAX)) void tx`${inserting(set)}`
  writePastBalances(tx, journals)
}

/** Whether a journal under one of these keys was posted since a time. To be sure, asked under a lock that whoever posts it holds. */
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

/** Inserts journals with their moves. */
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
  for (const { from, to, amount } of moves) invariant(amount > 0n && from !== to, 'a move has an amount and two ends')
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

/** What is a merchant's own and still with us, or on its way: by account, largest first. */
export const moneyOf = (
  db: Db | Tx,
  merchantId: bigint,
): Promise<{ readonly code: string; readonly balance: Kobo }[]> =>
  db<{ code: string; balance: Kobo }[]>`
    select code, balance from ${BALANCES} account
     where merchant_id = ${merchantId} and balance <> 0 and code not like 'clearing/%' and code not like 'fees/%' and code not like 'suspense/%' and code not like 'costs/%'
     order by balance desc`
