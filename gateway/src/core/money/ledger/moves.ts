import { type Fragment, plain, sql } from '../../../platform/sql.ts'
import type { Whose } from '../../../platform/table.ts'
import { type Range, within } from './proof/question.ts'

/** Moves that a journal's own row holds. */
export const heldBy = (journal: string): Fragment =>
  plain(`unnest(${journal}.sources, ${journal}.targets, ${journal}.amounts) held (source, target, amount)`)

/**
 * The moves of a journal that goes by an alias, to be joined: those that its row holds, and those beside it, where a version
 * before this one wrote it.
 */
export const movesOf = (journal: string, whose: Whose): Fragment => sql`lateral (
    select held.source, held.target, held.amount from ${heldBy(journal)}
    union all
    select beside.source, beside.target, beside.amount from move beside
     where ${whose('beside')} and ${plain(`beside.merchant_id = ${journal}.merchant_id and beside.journal_id = ${journal}.id`)})`

/** The moves of all journals in the ranges `k`, to be joined; also those that name a journal that is not there. */
export const movesWithin = (ranges: readonly Range[]): Fragment => sql`lateral (
    select held.source, held.target, held.amount
      from journal j
     cross join lateral ${heldBy('j')}
     where ${within('j', ranges)}
    union all
    select beside.source, beside.target, beside.amount from move beside where ${within('beside', ranges, 'journal_id')})`
