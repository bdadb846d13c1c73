import { type Fragment, plain, sql } from '../../../platform/postgres/sql.ts'
import type { MerchantScope } from '../../../platform/postgres/table.ts'
import { type Range, within } from './verification/check.ts'

/** Selects the moves stored in a journal's own row. */
export const movesInRow = (journal: string): Fragment =>
  plain(`unnest(${journal}.sources, ${journal}.targets, ${journal}.amounts) held (source, target, amount)`)

/** Selects a journal's moves, to be joined. Most are in its row, but an older version stored some in the move table. */
export const movesOf = (journal: string, whose: MerchantScope): Fragment => sql`lateral (
    select held.source, held.target, held.amount from ${movesInRow(journal)}
    union all
    select separate.source, separate.target, separate.amount from move separate
     where ${whose('separate')} and ${plain(`separate.merchant_id = ${journal}.merchant_id and separate.journal_id = ${journal}.id`)})`

/** Selects the moves of all journals in the ranges `k`, to be joined. Includes moves whose journal is missing. */
export const movesWithin = (ranges: readonly Range[]): Fragment => sql`lateral (
    select held.source, held.target, held.amount
      from journal j
     cross join lateral ${movesInRow('j')}
     where ${within('j', ranges)}
    union all
    select separate.source, separate.target, separate.amount from move separate where ${within('separate', ranges, 'journal_id')})`
