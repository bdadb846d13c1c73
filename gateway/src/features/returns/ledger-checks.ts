import { accounts, acts, ownedBy, type RowCheck, ranged, within } from '../../core/money/ledger/index.ts'
import { forgotten, ofOrder, type WithOrder } from '../../core/orders/index.ts'
import { ofMerchants } from '../../platform/postgres/table.ts'
import { returned, returnHeld } from './journals.ts'
import { type ReturnRow, returns } from './repository.ts'

type Return = ReturnRow & WithOrder

/** A rejected credit is in suspense until we return it. If its partner returns it, nothing is posted. */
const returnCheck = acts<Return>({
  name: 'return',
  rows: { table: 'credit_return', idFormat: 'standard' },
  read: (tx, ranges) =>
    tx<Return[]>`
      select ${returns.of('r')}, ${ofOrder}
        from ${ranged(ranges)}
        join credit_return r on ${within('r', ranges)}
        left join rail_order o on ${ofMerchants('o', ranges)} and o.merchant_id = r.merchant_id and o.id = r.order_id`,
  reference: ({ reference }) => reference,
  state: ({ state }) => state,
  consequences: (row) => {
    const held = returnHeld(row)
    const back = returned(row, row.returnedBy ?? row.partner)
    switch (row.state) {
      case 'BY_PARTNER':
        return { unbooked: [held.key, back.key] }
      case 'WAITING':
      case 'RETURNING':
        return {
          booked: [held],
          unbooked: [back.key],
          holds: { account: accounts.suspense(row.partner), amount: row.amount },
          wrong: forgotten(row.state === 'RETURNING', row),
        }
      case 'RETURNED':
        return { booked: [held, back] }
    }
  },
  mayChange: ({ state }) => state === 'WAITING' || state === 'RETURNING',
  owned: [ownedBy('return/', 'credit_return', 'reference')],
})

export const returnChecks: readonly RowCheck[] = [returnCheck]
