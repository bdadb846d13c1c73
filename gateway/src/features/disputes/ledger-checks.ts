import { accounts, acts, ownedBy, type RowCheck, ranged, within } from '../../core/money/ledger/index.ts'
import { ofMerchants } from '../../platform/postgres/table.ts'
import { EVENT_OF } from './events.ts'
import { disputeKey, disputeLost, disputeOpened, disputeWon } from './journals.ts'
import { type DisputeRow, disputes } from './repository.ts'

/** A dispute, with the sum of its transaction's disputes that are not won, and the amount that was paid. */
type Dispute = DisputeRow & { readonly disputed: bigint; readonly paid: bigint }

const disputeCheck = acts<Dispute>({
  name: 'dispute',
  rows: { table: 'dispute', idFormat: 'standard' },
  read: (tx, ranges) =>
    tx<Dispute[]>`
      select ${disputes.of('r')}, p.paid, coalesce(d.amount, 0) as disputed
        from ${ranged(ranges)}
        join dispute r on ${within('r', ranges)}
       cross join lateral (
         select coalesce(sum(amount), 0)::bigint as paid from payment p
          where ${ofMerchants('p', ranges)} and p.merchant_id = r.merchant_id and p.transaction_id = r.transaction_id) p
       cross join lateral (
         select sum(amount)::bigint as amount from dispute o
          where ${ofMerchants('o', ranges)} and o.merchant_id = r.merchant_id and o.transaction_id = r.transaction_id and o.status <> 'WON') d`,
  reference: ({ reference }) => reference,
  state: ({ status }) => status,
  consequences: (dispute) => {
    const { status, amount, disputed, paid, reference, openedAt, endedAt } = dispute
    const [won, lost] = [disputeWon(dispute), disputeLost(dispute)]
    const isOpen = endedAt === null
    return {
      booked: [disputeOpened(dispute), ...(isOpen ? [] : [status === 'WON' ? won : lost])],
      unbooked: [
        ...(status === 'WON' ? [] : [disputeKey(dispute, 'won')]),
        ...(isOpen || status === 'WON' ? [disputeKey(dispute, 'lost')] : []),
      ],
      holds: isOpen ? { account: accounts.disputed, amount } : undefined,
      wrong:
        disputed > paid ? [`disputes of ${dispute.transactionReference} sum to ${disputed}, but ${paid} was paid`] : [],
      events: [
        { eventType: EVENT_OF.OPEN, reference, at: openedAt },
        ...(isOpen ? [] : [{ eventType: EVENT_OF[status], reference, at: endedAt }]),
      ],
    }
  },
  mayChange: ({ endedAt }) => endedAt === null,
  owned: [ownedBy('dispute/', 'dispute', 'reference')],
})

export const disputeChecks: readonly RowCheck[] = [disputeCheck]
