import { invariant } from '../../kernel/errors.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { rowSet, type Tx } from '../../platform/db.ts'
import type { Journal } from './journal.ts'

/**
 * Posts journals, their moves and the balances they change, all or none, with two statements whatever their number.
 * Answers the keys that were new; a key that was posted before changes nothing.
 */
export async function post(tx: Tx, ids: IdSource, at: Date, journals: readonly Journal[]): Promise<ReadonlySet<string>> {
  if (journals.length === 0) return new Set()
  const rows = journals.map((journal) => ({ ...journal, id: ids.id() }))
  const heads = rows.map(({ merchantId, id, key, memo }) => ({ merchantId, id, key, memo, postedAt: at }))
  const moves = rows.flatMap(({ merchantId, id, moves }) =>
    moves.map(({ from, to, amount }, line) => {
      invariant(amount > 0n && from !== to, 'a move has an amount and two ends')
      return { merchantId, journalId: id, line, source: from, target: to, amount }
    }),
  )
  const moveSet = rowSet(moves)
  // Not awaited: both statements travel together.
  const opened = tx`
    insert into account (merchant_id, code, balance)
    select distinct merchant_id, unnest(array[source, target]) as code, 0
      from json_populate_recordset(null::move, ${moveSet}::text::json)
     order by merchant_id, code
        on conflict (merchant_id, code) do nothing`
  const posted = tx<{ key: string }[]>`
    with posted as (
      insert into journal
      select * from json_populate_recordset(null::journal, ${rowSet(heads)}::text::json)
          on conflict (merchant_id, key) do nothing
      returning merchant_id, id, key
    ), line as materialized (
      select m.*
        from json_populate_recordset(null::move, ${moveSet}::text::json) m
        join posted on posted.merchant_id = m.merchant_id and posted.id = m.journal_id
    ), change as (
      select merchant_id, code, sum(change) as change
        from (select merchant_id, source as code, -amount as change from line
              union all
              select merchant_id, target, amount from line) ends
       group by merchant_id, code
    ), locked as materialized (
      -- In one order for all, so that two postings never wait for each other.
      select account.merchant_id, account.code, change.change
        from account
        join change using (merchant_id, code)
       order by account.merchant_id, account.code
         for update of account
    ), balanced as (
      update account
         set balance = account.balance + locked.change
        from locked
       where account.merchant_id = locked.merchant_id and account.code = locked.code
    ), written as (
      insert into move select * from line
    )
    select key from posted`
  await opened
  return new Set((await posted).map(({ key }) => key))
}
