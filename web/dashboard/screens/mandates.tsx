import type { browseMandates, cancelMandate, debitMandate, InDashboard } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import { call } from '../call.ts'
import { CUSTOMER, DAYS, status } from '../list/column.ts'
import { newReference } from '../list/reference.ts'
import { listScreen } from '../list/screen.tsx'

const CANCEL: Address<InDashboard<typeof cancelMandate>> = {
  method: 'PATCH',
  path: '/dashboard/api/v1/direct-debit/mandate/cancel-mandate/:mandateCode',
}
const DEBIT: Address<InDashboard<typeof debitMandate>> = {
  method: 'POST',
  path: '/dashboard/api/v1/direct-debit/mandate/debit',
}

export default listScreen<typeof browseMandates>({
  name: 'mandates',
  title: 'Mandates',
  one: 'Mandate',
  list: { method: 'GET', path: '/dashboard/api/lists/mandates' },
  empty:
    'A mandate lets you debit a customer’s account. Your server asks for one, and the customer agrees at the bank.',
  columns: [
    { title: 'Reference', value: ({ mandateReference }) => mandateReference, kind: 'code' },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
    { title: 'Status', value: (mandate) => mandate.status, kind: 'status' },
    { title: 'Customer', value: ({ customerName }) => customerName, isWide: true },
    { title: 'Debited', value: ({ debited }) => debited, kind: 'naira' },
  ],
  facts: [
    { title: 'Code', value: ({ mandateCode }) => mandateCode },
    { title: 'For', value: ({ description }) => description },
    { title: 'Amount', value: ({ mandateAmount }) => mandateAmount, kind: 'naira' },
    { title: 'Starts', value: ({ startsOn }) => startsOn, kind: 'moment' },
    { title: 'Ends', value: ({ endsOn }) => endsOn, kind: 'moment' },
    { title: 'Customer’s address', value: ({ customerEmail }) => customerEmail },
    { title: 'Account', value: ({ payerAccountNumber }) => payerAccountNumber },
  ],
  filters: [
    status(['INITIATED', 'PENDING_AUTHORIZATION', 'ACTIVE', 'SUSPENDED', 'CANCELLED', 'EXPIRED', 'FAILED']),
    CUSTOMER,
    ...DAYS,
  ],
  acts: [
    {
      title: 'Debit',
      text: 'The outcome follows when the customer’s bank has answered.',
      permission: 'collect.make',
      isFor: (mandate) => mandate.status === 'ACTIVE',
      asks: [
        { name: 'debitAmount', label: 'Amount in naira', kind: 'amount' },
        { name: 'narration', label: 'For what' },
        { name: 'customerEmail', label: 'Customer’s e-mail address', kind: 'email' },
      ],
      act: ({ mandateCode }, { debitAmount = '', narration = '', customerEmail = '' }) =>
        call(DEBIT, {
          body: { mandateCode, debitAmount, narration, customerEmail, paymentReference: newReference('debit') },
        }),
    },
    {
      title: 'Cancel the mandate',
      text: 'No more can be debited. The customer’s bank is told, and the state changes when it has answered.',
      permission: 'collect.make',
      isDanger: true,
      isFor: (mandate) => mandate.status === 'ACTIVE' || mandate.status === 'PENDING_AUTHORIZATION',
      asks: [],
      act: ({ mandateCode }) => call(CANCEL, { params: { mandateCode } }),
    },
  ],
})
