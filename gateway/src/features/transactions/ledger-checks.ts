import { acts, ownedBy, type RowCheck, ranged, within } from '../../core/money/ledger/index.ts'
import type { Kobo } from '../../kernel/money.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { rowSet } from '../../platform/postgres/db.ts'
import { ofMerchants } from '../../platform/postgres/table.ts'
import { collectionJournal } from './collection.ts'
import { type PaymentRow, type RejectedPaymentRow, selectPaymentsByKey } from './payment-repository.ts'
import type { TransactionRow } from './repository.ts'

/** A transaction, and the sum of its payments. */
interface Paid extends Pick<TransactionRow, 'transactionReference' | 'status' | 'payable' | 'amountPaid' | 'fee'> {
  readonly paid: Kobo
  readonly fees: Kobo
}

type PaidTransaction = Paid & { readonly merchantId: bigint; readonly id: bigint }

/** Checks each transaction that has payments, or whose row says so. */
const transactions = acts<PaidTransaction>({
  name: 'transaction',
  rows: { table: 'transaction', idFormat: 'transaction' },
  read: (tx, ranges) =>
    tx<PaidTransaction[]>`
      select r.merchant_id, r.id, r.transaction_reference, r.status, r.payable, r.amount_paid, r.fee, p.paid, p.fees
        from ${ranged(ranges)}
        join transaction r on ${within('r', ranges)}
       cross join lateral (
         select coalesce(sum(amount), 0)::bigint as paid, coalesce(sum(fee), 0)::bigint as fees
           from payment p where ${ofMerchants('p', ranges)} and p.merchant_id = r.merchant_id and p.transaction_id = r.id) p
       where r.amount_paid > 0 or p.paid > 0 or r.status in ('PAID', 'OVERPAID', 'PARTIALLY_PAID')`,
  reference: ({ transactionReference }) => transactionReference,
  state: ({ status }) => status,
  consequences: (transaction) => ({ wrong: differencesFromPayments(transaction) }),
})

/** Describes how a transaction differs from its payments. */
function differencesFromPayments({ status, payable, amountPaid, fee, paid, fees }: Paid): readonly string[] {
  const due = amountPaid === payable ? 'PAID' : amountPaid > payable ? 'OVERPAID' : 'PARTIALLY_PAID'
  return [
    amountPaid === paid && fee === fees
      ? []
      : `transaction records ${amountPaid} paid with a fee of ${fee}, but its payments sum to ${paid} with ${fees}`,
    status === due ? [] : `transaction is ${status}, but ${amountPaid} of ${payable} was paid`,
  ].flat()
}

interface Payment extends PaymentRow {
  readonly transaction: Paid | undefined
}

async function readPayments(
  tx: Tx,
  keys: readonly Pick<PaymentRow, 'merchantId' | 'id'>[],
): Promise<readonly Payment[]> {
  const payments = await selectPaymentsByKey(tx, keys)
  const rows = await tx<PaidTransaction[]>`
    select t.merchant_id, t.id, t.transaction_reference, t.status, t.payable, t.amount_paid, t.fee, p.paid, p.fees
      from (select distinct merchant_id, transaction_id
              from json_to_recordset(${rowSet(payments, ['merchantId', 'transactionId'])}::text::json)
                as k (merchant_id bigint, transaction_id bigint)) k
      join transaction t on ${ofMerchants('t', payments)} and t.merchant_id = k.merchant_id and t.id = k.transaction_id
     cross join lateral (
       select coalesce(sum(amount), 0)::bigint as paid, coalesce(sum(fee), 0)::bigint as fees
         from payment p where ${ofMerchants('p', payments)} and p.merchant_id = t.merchant_id and p.transaction_id = t.id) p`
  const found = new Map(rows.map((row) => [`${row.merchantId} ${row.id}`, row]))
  return payments.map((row) => ({ ...row, transaction: found.get(`${row.merchantId} ${row.transactionId}`) }))
}

/** Checks that every payment is posted, counted in its transaction, and sent in an event. */
const payments = acts<Payment>({
  name: 'payment',
  rows: { table: 'payment', idFormat: 'standard' },
  read: async (tx, ranges) =>
    readPayments(
      tx,
      await tx<Pick<PaymentRow, 'merchantId' | 'id'>[]>`
        select r.merchant_id, r.id from ${ranged(ranges)} join payment r on ${within('r', ranges)}`,
    ),
  reference: ({ transaction, railReference }) => transaction?.transactionReference ?? railReference,
  state: ({ railReference }) => `there as ${railReference}`,
  consequences: ({ transaction, ...payment }) =>
    transaction === undefined
      ? { wrong: [`payment ${payment.railReference} is for a transaction that does not exist`] }
      : {
          wrong: differencesFromPayments(transaction),
          booked: [collectionJournal(transaction, payment)],
          events: [
            {
              eventType: 'SUCCESSFUL_TRANSACTION',
              reference: transaction.transactionReference,
              at: payment.receivedAt,
            },
          ],
        },
  owned: [ownedBy('collection/', 'payment', 'rail_reference', 'the end')],
})

type Rejected = Pick<RejectedPaymentRow, 'merchantId' | 'id' | 'railReference' | 'reason' | 'receivedAt'>

/**
 * Checks that money that was sent back is not posted as a collection, but is sent in an event. A credit that a reserved
 * account rejected has no transaction.
 */
const rejectedPayments = acts<Rejected>({
  name: 'rejected payment',
  rows: { table: 'rejected_payment', idFormat: 'standard' },
  read: (tx, ranges) =>
    tx<Rejected[]>`
      select r.merchant_id, r.id, r.rail_reference, r.reason, r.received_at
        from ${ranged(ranges)}
        join rejected_payment r on ${within('r', ranges)}`,
  reference: ({ railReference }) => railReference,
  state: ({ reason }) => reason,
  consequences: ({ railReference, receivedAt }) => ({
    unbooked: [`collection/${railReference}`],
    events: [{ eventType: 'REJECTED_PAYMENT', at: receivedAt }],
  }),
})

export const transactionChecks: readonly RowCheck[] = [transactions, payments, rejectedPayments]
