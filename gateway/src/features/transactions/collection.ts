import type { RejectionReason } from '@kobo/contract'
import { accounts, type Journal, type Rail, spread } from '../../core/money/ledger/index.ts'
import { settlementDue } from '../../core/money/settlement-cycle/index.ts'
import { change, divide, income, type SubAccountPart } from '../../core/money/splits.ts'
import { feeDue, feeOfCustomer } from '../../core/pricing/index.ts'
import { invariant } from '../../kernel/errors.ts'
import { next } from '../../kernel/machine.ts'
import { add, type Kobo, larger, smaller, subtract, sum } from '../../kernel/money.ts'
import { type TransactionTrigger, transactionMachine } from './machine.ts'
import type { PaymentRow, ReceivedBy } from './payment-repository.ts'
import type { TransactionRow } from './repository.ts'

/** Money that a rail reports as arrived for a transaction. */
export type Received = Omit<PaymentRow, 'merchantId' | 'transactionId' | 'fee' | 'splits'>

/** The decision on money that arrives for a transaction. All writes follow from this decision. */
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
  invariant(status !== undefined, `a ${transaction.status} transaction can be paid`)
  const fee = feeAfter(transaction, received.amount)
  const payment: PaymentRow = {
    ...received,
    merchantId: transaction.merchantId,
    transactionId: transaction.id,
    fee: subtract(fee, transaction.fee),
    splits: newlySplit(transaction, amountPaid, fee),
  }
  const completedAt = trigger === 'payLess' ? null : received.receivedAt
  return {
    kind: 'accepted',
    transaction: {
      ...transaction,
      status,
      amountPaid,
      fee,
      paymentMethod: received.method,
      paidAt: received.receivedAt,
      completedAt,
      // A partial payment is settled at its expiry, unless the rest arrives sooner.
      settlesAt: settlementDue(transaction.settlementCycle, received.method, completedAt ?? transaction.expiresAt),
    },
    payment,
    journal: collectionJournal(transaction, payment),
  }
}

/**
 * Returns the total fee after another credit. The new credit bears the increase. The fee never falls, even if the price
 * for the new sum is lower.
 */
function feeAfter(transaction: TransactionRow, credit: Kobo): Kobo {
  const due = feeDue(transaction.amount, add(transaction.amountPaid, credit), transaction)
  return smaller(larger(due, transaction.fee), add(transaction.fee, credit))
}

/**
 * Returns the sub accounts' shares of a new credit. Like the fee, they are computed from the sum of all credits, so
 * that rounding errors do not add up.
 */
function newlySplit(transaction: TransactionRow, amountPaid: Kobo, fee: Kobo): readonly SubAccountPart[] | null {
  const { incomeSplitConfig } = transaction
  if (incomeSplitConfig === null) return null
  const divided = (paid: Pick<TransactionRow, 'amountPaid' | 'fee'>) =>
    divide(incomeSplitConfig, { ...paid, feeOfCustomer: feeOfCustomer(transaction.amount, paid.fee, transaction) })
  return change(divided(transaction), divided({ amountPaid, fee })).subAccounts
}

function whyClosed({ status, completedAt, expiresAt }: TransactionRow, at: Date): RejectionReason | undefined {
  if (status === 'PAID' || status === 'OVERPAID') return 'ALREADY_PAID'
  return completedAt !== null || expiresAt <= at ? 'ACCOUNT_EXPIRED' : undefined
}

function paymentTrigger(paid: Kobo, payable: Kobo): TransactionTrigger {
  if (paid === payable) return 'payInFull'
  return paid < payable ? 'payLess' : 'payMore'
}

/** Whether a payment came from the payer's bank account, and not from a card or in cash. */
export const isFromAccount = ({ method }: Pick<PaymentRow, 'method'>): boolean =>
  method === 'ACCOUNT_TRANSFER' || method === 'DIRECT_DEBIT'

/** The rail that holds the money, by payment method. */
const RAIL_OF: Readonly<Record<ReceivedBy, Rail>> = {
  ACCOUNT_TRANSFER: 'bank-transfer',
  CARD: 'card',
  DIRECT_DEBIT: 'direct-debit',
  CASH: 'cash',
}

const collectionKey = ({ railReference }: Pick<PaymentRow, 'railReference'>): string => `collection/${railReference}`

/** Returns the journal of a collection: the rail owes us the amount; we owe it, less our fee, to the beneficiaries. */
export function collectionJournal(
  { transactionReference }: Pick<TransactionRow, 'transactionReference'>,
  payment: PaymentRow,
): Journal {
  const from = accounts.clearing(RAIL_OF[payment.method], payment.partner)
  const subAccounts = (payment.splits ?? []).map((part) => ({
    to: accounts.payableTo(part.subAccountCode),
    amount: income(part),
  }))
  const merchant = subtract(subtract(payment.amount, payment.fee), sum(subAccounts.map(({ amount }) => amount)))
  return {
    merchantId: payment.merchantId,
    key: collectionKey(payment),
    memo: `Collection ${transactionReference}`,
    moves: spread(from, payment.amount, [
      { to: accounts.payable, amount: merchant },
      ...subAccounts,
      { to: accounts.fees('collection'), amount: payment.fee },
    ]),
  }
}

/** The journal key and the rail of a collection, for other features. */
export const collectionPosting = { key: collectionKey, railOf: RAIL_OF }
