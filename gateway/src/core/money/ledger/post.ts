import { invariant } from '../../../kernel/errors.ts'
import type { Kobo } from '../../../kernel/money.ts'
import { columnsOf, type Db, rowSet, type Tx } from '../../../platform/db.ts'
import { setsOf } from '../../../platform/sets.ts'
import { type Fragment, sql } from '../../../platform/sql.ts'
import { ofMerchants } from '../../../platform/table.ts'
import type { UnitOfWork } from '../../unit-of-work.ts'
import type { Journal } from './journal.ts'

interface BalanceChange {
  readonly merchantId: bigint
  readonly code: string
  readonly change: bigint
}

/**
 * Posts journals, their moves and the balances they change, all or none, with a few statements whatever their number.
 * Answers the keys that were new; a key that was posted before changes nothing.
 */
export async function post({ tx, ids, at }: UnitOfWork, journals: readonly Journal[]): Promise<ReadonlySet<string>> {
  if (journals.length === 0) return new Set()
  const identified = journals.map((journal) => ({ ...journal, id: ids.id(), postedAt: at }))
  const inserted = await tx<{ id: bigint }[]>`
    ${inserting(identified)} on conflict (merchant_id, key) do nothing returning id`
  const newIds = new Set(inserted.map(({ id }) => id))
  const posted = identified.filter(({ id }) => newIds.has(id))
  writeBalances(tx, posted)
  return new Set(posted.map(({ key }) => key))
}

/**
 * The same for journals whose keys cannot have been used, because the caller makes their reference unique in this very
 * transaction. It need not wait to learn which are new; a used key fails the transaction.
 */
export function postNew({ tx, ids, at }: UnitOfWork, journals: readonly Journal[]): void {
  if (journals.length === 0) return
  void tx`${inserting(journals.map((journal) => ({ ...journal, id: ids.id(), postedAt: at })))}`
  writeBalances(tx, journals)
}

/** A journal with its id and its moment, which may be long past. */
export interface DatedJournal extends Journal {
  readonly id: bigint
  readonly postedAt: Date
}

/** So many rows go into one statement. */
const SET_MAX = 2_000

/** Posts journals as if at their own moments: for a history that is written afterwards. A used key fails the transaction. */
export function postPast(tx: Tx, journals: readonly DatedJournal[]): void {
  for (const set of setsOf(journals, SET_MAX)) void tx`${inserting(set)}`
  writeBalances(tx, journals)
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

function rowOf({ moves, ...journal }: DatedJournal) {
  for (const { from, to, amount } of moves) invariant(amount > 0n && from !== to, 'a move has an amount and two ends')
  return {
    ...journal,
    sources: moves.map(({ from }) => from),
    targets: moves.map(({ to }) => to),
    amounts: moves.map(({ amount }) => amount),
  }
}

/** Changes balances as journals say. The statements travel together, the one that locks last. */
function writeBalances(tx: Tx, journals: readonly Journal[]): void {
  if (journals.length === 0) return
  const changes = balanceChanges(journals)
  openAccounts(tx, changes)
  changeBalances(tx, changes)
}

/** What a set of moves does to each account, in one order for all, so that two postings never wait for each other. */
function balanceChanges(journals: readonly Journal[]): readonly BalanceChange[] {
  const changes = new Map<string, BalanceChange>()
  const add = (merchantId: bigint, code: string, amount: bigint): void => {
    const key = `${merchantId} ${code}`
    changes.set(key, { merchantId, code, change: (changes.get(key)?.change ?? 0n) + amount })
  }
  for (const { merchantId, moves } of journals)
    for (const { from, to, amount } of moves) {
      add(merchantId, from, -amount)
      add(merchantId, to, amount)
    }
  return [...changes.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, change]) => change)
}

/** Opens accounts that do not exist yet. Asks first: an insert that conflicts would wait for whoever is changing the balance. */
function openAccounts(tx: Tx, changes: readonly BalanceChange[]): void {
  void tx`
    insert into account (merchant_id, code, balance)
    select merchant_id, code, 0
      from json_to_recordset(${rowSet(changes)}::text::json) as c (merchant_id bigint, code text)
     where not exists (
       select from account a where ${ofMerchants('a', changes)} and a.merchant_id = c.merchant_id and a.code = c.code)
        on conflict (merchant_id, code) do nothing`
}

function changeBalances(tx: Tx, changes: readonly BalanceChange[]): void {
  void tx`
    with locked as materialized (
      select a.merchant_id, a.code, c.change
        from json_to_recordset(${rowSet(changes)}::text::json) as c (merchant_id bigint, code text, change bigint)
       cross join lateral (
         select merchant_id, code from account a
          where ${ofMerchants('a', changes)} and a.merchant_id = c.merchant_id and a.code = c.code for update) a
    )
    update account
       set balance = balance + locked.change
      from locked
     where ${ofMerchants('account', changes)}
       and account.merchant_id = locked.merchant_id and account.code = locked.code`
}

/** What is a merchant's own and still with us, or on its way: by account, largest first. */
export const moneyOf = (
  db: Db | Tx,
  merchantId: bigint,
): Promise<{ readonly code: string; readonly balance: Kobo }[]> =>
  db<{ code: string; balance: Kobo }[]>`
    select code, balance from account
     where merchant_id = ${merchantId} and balance <> 0 and code not like 'clearing/%' and code not like 'fees/%' and code not like 'suspense/%' and code not like 'costs/%'
     order by balance desc`
