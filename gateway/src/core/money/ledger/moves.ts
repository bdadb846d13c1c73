import { type Fragment, plain, sql } from '../../../platform/sql.ts'
import { within } from './proof/question.ts'

/** Moves that a journal's own row holds. */
export const heldBy = (journal: string): Fragment =>
  plain(`unnest(${journal}.sources, ${journal}.targets, ${journal}.amounts) held (source, target, amount)`)

/**
 * The moves of a journal that goes by an alias, to be joined: those that its row holds, and those beside it, where a version
 * before this one wrote it.
 */
export const movesOf = (journal: string): Fragment => sql`lateral (
    select held.source, held.target, held.amount from ${heldBy(journal)}
    union all
    select beside.source, beside.target, beside.amount from move beside
     where ${plain(`beside.merchant_id = ${journal}.merchant_id and beside.journal_id = ${journal}.id`)})`

/** The moves of all journals in the ranges `k`, to be joined; also those that name a journal that is not there. */
export const movesWithin: Fragment = sql`lateral (
    select held.source, held.target, held.amount
      from journal j
     cross join lateral ${heldBy('j')}
     where ${within('j')}
    union all
    select beside.source, beside.target, beside.amount from move beside where ${within('beside', 'journal_id')})`
