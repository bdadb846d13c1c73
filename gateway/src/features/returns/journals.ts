import { accounts, type Journal } from '../../core/money/ledger/index.ts'
import type { ReturnRow } from './repository.ts'

type Facts = Pick<ReturnRow, 'merchantId' | 'reference' | 'partner' | 'amount' | 'reason'>

/** Returns the journal of a rejected credit: its partner holds it for us, and we owe it to its payer. */
export const returnHeld = ({ merchantId, reference, partner, amount, reason }: Facts): Journal => ({
  merchantId,
  key: `return/${reference}/held`,
  memo: `Rejected credit: ${reason}`,
  moves: [{ from: accounts.clearingAt(partner), to: accounts.suspense(partner), amount }],
})

/** Returns the journal of a returned credit: the partner that returned it holds less of our money. */
export const returned = (
  { merchantId, reference, partner, amount }: Omit<Facts, 'reason'>,
  returnedBy: string,
): Journal => ({
  merchantId,
  key: `return/${reference}/returned`,
  memo: 'Credit returned',
  moves: [{ from: accounts.suspense(partner), to: accounts.clearingAt(returnedBy), amount }],
})
