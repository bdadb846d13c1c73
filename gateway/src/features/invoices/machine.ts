import type { InvoiceStatus } from '@kobo/contract'
import { machine } from '../../kernel/machine.ts'

/** The states of an invoice. They follow from its transaction and are not stored. */
export const invoiceMachine = machine({
  PENDING: { pay: 'PAID', expire: 'EXPIRED', cancel: 'CANCELLED' },
  PAID: {},
  EXPIRED: {},
  CANCELLED: {},
}) satisfies Record<InvoiceStatus, object>
