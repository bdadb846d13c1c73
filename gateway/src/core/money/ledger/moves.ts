import { type Fragment, plain, sql } from '../../../platform/postgres/sql.ts'
import type { MerchantScope } from '../../../platform/postgres/table.ts'
import { type Range, within } from './verification/check.ts'

/** The moves stored in a journal's own row. */
export const heldBy = (journal: string): Fragment =>
  plain(`unnest(${journal}.sources, ${journal}.targets, ${journal}.amounts) held (source, target, amount)`)

/** The moves of a journal, to be joined: most are in its row; an older version stored some in the move table. */
export const movesOf = (journal: string, whose: MerchantScope): Fragment => sql`lateral (
    select held.source, held.target, held.amount from ${heldBy(journal)}
    union all
    select beside.source, beside.target, beside.amount from move beside
     where ${whose('beside')} and ${plain(`beside.merchant_id = ${journal}.merchant_id and beside.journal_id = ${journal}.id`)})`

/** The moves of all journals in the ranges `k`, to be joined; including moves whose journal is missing. */
export const movesWithin = (ranges: readonly Range[]): Fragment => sql`lateral (
    select held.source, held.target, held.amount
      from journal j
     cross join lateral ${heldBy('j')}
     where ${within('j', ranges)}
    union all
    select beside.source, beside.target, beside.amount from move beside where ${within('beside', ranges, 'journal_id')})`
