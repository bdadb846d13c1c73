import type { browseInvoices } from '@kobo/contract'
import type { JSX } from 'preact'
import * as routes from '../../routes.ts'
import { koboOf } from '../../ui/money.ts'
import { call } from '../api/call.ts'
import { contractCode } from '../api/own-accounts.ts'
import { useReply } from '../api/use-reply.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { ItemFields, readItems, totalOf } from '../parts/item-fields.tsx'
import { DAYS, status } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'
import { dayAhead } from '../parts/list/period.ts'
import { customerUrl, newReference } from '../parts/list/reference.ts'
import { Rows } from '../parts/list/rows.tsx'
import { MAIL_LANGUAGE } from '../parts/mail-language.ts'
import { Panel } from '../parts/panel.tsx'
import { LoadError } from '../parts/placeholders.tsx'

/** The limit of the API. */
const EXPIRY_MONTHS_MAX = 6

/** The items, and how the customer pays: the page, the PDF and the bank account. */
function InvoiceParts({ invoiceReference }: { readonly invoiceReference: string }): JSX.Element {
  const { body, problem } = useReply(routes.getInvoice, { params: { invoiceReference } })
  return (
    <>
      {body?.items !== undefined && (
        <Rows
          title="Items"
          rows={body.items}
          columns={[
            { title: 'Item', value: ({ description }) => description },
            { title: 'Quantity', value: ({ quantity }) => quantity },
            { title: 'Unit price', value: ({ unitPrice }) => unitPrice, kind: 'naira' },
            {
              title: 'Price',
              value: ({ quantity, unitPrice }) => (quantity * koboOf(unitPrice)) / 100,
              kind: 'naira',
            },
          ]}
        />
      )}
      {body?.accountNumber !== undefined && (
        <Rows
          title="Account to pay into"
          rows={[body]}
          columns={[
            { title: 'Bank', value: ({ bankName }) => bankName ?? null },
            { title: 'Account number', value: ({ accountNumber }) => accountNumber ?? null, kind: 'code' },
            { title: 'Account name', value: ({ accountName }) => accountName ?? null },
          ]}
        />
      )}
      <Panel title="Payment page">
        <LoadError problem={problem} />
        {body !== undefined && (
          <>
            <p class="key">{body.checkoutUrl}</p>
            <p class="actions">
              <CopyButton text={body.checkoutUrl} what="of the invoice" title="Copy link" />
              <a class="link" href={body.checkoutUrl} target="_blank" rel="noopener">
                Open payment page
              </a>
              <a class="link" href={`${body.checkoutUrl}/invoice.pdf`} target="_blank" rel="noopener">
                Open PDF
              </a>
            </p>
          </>
        )}
      </Panel>
    </>
  )
}

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
    {
      title: 'Customer',
      value: ({ customerName }) => customerName,
      link: ({ customerEmail }) => customerUrl(customerEmail),
    },
    { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
  ],
  facts: [
    { title: 'Description', value: ({ description }) => description },
    {
      title: 'Customer email',
      value: ({ customerEmail }) => customerEmail,
      link: ({ customerEmail }) => customerUrl(customerEmail),
    },
    { title: 'Due', value: ({ expiresOn }) => expiresOn, kind: 'moment' },
    {
      title: 'Transaction',
      value: ({ transactionReference }) => transactionReference,
      link: ({ transactionReference }) => `/dashboard/transactions/${encodeURIComponent(transactionReference)}`,
    },
  ],
  filters: [status(['PENDING', 'PAID', 'EXPIRED', 'CANCELLED']), ...DAYS],
  Below: ({ item, me }) =>
    me.permissions.includes('payer.read') ? <InvoiceParts invoiceReference={item.invoiceReference} /> : null,
  createActions: [
    {
      title: 'Create invoice',
      permission: 'collect.make',
      fields: () => [
        { name: 'description', label: 'Description' },
        { name: 'items', label: 'Items', Input: ItemFields },
        {
          name: 'amount',
          label: 'Amount in naira',
          kind: 'amount',
          hint: 'Leave empty if you add items: their sum is the amount.',
          isOptional: true,
        },
        { name: 'customerName', label: 'Customer name' },
        { name: 'customerEmail', label: 'Customer email', kind: 'email' },
        {
          name: 'expiryDate',
          label: 'Due date',
          kind: 'day',
          hint: 'At most six months from today.',
          max: dayAhead(EXPIRY_MONTHS_MAX),
        },
      ],
      toast: 'Invoice created.',
      run: async (_none, fields) => {
        const { amount = '', description = '', customerName = '', customerEmail = '', expiryDate = '' } = fields
        const items = readItems('items', fields)
        const contract = await contractCode()
        if (contract.kind !== 'done') return contract
        return call(routes.createInvoice, {
          body: {
            amount: amount === '' && items.length > 0 ? totalOf(items) : amount,
            items,
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
      fields: [MAIL_LANGUAGE],
      toast: 'Invoice sent.',
      run: ({ invoiceReference }, { language = 'en' }) =>
        call(routes.mailInvoice, { params: { invoiceReference }, body: { language } }),
    },
    {
      title: 'Cancel invoice',
      dismiss: 'Go back',
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
