import { add, type Kobo, kobo, smaller, subtract, sum, ZERO } from '../../kernel/money.ts'
import type { Payment } from '../transactions/index.ts'
import { refundMethodOf } from './refund-destination.ts'
import type { RefundedAmount } from './repository.ts'

/** The maximum number of payments that one refund returns. Each needs its own order and name enquiry. */
export const PAYMENTS_MAX = 20

/** A payment and how much of it can still be refunded. */
export interface Refundable {
  readonly payment: Payment
  readonly remaining: Kobo
}

export const isRefundable = ({ method }: Pick<Payment, 'method'>): boolean => refundMethodOf(method) !== undefined

/**
 * Returns the amounts that can still be refunded. The newest payment comes first, so that an overpayment returns to the
 * last payer. Old refunds without a payment count against the newest payment by the same method.
 */
export function refundablePayments(
  payments: readonly Payment[],
  returned: readonly RefundedAmount[],
): readonly Refundable[] {
  const unnamed = new Map<string, Kobo>()
  const named = new Map<bigint, Kobo>()
  for (const { paymentId, method, amount } of returned) {
    if (paymentId === null) unnamed.set(method, add(unnamed.get(method) ?? ZERO, amount))
    else named.set(paymentId, add(named.get(paymentId) ?? ZERO, amount))
  }
  return payments
    .filter(isRefundable)
    .toReversed()
    .map((payment) => {
      const remaining = subtract(payment.amount, named.get(payment.id) ?? ZERO)
      const refunded = smaller(remaining, unnamed.get(payment.method) ?? ZERO)
      unnamed.set(payment.method, subtract(unnamed.get(payment.method) ?? ZERO, refunded))
      return { payment, remaining: subtract(remaining, refunded) }
    })
    .filter(({ remaining }) => remaining > 0n)
    .slice(0, PAYMENTS_MAX)
}

/** A payment's part of a refund. */
export interface Allocated {
  readonly payment: Payment
  readonly amount: Kobo
  /** This part's share of the fee, released if the part fails. */
  readonly fee: Kobo
}

/** Divides an amount over payments in order, up to the refundable rest of each. The fee is divided in proportion. */
export function allocate(payments: readonly Refundable[], amount: Kobo, fee: Kobo): readonly Allocated[] {
  let open = amount
  const parts = payments.flatMap(({ payment, remaining }) => {
    const part = smaller(remaining, open)
    open = subtract(open, part)
    return part === 0n ? [] : { payment, amount: part, fee: kobo((fee * part) / amount) }
  })
  // The first part also gets the remainder of the fee.
  const rest = subtract(fee, sum(parts.map((part) => part.fee)))
  return parts.map((part, index) => (index === 0 ? { ...part, fee: add(part.fee, rest) } : part))
}
