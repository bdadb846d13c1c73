import { accounts, HOUSE, type Journal, type Move } from '../../core/money/ledger/index.ts'
import { invariant } from '../../kernel/errors.ts'
import { kobo } from '../../kernel/money.ts'
import type { DecisionRow, Wanted } from './decision-repository.ts'

/** What is booked by a journal of its own; the rest goes by the way that other money goes. */
export type Booked = Extract<Wanted, { readonly as: 'cost' | 'own' | 'moved' }>

export const isBooked = (wanted: Wanted): wanted is Booked =>
  wanted.as === 'cost' || wanted.as === 'own' || wanted.as === 'moved'

export const keyOf = ({ id }: Pick<DecisionRow, 'id'>): string => `reconciliation/${id}`

const MEMOS: Readonly<Record<Booked['as'], string>> = {
  cost: 'Kept or given back by the partner, by its statement',
  own: 'The operator’s own money, by the partner’s statement',
  moved: 'Between our accounts at partners, by the statement',
}

/** What a decision books: the partner holds as much more, or less, as its statement says. */
export function decisionJournal(decision: Pick<DecisionRow, 'id' | 'partner' | 'wanted' | 'difference'>): Journal {
  const { partner, wanted, difference } = decision
  invariant(isBooked(wanted) && difference !== 0n, 'what is booked has an account and an amount')
  const here = accounts.clearingAt(partner)
  const there = otherSide(partner, wanted)
  const move: Move =
    difference > 0n
      ? { from: here, to: there, amount: difference }
      : { from: there, to: here, amount: kobo(-difference) }
  return { merchantId: HOUSE, key: keyOf(decision), memo: MEMOS[wanted.as], moves: [move] }
}

function otherSide(partner: string, wanted: Booked): string {
  switch (wanted.as) {
    case 'cost':
      return accounts.costs(partner)
    case 'own':
      return accounts.clearing('own')
    case 'moved':
      return accounts.clearingAt(wanted.other)
  }
}
