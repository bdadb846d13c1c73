import type { InvoiceStatus } from '@kobo/contract'
import { machine } from '../../kernel/machine.ts'

/** How an invoice may change its status. It follows its transaction: nothing else is stored of it. */
export const invoiceMachine = machine({
  PENDING: { pay: 'PAID', expire: 'EXPIRED', cancel: 'CANCELLED' },
  PAID: {},
  EXPIRED: {},
  CANCELLED: {},
}) satisfies Record<InvoiceStatus, object>
