import { invariant } from '../../../kernel/errors.ts'
import { type Kobo, kobo } from '../../../kernel/money.ts'

/** Money that moves from one account to another: a single amount with two ends, so it always balances. */
export interface Move {
  readonly from: string
  readonly to: string
  readonly amount: Kobo
}

/** The moves of one business operation of a merchant. */
export interface Journal {
  readonly merchantId: bigint
  /** Unique per merchant. Posting a key again changes nothing, so callers may retry. */
  readonly key: string
  readonly memo: string
  readonly moves: readonly Move[]
}

/**
 * Divides the amount of one account among others. An account with a negative part pays the others first. The parts must
 * add up to the amount.
 */
export function spread(
  from: string,
  amount: Kobo,
  owed: readonly { readonly to: string; readonly amount: Kobo }[],
): readonly Move[] {
  const givers = owed.filter((part) => part.amount < 0n).map((part) => ({ from: part.to, left: -part.amount }))
  if (givers.length === 0) return movesAboveZero(owed.map((part) => ({ from, ...part })))
  givers.push({ from, left: amount })
  return owed.flatMap(({ to, amount: due }) => {
    const moves: Move[] = []
    let open: bigint = due
    while (open > 0n) {
      const giver = givers.find(({ left }) => left > 0n)
      invariant(giver !== undefined, 'the parts add up to the amount')
      const taken = giver.left < open ? giver.left : open
      giver.left -= taken
      open -= taken
      moves.push({ from: giver.from, to, amount: kobo(taken) })
    }
    return moves
  })
}

export const movesAboveZero = (moves: readonly Move[]): readonly Move[] => moves.filter(({ amount }) => amount > 0n)
