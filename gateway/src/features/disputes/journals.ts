import { accounts, type Journal, movesAboveZero } from '../../core/money/ledger/index.ts'
import { subtract } from '../../kernel/money.ts'
import { collectionPosting } from '../transactions/index.ts'
import type { DisputeRow } from './repository.ts'

type Ending = 'opened' | 'won' | 'lost'

/** Returns the journal key of a dispute's step. */
export const disputeKey = ({ reference }: Pick<DisputeRow, 'reference'>, act: Ending): string =>
  `dispute/${reference}/${act}`

/** Returns the journal of an opened dispute: it holds money of the wallet, then of the reserve; the rest is a debt. */
export const disputeOpened = (dispute: DisputeRow): Journal => ({
  merchantId: dispute.merchantId,
  key: disputeKey(dispute, 'opened'),
  memo: `Dispute of ${dispute.transactionReference}`,
  moves: movesAboveZero([
    { from: accounts.wallet(dispute.walletAccountNumber), to: accounts.disputed, amount: dispute.fromWallet },
    { from: accounts.reserve, to: accounts.disputed, amount: dispute.fromReserve },
    { from: accounts.debt, to: accounts.disputed, amount: dispute.fromDebt },
  ]),
})

/** Returns the journal of a lost or accepted dispute: the partner that held the payment has taken the amount back. */
export const disputeLost = (dispute: DisputeRow): Journal => ({
  merchantId: dispute.merchantId,
  key: disputeKey(dispute, 'lost'),
  memo: `Dispute of ${dispute.transactionReference} lost`,
  moves: [
    {
      from: accounts.disputed,
      to: accounts.clearing(collectionPosting.railOf[dispute.method], dispute.clearingPartner),
      amount: dispute.amount,
    },
  ],
})

/** Returns the journal of a won dispute: the held money repays the merchant's debts; the rest goes to the wallet. */
export const disputeWon = (dispute: DisputeRow): Journal => ({
  merchantId: dispute.merchantId,
  key: disputeKey(dispute, 'won'),
  memo: `Dispute of ${dispute.transactionReference} won`,
  moves: movesAboveZero([
    { from: accounts.disputed, to: accounts.debt, amount: dispute.repaidDebts },
    {
      from: accounts.disputed,
      to: accounts.wallet(dispute.walletAccountNumber),
      amount: subtract(dispute.amount, dispute.repaidDebts),
    },
  ]),
})

/** Returns the keys of a dispute's possible journals. */
export const disputeJournalKeys = (dispute: Pick<DisputeRow, 'reference'>): readonly string[] =>
  (['opened', 'won', 'lost'] as const).map((act) => disputeKey(dispute, act))
