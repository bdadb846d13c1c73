import type { AllTraces } from '../core/people/index.ts'
import { vendTraces } from '../features/bills/index.ts'
import { cardTraces } from '../features/cards/index.ts'
import { mandateTraces } from '../features/direct-debit/index.ts'
import { disputeTraces } from '../features/disputes/index.ts'
import { invoiceTraces } from '../features/invoices/index.ts'
import { refundTraces } from '../features/refunds/index.ts'
import { reservedAccountTraces } from '../features/reserved-accounts/index.ts'
import { returnTraces } from '../features/returns/index.ts'
import { transactionTraces } from '../features/transactions/index.ts'
import { walletTraces } from '../features/wallets/index.ts'

/** Where merchants' records name people, feature by feature. */
export const TRACES: AllTraces = {
  ofPeople: [transactionTraces, reservedAccountTraces, mandateTraces, walletTraces, vendTraces],
  ofTransactions: [cardTraces, refundTraces, disputeTraces, returnTraces, invoiceTraces],
}
