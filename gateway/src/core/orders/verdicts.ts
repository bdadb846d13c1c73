import { ORDER_VERDICTS, type OrderVerdict } from '@kobo/contract'
import type { OrderPurpose, OrderRow } from './order.ts'

interface Meaning {
  /** What follows, for who has to decide. */
  readonly follows: string
  /** What the partner must have told with it. */
  readonly needs: readonly string[]
}

const meaning = (follows: string, ...needs: readonly string[]): Meaning => ({ follows, needs })

const SENT_AGAIN = meaning(
  'It is sent once more, at once, under a new reference. Only where it can never arrive any more.',
)
const AS_FAILED = meaning('The same as where it failed: it is not sent again.')

/** What each verdict means for each purpose. */
const MEANINGS: Readonly<Record<OrderPurpose, Readonly<Record<OrderVerdict, Meaning>>>> = {
  transfer: {
    succeeded: meaning('The money is with the receiver; the transfer is SUCCESS.', 'sessionId'),
    failed: meaning('The money is in the wallet again; the transfer is FAILED, or REVERSED where it had arrived.'),
    'not-found': SENT_AGAIN,
  },
  'settlement-payout': {
    succeeded: meaning('The money is in the bank account; the payout is COMPLETED.', 'sessionId'),
    failed: meaning('It is paid out once more at the next time of its cycle, under a new reference.'),
    'not-found': SENT_AGAIN,
  },
  refund: {
    succeeded: meaning('The customer has the money; the refund, or this part of it, is COMPLETED.'),
    failed: meaning('The money is in the wallet again; the refund, or this part of it, is FAILED.'),
    'not-found': SENT_AGAIN,
  },
  'card-charge': {
    succeeded: meaning('The card was charged: the payment is taken, or sent back where it comes too late.'),
    failed: meaning('The card was not charged; the payment is FAILED.'),
    'not-found': AS_FAILED,
  },
  'card-reversal': {
    succeeded: meaning('The money is back on the card.'),
    failed: meaning('The network did not send it back: a person must, by other means.'),
    'not-found': SENT_AGAIN,
  },
  debit: {
    succeeded: meaning('The customer’s account was debited: the payment is taken.', 'sessionId'),
    failed: meaning('Nothing was debited; the payment is FAILED, and the mandate has the amount again.'),
    'not-found': AS_FAILED,
  },
  vend: {
    succeeded: meaning('The biller has the money; the bill is paid, with what was told (token, pin, …).'),
    failed: meaning('The money is in the wallet again; the bill payment is FAILED.'),
    'not-found': AS_FAILED,
  },
  return: {
    succeeded: meaning('The payer has the money; it is owed no longer.'),
    failed: meaning('The money is still owed to the payer, and waits for a person to say where to.'),
    'not-found': SENT_AGAIN,
  },
  'account-open': {
    succeeded: meaning('The number is not used: after days it may be another’s. Close it at the bank.'),
    failed: meaning('There is no number; whoever needs one asks anew.'),
    'not-found': AS_FAILED,
  },
  'account-close': {
    succeeded: meaning('The bank takes no more money for the number.'),
    failed: meaning('The number may still take money, which goes back to its payers.'),
    'not-found': AS_FAILED,
  },
  'account-rename': {
    succeeded: meaning('The bank shows the number’s new name.'),
    failed: meaning('The bank may go on to show the name before.'),
    'not-found': AS_FAILED,
  },
}

/** A verdict that may be given, and what it means. */
export interface OfferedVerdict extends Meaning {
  readonly verdict: OrderVerdict
}

/** What may be decided about an order. What had arrived either stayed or came back, and its partner has told all of it. */
export function verdictsOn({ purpose, state, concludedAt }: OrderRow): readonly OfferedVerdict[] {
  if (state !== 'UNRESOLVED') return []
  const offered = ORDER_VERDICTS.map((verdict): OfferedVerdict => ({ verdict, ...MEANINGS[purpose][verdict] }))
  if (concludedAt === null) return offered
  return offered.flatMap((one) => (one.verdict === 'not-found' ? [] : { ...one, needs: [] }))
}

/** What a merchant is told where a person found out that nothing was carried out. Why we know stays with us. */
export const NOT_CARRIED_OUT = 'It was not carried out'
