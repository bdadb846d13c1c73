import type { browseInvoices } from '@kobo/contract'
import * as routes from '../../routes.ts'
import { call } from '../api/call.ts'
import { contractCode } from '../api/own-accounts.ts'
import { DAYS } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'
import { newReference } from '../parts/list/reference.ts'

export default listScreen<typeof browseInvoices>({
  name: 'invoices',
  title: 'Invoices',
  singular: 'Invoice',
  list: routes.browseInvoices,
  empty: 'Create an invoice to bill a customer. They pay on its page or into its bank account.',
  columns: [
    { title: 'Reference', value: ({ invoiceReference }) => invoiceReference, kind: 'code' },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
    { title: 'Status', value: (invoice) => invoice.status, kind: 'status' },
    { title: 'Customer', value: ({ customerName }) => customerName },
    { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
  ],
  facts: [
    { title: 'Description', value: ({ description }) => description },
    { title: 'Customer email', value: ({ customerEmail }) => customerEmail },
    { title: 'Account number', value: ({ accountNumber }) => accountNumber },
    { title: 'Expires', value: ({ expiresOn }) => expiresOn, kind: 'moment' },
    {
      title: 'Transaction',
      value: ({ transactionReference }) => transactionReference,
      link: ({ transactionReference }) => `/dashboard/transactions/${encodeURIComponent(transactionReference)}`,
    },
  ],
  filters: DAYS,
  createActions: [
    {
      title: 'Create invoice',
      permission: 'collect.make',
      fields: [
        { name: 'amount', label: 'Amount in naira', kind: 'amount' },
        { name: 'description', label: 'Description' },
        { name: 'customerName', label: 'Customer name' },
        { name: 'customerEmail', label: 'Customer email', kind: 'email' },
        { name: 'expiryDate', label: 'Due date', kind: 'day' },
      ],
      toast: 'Invoice created.',
      run: async (_none, { amount = '', description = '', customerName = '', customerEmail = '', expiryDate = '' }) => {
        const contract = await contractCode()
        if (contract.kind !== 'done') return contract
        return call(routes.createInvoice, {
          body: {
            amount,
            description,
            customerName,
            customerEmail,
            contractCode: contract.body,
            currencyCode: 'NGN',
            expiryDate: `${expiryDate} 23:59:59`,
            invoiceReference: newReference('invoice'),
          },
        })
      },
    },
  ],
  actions: [
    {
      title: 'Email invoice',
      text: 'The customer receives the amount, the account number and links to the payment page and the PDF.',
      permission: 'collect.make',
      isAvailable: (invoice) => invoice.status === 'PENDING',
      fields: [],
      toast: 'Invoice sent.',
      run: ({ invoiceReference }) => call(routes.mailInvoice, { params: { invoiceReference }, body: {} }),
    },
    {
      title: 'Cancel invoice',
      text: 'The customer can no longer pay it.',
      permission: 'collect.make',
      isDanger: true,
      isAvailable: (invoice) => invoice.status === 'PENDING',
      fields: [],
      toast: 'Invoice cancelled.',
      run: ({ invoiceReference }) => call(routes.cancelInvoice, { params: { invoiceReference } }),
    },
  ],
})
