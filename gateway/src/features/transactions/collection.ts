import type { RejectionReason } from '@kobo/contract'
import { accounts, type Journal, movesAboveZero } from '../../core/ledger/index.ts'
import { feeDue } from '../../core/pricing.ts'
import { invariant } from '../../kernel/errors.ts'
import { next } from '../../kernel/machine.ts'
import { add, type Kobo, subtract } from '../../kernel/money.ts'
import { type TransactionTrigger, transactionMachine } from './machine.ts'
import type { PaymentRow, ReceivedBy, TransactionRow } from './repository.ts'

/** Money that a rail says has arrived for a transaction. */
export type Received = Omit<PaymentRow, 'merchantId' | 'transactionId' | 'fee'>

/** What becomes of a transaction and of money that arrives for it. Pure: all that is written follows from this. */
export type Decision =
  | {
      readonly kind: 'accepted'
      readonly transaction: TransactionRow
      readonly payment: PaymentRow
      readonly journal: Journal
    }
  | { readonly kind: 'rejected'; readonly reason: RejectionReason }

export function decide(transaction: TransactionRow, received: Received): Decision {
  const closed = whyClosed(transaction, received.receivedAt)
  if (closed !== undefined) return { kind: 'rejected', reason: closed }

  const amountPaid = add(transaction.amountPaid, received.amount)
  if (amountPaid < transaction.payable && transaction.underpayment === 'REJECT')
    return { kind: 'rejected', reason: 'UNDER_PAYMENT' }

  const trigger = paymentTrigger(amountPaid, transaction.payable)
  const status = next(transactionMachine, transaction.status, trigger)
  invariant(status !== undefined, `a transaction that is ${transaction.status} can be paid`)
  const fee = feeDue(transaction.amount, amountPaid, transaction)
  const payment: PaymentRow = {
    ...received,
    merchantId: transaction.merchantId,
    transactionId: transaction.id,
    fee: subtract(fee, transaction.fee),
  }
  return {
    kind: 'accepted',
    transaction: {
      ...transaction,
      status,
      amountPaid,
      fee,
      paymentMethod: received.method,
      paidAt: received.receivedAt,
      completedAt: trigger === 'payLess' ? null : received.receivedAt,
    },
    payment,
    journal: collectionJournal(transaction, payment),
  }
}

function whyClosed({ status, completedAt, expiresAt }: TransactionRow, at: Date): RejectionReason | undefined {
  if (status === 'PAID' || status === 'OVERPAID') return 'ALREADY_PAID'
  return completedAt !== null || expiresAt <= at ? 'ACCOUNT_EXPIRED' : undefined
}

function paymentTrigger(paid: Kobo, payable: Kobo): TransactionTrigger {
  if (paid === payable) return 'payInFull'
  return paid < payable ? 'payLess' : 'payMore'
}

/** Who holds the money that arrived, by the means by which it came. */
const RAILS: Readonly<Record<ReceivedBy, string>> = {
  ACCOUNT_TRANSFER: 'bank-transfer',
  CARD: 'card',
  DIRECT_DEBIT: 'direct-debit',
  CASH: 'cash',
}

/** A collection: the rail owes us what arrived; we owe it to the merchant, less our fee. */
export function collectionJournal({ transactionReference }: TransactionRow, payment: PaymentRow): Journal {
  const from = accounts.clearing(RAILS[payment.method])
  return {
    merchantId: payment.merchantId,
    key: `collection/${payment.railReference}`,
    memo: `Collection ${transactionReference}`,
    moves: movesAboveZero([
      { from, to: accounts.payable, amount: subtract(payment.amount, payment.fee) },
      { from, to: accounts.fees('collection'), amount: payment.fee },
    ]),
  }
}
