import { acts, ownedBy, type RowCheck, ranged, within } from '../../core/money/ledger/index.ts'
import { forgotten, ofOrder, type WithOrder, withOrder } from '../../core/orders/index.ts'
import { heldJournal, paidJournal, returnedJournal } from './journals.ts'
import { type VendRow, vends } from './repository.ts'

type Vend = VendRow & WithOrder

const vendCheck = acts<Vend>({
  name: 'bill',
  rows: { table: 'bill_vend', idFormat: 'standard' },
  read: (tx, ranges) =>
    tx<Vend[]>`
      select ${vends.of('r')}, ${ofOrder}
        from ${ranged(ranges)}
        join bill_vend r on ${within('r', ranges)}
        ${withOrder(ranges)}`,
  reference: ({ reference }) => reference,
  state: ({ status }) => status,
  consequences: (vend) => {
    const [held, paid, returned] = [heldJournal(vend), paidJournal(vend, vend.orderPartner), returnedJournal(vend)]
    switch (vend.status) {
      case 'PENDING':
        return { booked: [held], unbooked: [paid.key, returned.key], wrong: forgotten(true, vend) }
      case 'SUCCESS':
        return { booked: [held, paid], unbooked: [returned.key] }
      case 'FAILED':
        return { booked: [held, returned], unbooked: [paid.key] }
    }
  },
  mayChange: ({ status }) => status === 'PENDING',
  owned: [ownedBy('bill/', 'bill_vend', 'transaction_reference')],
})

export const billChecks: readonly RowCheck[] = [vendCheck]
