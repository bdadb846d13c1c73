import { accounts, type Journal, movesAboveZero } from '../../core/money/ledger/index.ts'
import { subtract } from '../../kernel/money.ts'
import { RAIL_OF } from '../transactions/index.ts'
import type { DisputeRow } from './repository.ts'

type Ending = 'opened' | 'won' | 'lost'

/** The key under which an act of a dispute is booked. */
export const disputeKey = ({ reference }: Pick<DisputeRow, 'reference'>, act: Ending): string =>
  `dispute/${reference}/${act}`

/** It is told: what is disputed is held, from the wallet, then from the reserve; what neither has is the merchant's debt. */
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

/** It is lost, or accepted: whoever held the payment's money has taken that much of it back. */
export const disputeLost = (dispute: DisputeRow): Journal => ({
  merchantId: dispute.merchantId,
  key: disputeKey(dispute, 'lost'),
  memo: `Dispute of ${dispute.transactionReference} lost`,
  moves: [
    {
      from: accounts.disputed,
      to: accounts.clearing(RAIL_OF[dispute.method], dispute.clearingPartner),
      amount: dispute.amount,
    },
  ],
})

/** It is won: what was held repays what the merchant owes, and the rest is the wallet's. */
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

/** The keys under which journals of a dispute may be booked. */
export const disputeJournalKeys = (dispute: Pick<DisputeRow, 'reference'>): readonly string[] =>
  (['opened', 'won', 'lost'] as const).map((act) => disputeKey(dispute, act))
