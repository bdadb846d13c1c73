import type { Tx } from '../../../platform/db.ts'
import { names, sql } from '../../../platform/sql.ts'
import { ofMerchants, ofThose } from '../../../platform/table.ts'
import { HOUSE } from './accounts.ts'
import { BALANCES } from './balances.ts'
import { movesOf, movesWithin } from './moves.ts'
import { FINDINGS_TOLD_MAX, type Finding, ID_MAX, ID_MIN, type Range, ranged, within } from './proof/question.ts'

/** How much moves change each account in ranges of journals. */
export interface Sum extends Range {
  readonly code: string
  readonly moved: bigint
}

/** Sums up moves by account, range by range. */
export const sumMoves = (tx: Tx, ranges: readonly Range[]): Promise<Sum[]> =>
  tx<Sum[]>`
    select k.merchant_id, k.after, k.up_to, e.code, sum(e.change)::bigint as moved
      from ${ranged(ranges)}
     cross join ${movesWithin(ranges)} m
     cross join lateral (values (m.source, -m.amount), (m.target, m.amount)) e (code, change)
     group by k.merchant_id, k.after, k.up_to, e.code`

/** Journals that move nothing, or something from an account to itself, and moves that no journal has, in ranges of journals. */
export async function findTorn(tx: Tx, ranges: readonly Range[]): Promise<readonly Finding[]> {
  const rows = await tx<{ merchantId: bigint; key: string | null; journalId: bigint; moves: number }[]>`
    select merchant_id, key, j.id as journal_id, j.moves
      from ${ranged(ranges)}
     cross join lateral (
       select j.id, j.key, found.moves
         from journal j
        cross join lateral (
          select count(*)::integer as moves, count(*) filter (where m.source = m.target) as wrong from ${movesOf('j', ofThose(ranges))} m) found
        where ${within('j', ranges)} and (found.moves = 0 or found.wrong > 0)
       union all
       select distinct m.journal_id, null, 1 from move m
        where ${within('m', ranges, 'journal_id')}
          and not exists (select from journal o where ${ofMerchants('o', ranges)} and o.merchant_id = m.merchant_id and o.id = m.journal_id)) j
     limit ${FINDINGS_TOLD_MAX}`
  return rows.map(({ merchantId, key, journalId, moves }) =>
    key === null
      ? { merchantId, reference: `journal ${journalId}`, what: `moves name journal ${journalId}, which does not exist` }
      : {
          merchantId,
          reference: key,
          what: `journal ${key} moves ${moves === 0 ? 'nothing' : 'from an account to itself'}`,
        },
  )
}

/** An account, and what is in it. */
export interface AccountRow {
  readonly merchantId: bigint
  readonly code: string
  readonly balance: bigint
}

/** A page of the accounts of merchants, after one. */
export const selectAccounts = (
  tx: Tx,
  merchants: readonly bigint[],
  after: Pick<AccountRow, 'merchantId' | 'code'> | undefined,
  limit: number,
): Promise<AccountRow[]> =>
  tx<AccountRow[]>`
    select merchant_id, code, balance
      from ${BALANCES} account
     where merchant_id = any(${merchants.map(String)}::bigint[])
       and ${after === undefined ? sql`true` : sql`(merchant_id, code) > (${after.merchantId}, ${after.code})`}
     order by merchant_id, code
     limit ${limit}`

/**
 * Finds those who have books and are no merchant, nor the house. Between two merchants who follow each other there is nobody,
 * so each table is looked at once for every merchant, by its index.
 */
export async function findStrangers(tx: Tx): Promise<readonly Finding[]> {
  const strangers = await Promise.all(
    ['account', 'balance_change', 'journal', 'move'].map(
      (table) => tx<{ merchantId: bigint }[]>`
        -- over all merchants: there are none whose rows these would be
        select distinct t.merchant_id
          from (select id as after, lead(id) over (order by id) as before
                  from (select id from merchant union all select unnest(${[String(HOUSE), String(ID_MIN), String(ID_MAX)]}::bigint[])) known (id)) gap
          join ${names(table)} t on t.merchant_id > gap.after and t.merchant_id < gap.before
         limit ${FINDINGS_TOLD_MAX}`,
    ),
  )
  return strangers
    .flat()
    .map(({ merchantId }) => ({ merchantId, reference: String(merchantId), what: 'has books, but is no merchant' }))
}
