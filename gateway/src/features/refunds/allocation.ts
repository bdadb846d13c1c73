import { add, type Kobo, kobo, smaller, subtract, sum, ZERO } from '../../kernel/money.ts'
import type { PaymentRow } from '../transactions/index.ts'
import type { Returned, Way } from './repository.ts'

/** The most payments that one refund returns: each has an order of its own, and its account is asked for its name. */
export const PAYMENTS_MAX = 20

/** A payment of which something can still go back, and how much. */
export interface Returnable {
  readonly payment: PaymentRow
  readonly left: Kobo
}

const WAYS: ReadonlySet<string> = new Set<Way['method']>(['ACCOUNT_TRANSFER', 'CARD'])

/** Whether money that came in this way can go back. */
export const hasWayBack = ({ method }: Pick<PaymentRow, 'method'>): boolean => WAYS.has(method)

/**
 * What can still go back of payments, newest first: what was paid too much goes back to whoever paid it last. What was
 * returned before this was written down for each payment counts against the newest that came by the same way.
 */
export function returnable(payments: readonly PaymentRow[], returned: readonly Returned[]): readonly Returnable[] {
  const unnamed = new Map<string, Kobo>()
  const named = new Map<bigint, Kobo>()
  for (const { paymentId, method, amount } of returned) {
    if (paymentId === null) unnamed.set(method, add(unnamed.get(method) ?? ZERO, amount))
    else named.set(paymentId, add(named.get(paymentId) ?? ZERO, amount))
  }
  return payments
    .filter(hasWayBack)
    .toReversed()
    .map((payment) => {
      const left = subtract(payment.amount, named.get(payment.id) ?? ZERO)
      const taken = smaller(left, unnamed.get(payment.method) ?? ZERO)
      unnamed.set(payment.method, subtract(unnamed.get(payment.method) ?? ZERO, taken))
      return { payment, left: subtract(left, taken) }
    })
    .filter(({ left }) => left > 0n)
    .slice(0, PAYMENTS_MAX)
}

/** What each payment has of a refund. */
export interface Allocated {
  readonly payment: PaymentRow
  readonly amount: Kobo
  /** Its share of the fee: what fails gives it back. */
  readonly fee: Kobo
}

/** Divides an amount, which is no more than is left, over payments in their order, and its fee in proportion. */
export function allocate(payments: readonly Returnable[], amount: Kobo, fee: Kobo): readonly Allocated[] {
  let open = amount
  const parts = payments.flatMap(({ payment, left }) => {
    const part = smaller(left, open)
    open = subtract(open, part)
    return part === 0n ? [] : { payment, amount: part, fee: kobo((fee * part) / amount) }
  })
  // What the divisions leave over is the first one's.
  const rest = subtract(fee, sum(parts.map((part) => part.fee)))
  return parts.map((part, index) => (index === 0 ? { ...part, fee: add(part.fee, rest) } : part))
}
