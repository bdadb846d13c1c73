import { acts, type RowCheck, ranged, within } from '../../core/money/ledger/index.ts'
import type { Kobo } from '../../kernel/money.ts'
import { ofMerchants } from '../../platform/postgres/table.ts'
import type { AttemptRow } from './repository.ts'

/** A charge with the id of its order and the money that arrived for it. */
interface ChargedCard extends Pick<AttemptRow, 'merchantId' | 'reference' | 'status' | 'amount'> {
  readonly id: bigint
  readonly orderState: string
  readonly paid: Kobo | null
  readonly transactionReference: string
}

const charges = acts<ChargedCard>({
  name: 'card charge',
  rows: { table: 'rail_order', idFormat: 'standard' },
  read: (tx, ranges) =>
    tx<ChargedCard[]>`
      select r.merchant_id, r.id, r.state as order_state, a.reference, a.status, a.amount, p.amount as paid, t.transaction_reference
        from ${ranged(ranges)}
        join rail_order r on ${within('r', ranges)}
        join card_attempt a on ${ofMerchants('a', ranges)} and a.merchant_id = r.merchant_id and a.transaction_id = r.subject_id and a.order_id = r.id
        join transaction t on ${ofMerchants('t', ranges)} and t.merchant_id = a.merchant_id and t.id = a.transaction_id
        left join payment p on ${ofMerchants('p', ranges)} and p.merchant_id = a.merchant_id and p.rail_reference = a.reference and p.transaction_id = a.transaction_id
       where r.purpose = 'card-charge'`,
  reference: ({ transactionReference }) => transactionReference,
  state: ({ status }) => status,
  consequences: ({ reference, status, amount, paid }) => ({
    wrong:
      (status === 'APPROVED' ? amount : null) === paid
        ? []
        : [`card charge ${reference} of ${amount} is ${status}, but ${paid ?? 'nothing'} arrived`],
  }),
  mayChange: ({ orderState }) => orderState !== 'CONCLUDED',
})

export const cardChecks: readonly RowCheck[] = [charges]
