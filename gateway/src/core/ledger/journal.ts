import type { Kobo } from '../../kernel/money.ts'

/** Money moves from one account to another. One amount, two ends: it cannot fail to balance. */
export interface Move {
  readonly from: string
  readonly to: string
  readonly amount: Kobo
}

/** What one business act does to a merchant's money. */
export interface Journal {
  readonly merchantId: bigint
  /** Unique per merchant. Posting the same key again changes nothing, so every caller may retry. */
  readonly key: string
  readonly memo: string
  readonly moves: readonly Move[]
}

/** A part of nothing is no move. */
export const movesAboveZero = (moves: readonly Move[]): readonly Move[] => moves.filter(({ amount }) => amount > 0n)
