import { rowSet, type Tx } from '../../../platform/postgres/db.ts'
import { type Fragment, sql } from '../../../platform/postgres/sql.ts'
import { column, type MerchantScope, ofMerchants, table } from '../../../platform/postgres/table.ts'
import type { UnitOfWork } from '../../unit-of-work.ts'
import { isAppended, mayBeBelowZero } from './accounts.ts'
import type { Journal } from './journal.ts'

interface BalanceChange {
  readonly merchantId: bigint
  readonly code: string
  readonly change: bigint
}

/** Changes not yet added to their accounts' rows. */
const appended = table('balance_change', ['merchantId', 'id'], {
  merchantId: column<bigint>('bigint'),
  id: column<bigint>('bigint'),
  code: column<string>('text'),
  change: column<bigint>('bigint'),
})

/** Account balances to select from: the rows plus appended changes. */
export const BALANCES: Fragment = sql`(
  -- over all merchants: the caller restricts it
  select merchant_id, code, sum(balance)::bigint as balance
    from (select merchant_id, code, balance from account
          union all
          select merchant_id, code, change from balance_change) parts
   group by merchant_id, code)`

/**
 * Changes balances by journals. Changes that every payment makes are appended, so a merchant's payments do not wait for
 * each other, and old row versions do not pile up while a long snapshot is open. A withdrawal from an account that may
 * not be negative changes its row, where the database enforces the limit.
 */
export function writeBalances({ tx, ids }: Pick<UnitOfWork, 'tx' | 'ids'>, journals: readonly Journal[]): void {
  const { true: later = [], false: now = [] } = Object.groupBy(balanceChanges(journals), (one) => String(appends(one)))
  appended.insert(
    tx,
    later.filter(({ change }) => change !== 0n).map((change) => ({ ...change, id: ids.id() })),
  )
  changeRows(tx, now)
}

/** Changes balances by the journals of a sandbox history, which is written in bulk, so nothing is appended. */
export const writeHistoryBalances = (tx: Tx, journals: readonly Journal[]): void =>
  changeRows(tx, balanceChanges(journals))

const appends = ({ code, change }: BalanceChange): boolean => isAppended(code) && (change >= 0n || mayBeBelowZero(code))

/** Returns the change of each account, always in the same order, so that two postings never deadlock. */
function balanceChanges(journals: readonly Journal[]): readonly BalanceChange[] {
  const changes: BalanceChange[] = []
  for (const { merchantId, moves } of journals)
    for (const { from, to, amount } of moves)
      changes.push({ merchantId, code: from, change: -amount }, { merchantId, code: to, change: amount })
  return summedUp(changes)
}

function summedUp(changes: readonly BalanceChange[]): readonly BalanceChange[] {
  const sums = new Map<string, BalanceChange>()
  for (const { merchantId, code, change } of changes) {
    const key = `${merchantId} ${code}`
    sums.set(key, { merchantId, code, change: (sums.get(key)?.change ?? 0n) + change })
  }
  return [...sums.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, change]) => change)
}

/**
 * Changes the accounts' rows with pipelined queries. Queries that lock rows come last. An account with a withdrawal is
 * folded first, so that its limit is checked against the whole balance. Rows are always locked in the same order.
 */
function changeRows(tx: Tx, changes: readonly BalanceChange[]): void {
  if (changes.length === 0) return
  openAccounts(tx, changes)
  const withdrawals = changes.filter((one) => isAppended(one.code) && !appends(one))
  if (withdrawals.length > 0) foldAccounts(tx, withdrawals)
  changeBalances(tx, changes)
}

/**
 * Opens missing accounts. Looks for existing ones first, because a conflicting insert would wait for concurrent
 * changes.
 */
function openAccounts(tx: Tx, changes: readonly BalanceChange[]): void {
  void tx`
    insert into account (merchant_id, code, balance)
    select merchant_id, code, 0
      from json_to_recordset(${rowSet(changes)}::text::json) as c (merchant_id bigint, code text)
     where not exists (
       select from account a where ${ofMerchants('a', changes)} and a.merchant_id = c.merchant_id and a.code = c.code)
        on conflict (merchant_id, code) do nothing`
}

const changeBalances = (tx: Tx, changes: readonly BalanceChange[]): void =>
  void tx`
    with locked as materialized (${locking(
      changes,
      sql`json_to_recordset(${rowSet(changes)}::text::json) as c (merchant_id bigint, code text, change bigint)`,
    )})
    ${adding(changes)}`

/** Folds the committed appended changes of accounts into their rows. */
const foldAccounts = (tx: Tx, accounts: readonly BalanceChange[]): void =>
  void tx`
    with gone as (
      delete from balance_change b
       using json_to_recordset(${rowSet(accounts, ['merchantId', 'code'])}::text::json) as k (merchant_id bigint, code text)
       where ${ofMerchants('b', accounts)} and b.merchant_id = k.merchant_id and b.code = k.code
      returning b.merchant_id, b.code, b.change
    ), locked as materialized (${locking(
      accounts,
      sql`(select merchant_id, code, sum(change)::bigint as change from gone group by 1, 2 order by 1, 2) c`,
    )})
    ${adding(accounts)}`

/** Locks the accounts of the changes `c`, in order. */
const locking = (of: readonly BalanceChange[], changes: Fragment): Fragment => sql`
  select a.merchant_id, a.code, c.change
    from ${changes}
   cross join lateral (
     select merchant_id, code from account a
      where ${ofMerchants('a', of)} and a.merchant_id = c.merchant_id and a.code = c.code for update) a`

const adding = (of: readonly BalanceChange[]): Fragment => sql`
  update account
     set balance = balance + locked.change
    from locked
   where ${ofMerchants('account', of)}
     and account.merchant_id = locked.merchant_id and account.code = locked.code`

/** At most this many changes are folded per transaction. */
export const FOLD_MAX = 5_000

/**
 * Folds the appended changes from the id `since` on, for merchants on one shard; returns how many. Changes that another
 * process is folding are skipped.
 */
export async function foldChanges(tx: Tx, whose: MerchantScope, since: bigint): Promise<number> {
  const folded = await tx<BalanceChange[]>`
    with taken as materialized (
      select b.merchant_id, b.id from balance_change b
       where ${whose('b')} and b.id >= ${since}
       order by b.merchant_id, b.id
       limit ${FOLD_MAX}
         for update skip locked)
    delete from balance_change b
     using taken t
     where ${whose('b')} and b.merchant_id = t.merchant_id and b.id = t.id
    returning b.merchant_id, b.code, b.change`
  changeRows(tx, summedUp(folded))
  return folded.length
}
