import { HOUSE } from '../../../kernel/house.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { names, sql } from '../../../platform/postgres/sql.ts'
import { ofMerchants, scopeOf } from '../../../platform/postgres/table.ts'

import { BALANCES } from './balances.ts'
import { movesOf, movesWithin } from './moves.ts'
import { FINDINGS_SHOWN_MAX, type Finding, ID_MAX, ID_MIN, type Range, ranged, within } from './verification/check.ts'

/** The sum of an account's changes by the journals in a range. */
export interface Sum extends Range {
  readonly code: string
  readonly moved: bigint
}

export const sumMoves = (tx: Tx, ranges: readonly Range[]): Promise<Sum[]> =>
  tx<Sum[]>`
    select k.merchant_id, k.after, k.up_to, e.code, sum(e.change)::bigint as moved
      from ${ranged(ranges)}
     cross join ${movesWithin(ranges)} m
     cross join lateral (values (m.source, -m.amount), (m.target, m.amount)) e (code, change)
     group by k.merchant_id, k.after, k.up_to, e.code`

/** Finds journals without moves or with a move from an account to itself, and moves without a journal. */
export async function findBrokenJournals(tx: Tx, ranges: readonly Range[]): Promise<readonly Finding[]> {
  const rows = await tx<{ merchantId: bigint; key: string | null; journalId: bigint; moves: number }[]>`
    select merchant_id, key, j.id as journal_id, j.moves
      from ${ranged(ranges)}
     cross join lateral (
       select j.id, j.key, found.moves
         from journal j
        cross join lateral (
          select count(*)::integer as moves, count(*) filter (where m.source = m.target) as wrong from ${movesOf('j', scopeOf(ranges))} m) found
        where ${within('j', ranges)} and (found.moves = 0 or found.wrong > 0)
       union all
       select distinct m.journal_id, null, 1 from move m
        where ${within('m', ranges, 'journal_id')}
          and not exists (select from journal o where ${ofMerchants('o', ranges)} and o.merchant_id = m.merchant_id and o.id = m.journal_id)) j
     limit ${FINDINGS_SHOWN_MAX}`
  return rows.map(({ merchantId, key, journalId, moves }) =>
    key === null
      ? {
          merchantId,
          reference: `journal ${journalId}`,
          what: `moves refer to journal ${journalId}, which does not exist`,
        }
      : {
          merchantId,
          reference: key,
          what: `journal ${key} moves ${moves === 0 ? 'nothing' : 'from an account to itself'}`,
        },
  )
}

export interface AccountRow {
  readonly merchantId: bigint
  readonly code: string
  readonly balance: bigint
}

/** Selects a page of merchants' accounts that follow the account `after`. */
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
 * Finds ledger rows whose owner is neither a merchant nor Kobo. Searches the gaps between consecutive merchant ids,
 * with one index lookup per gap.
 */
export async function findUnknownMerchants(tx: Tx): Promise<readonly Finding[]> {
  const unknown = await Promise.all(
    ['account', 'balance_change', 'journal', 'move'].map(
      (table) => tx<{ merchantId: bigint }[]>`
        -- over all merchants: these rows belong to none
        select distinct t.merchant_id
          from (select id as after, lead(id) over (order by id) as before
                  from (select id from merchant union all select unnest(${[String(HOUSE), String(ID_MIN), String(ID_MAX)]}::bigint[])) known (id)) gap
          join ${names(table)} t on t.merchant_id > gap.after and t.merchant_id < gap.before
         limit ${FINDINGS_SHOWN_MAX}`,
    ),
  )
  return unknown.flat().map(({ merchantId }) => ({
    merchantId,
    reference: String(merchantId),
    what: 'has ledger entries, but is not a merchant',
  }))
}
