import type { PaymentRow } from './payment-repository.ts'
import type { TransactionRow } from './repository.ts'

/** A transaction as other features see it: read-only, and changed only by this folder's functions. */
export type Transaction = Readonly<TransactionRow>

/** Money accepted for a transaction, as other features see it. */
export type Payment = Readonly<PaymentRow>
