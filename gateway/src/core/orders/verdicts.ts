import { ORDER_VERDICTS, type OrderVerdict } from '@kobo/contract'
import { secondsAfter } from '../../kernel/clock.ts'
import type { OrderPurpose, OrderRow } from './order.ts'
import { DECIDABLE_AFTER_SECONDS } from './schedule.ts'

interface Meaning {
  /** The consequence of the verdict, shown to the person who decides. */
  readonly follows: string
  /** The values that the partner must have reported. */
  readonly needs: readonly string[]
}

const meaning = (follows: string, ...needs: readonly string[]): Meaning => ({ follows, needs })

const SENT_AGAIN = meaning(
  'Kobo retries it immediately with a new reference. Choose this only if the first attempt can never complete.',
)
const AS_FAILED = meaning('The same as failed: it is not sent again.')

const MEANINGS: Readonly<Record<OrderPurpose, Readonly<Record<OrderVerdict, Meaning>>>> = {
  transfer: {
    succeeded: meaning('The recipient has the money; the transfer is SUCCESS.', 'sessionId'),
    failed: meaning('The money returns to the wallet; the transfer is FAILED, or REVERSED if it had arrived.'),
    'not-found': SENT_AGAIN,
  },
  'settlement-payout': {
    succeeded: meaning('The money is in the bank account; the payout is COMPLETED.', 'sessionId'),
    failed: meaning('It is paid out again in the next settlement cycle, under a new reference.'),
    'not-found': SENT_AGAIN,
  },
  refund: {
    succeeded: meaning('The customer has the money; the refund, or this part of it, is COMPLETED.'),
    failed: meaning('The money returns to the wallet; the refund, or this part of it, is FAILED.'),
    'not-found': SENT_AGAIN,
  },
  'card-charge': {
    succeeded: meaning('The card was charged: the payment is accepted, or refunded if it is too late.'),
    failed: meaning('The card was not charged; the payment is FAILED.'),
    'not-found': AS_FAILED,
  },
  'card-reversal': {
    succeeded: meaning('The money is back on the card.'),
    failed: meaning('The card network did not refund it: refund the customer another way.'),
    'not-found': SENT_AGAIN,
  },
  debit: {
    succeeded: meaning('The customer’s account was debited: the payment is accepted.', 'sessionId'),
    failed: meaning('Nothing was debited; the payment is FAILED, and the amount is available to the mandate again.'),
    'not-found': AS_FAILED,
  },
  vend: {
    succeeded: meaning('The biller has the money; the bill is paid, with the reported values (token, PIN, …).'),
    failed: meaning('The money returns to the wallet; the bill payment is FAILED.'),
    'not-found': AS_FAILED,
  },
  return: {
    succeeded: meaning('The payer has the money; nothing is owed.'),
    failed: meaning('The money stays in suspense until an operator enters a destination account.'),
    'not-found': SENT_AGAIN,
  },
  'account-open': {
    succeeded: meaning('The number is not used and may be reassigned later. Close it at the bank.'),
    failed: meaning('There is no number; request a new one if needed.'),
    'not-found': AS_FAILED,
  },
  'account-close': {
    succeeded: meaning('The bank accepts no more money for the number.'),
    failed: meaning('The number may still receive money, which is returned to the payers.'),
    'not-found': AS_FAILED,
  },
  'account-rename': {
    succeeded: meaning('The bank shows the number’s new name.'),
    failed: meaning('The bank may still show the old name.'),
    'not-found': AS_FAILED,
  },
}

export interface OfferedVerdict extends Meaning {
  readonly verdict: OrderVerdict
}

/** Whether people may decide an order: it is unresolved, or its outcome has been unknown for a day. */
export const isDecidable = ({ state, unknownAnswers, createdAt }: OrderRow, at: Date): boolean =>
  state === 'UNRESOLVED' || (state === 'SENT' && unknownAnswers > 0 && createdAt <= decidableSince(at))

/** Orders placed before this time and still without an outcome can be decided. */
export const decidableSince = (at: Date): Date => secondsAfter(at, -DECIDABLE_AFTER_SECONDS)

/** Returns the possible verdicts on an order. Once its money had arrived, the order cannot be `not-found`. */
export function verdictsOn(order: OrderRow, at: Date): readonly OfferedVerdict[] {
  if (!isDecidable(order, at)) return []
  const { purpose, concludedAt } = order
  const offered = ORDER_VERDICTS.map((verdict): OfferedVerdict => ({ verdict, ...MEANINGS[purpose][verdict] }))
  if (concludedAt === null) return offered
  return offered.flatMap((one) => (one.verdict === 'not-found' ? [] : { ...one, needs: [] }))
}

/** The text that a merchant sees if an order turned out not to have been executed. */
export const NOT_CARRIED_OUT = 'It was not carried out'
