import { accounts, type Journal, type Move } from '../../core/money/ledger/index.ts'
import { invariant } from '../../kernel/errors.ts'
import { HOUSE } from '../../kernel/house.ts'
import { kobo } from '../../kernel/money.ts'
import type { DecisionRow, Resolution } from './decision-repository.ts'

/** The decisions whose journal is created here. The others are posted elsewhere, or not at all. */
export type PostedResolution = Extract<Resolution, { readonly as: 'cost' | 'own' | 'moved' }>

export const isPostedResolution = (resolution: Resolution): resolution is PostedResolution =>
  resolution.as === 'cost' || resolution.as === 'own' || resolution.as === 'moved'

export const keyOf = ({ id }: Pick<DecisionRow, 'id'>): string => `reconciliation/${id}`

const MEMOS: Readonly<Record<PostedResolution['as'], string>> = {
  cost: 'Charged or refunded by the partner, by its statement',
  own: 'The operator’s own money, by the partner’s statement',
  moved: 'Between our accounts at partners, by the statement',
}

/** Creates the journal of a decision: the partner's balance changes by the statement's difference. */
export function decisionJournal(decision: Pick<DecisionRow, 'id' | 'partner' | 'wanted' | 'difference'>): Journal {
  const { partner, wanted, difference } = decision
  invariant(isPostedResolution(wanted) && difference !== 0n, 'a posted decision has an account and an amount')
  const here = accounts.clearingAt(partner)
  const there = otherSide(partner, wanted)
  const move: Move =
    difference > 0n
      ? { from: here, to: there, amount: difference }
      : { from: there, to: here, amount: kobo(-difference) }
  return { merchantId: HOUSE, key: keyOf(decision), memo: MEMOS[wanted.as], moves: [move] }
}

function otherSide(partner: string, resolution: PostedResolution): string {
  switch (resolution.as) {
    case 'cost':
      return accounts.costs(partner)
    case 'own':
      return accounts.clearing('own')
    case 'moved':
      return accounts.clearingAt(resolution.other)
  }
}
