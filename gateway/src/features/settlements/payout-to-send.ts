import type { Destination, Merchant } from '../../core/merchants/index.ts'
import type { PayoutRow, SettlementRow } from './repository.ts'

/** A payout with what is needed to send it: whose settlement it is of, where to now, and when the cycle comes round. */
export interface PayoutToSend {
  readonly payout: PayoutRow
  readonly settlement: SettlementRow
  readonly merchant: Merchant
  readonly cycle: string
  /** The bank account that its owner has now, if any. */
  readonly present: Destination | undefined
  /** Whom the sub account wants to be told; nobody where it is the merchant's. */
  readonly reportEmails: readonly string[]
}
