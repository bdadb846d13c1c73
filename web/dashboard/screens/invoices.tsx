import type { browseInvoices, cancelInvoice, createInvoice, InDashboard, mailInvoice } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import { call } from '../call.ts'
import { DAYS } from '../list/column.ts'
import { newReference } from '../list/reference.ts'
import { listScreen } from '../list/screen.tsx'
import { contractCode } from '../own-accounts.ts'

const CREATE: Address<InDashboard<typeof createInvoice>> = { method: 'POST', path: '/dashboard/api/v1/invoice/create' }
const CANCEL: Address<InDashboard<typeof cancelInvoice>> = {
  method: 'DELETE',
  path: '/dashboard/api/v1/invoice/:invoiceReference/cancel',
}

const MAIL: Address<InDashboard<typeof mailInvoice>> = {
  method: 'POST',
  path: '/dashboard/api/v1/invoice/:invoiceReference/mail',
}

export default listScreen<typeof browseInvoices>({
  name: 'invoices',
  title: 'Invoices',
  one: 'Invoice',
  list: { method: 'GET', path: '/dashboard/api/lists/invoices' },
  empty: 'An invoice asks a customer for an amount until a day; it is paid at its own page or into its own account.',
  columns: [
    { title: 'Reference', value: ({ invoiceReference }) => invoiceReference, kind: 'code' },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
    { title: 'Status', value: (invoice) => invoice.status, kind: 'status' },
    { title: 'Customer', value: ({ customerName }) => customerName, isWide: true },
    { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
  ],
  facts: [
    { title: 'For', value: ({ description }) => description },
    { title: 'Customer’s address', value: ({ customerEmail }) => customerEmail },
    { title: 'Account to pay into', value: ({ accountNumber }) => accountNumber },
    { title: 'Expires', value: ({ expiresOn }) => expiresOn, kind: 'moment' },
    {
      title: 'Transaction',
      value: ({ transactionReference }) => transactionReference,
      link: ({ transactionReference }) => `/dashboard/transactions/${encodeURIComponent(transactionReference)}`,
    },
  ],
  filters: DAYS,
  makes: [
    {
      title: 'New invoice',
      permission: 'collect.make',
      asks: [
        { name: 'amount', label: 'Amount in naira', kind: 'amount' },
        { name: 'description', label: 'For what' },
        { name: 'customerName', label: 'Customer’s name' },
        { name: 'customerEmail', label: 'Customer’s e-mail address', kind: 'email' },
        { name: 'until', label: 'To be paid until the end of', kind: 'day' },
      ],
      act: async (_none, { amount = '', description = '', customerName = '', customerEmail = '', until = '' }) => {
        const contract = await contractCode()
        if (contract.kind !== 'done') return contract
        return call(CREATE, {
          body: {
            amount,
            description,
            customerName,
            customerEmail,
            contractCode: contract.body,
            currencyCode: 'NGN',
            expiryDate: `${until} 23:59:59`,
            invoiceReference: newReference('invoice'),
          },
        })
      },
    },
  ],
  acts: [
    {
      title: 'Mail the invoice',
      text: 'The customer gets the amount, the account to pay into, and links to the page and the PDF.',
      permission: 'collect.make',
      isFor: (invoice) => invoice.status === 'PENDING',
      asks: [],
      act: ({ invoiceReference }) => call(MAIL, { params: { invoiceReference }, body: {} }),
    },
    {
      title: 'Cancel the invoice',
      text: 'Nobody can pay it any more.',
      permission: 'collect.make',
      isDanger: true,
      isFor: (invoice) => invoice.status === 'PENDING',
      asks: [],
      act: ({ invoiceReference }) => call(CANCEL, { params: { invoiceReference } }),
    },
  ],
})
