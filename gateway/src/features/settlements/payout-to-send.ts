import type { Destination, Merchant } from '../../core/merchants/index.ts'
import type { PayoutRow, SettlementRow } from './repository.ts'

/** A payout with everything needed to send it: its settlement's merchant, its destination and its next cycle. */
export interface PayoutToSend {
  readonly payout: PayoutRow
  readonly settlement: SettlementRow
  readonly merchant: Merchant
  readonly cycle: string
  /** The beneficiary's current bank account, if any. */
  readonly currentAccount: Destination | undefined
  /** The sub account's report addresses; empty for the merchant's payout. */
  readonly reportEmails: readonly string[]
}
