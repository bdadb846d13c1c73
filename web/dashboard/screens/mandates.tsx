import type { browseMandates } from '@kobo/contract'
import type { JSX } from 'preact'
import * as routes from '../../routes.ts'
import { call } from '../api/call.ts'
import { useReply } from '../api/use-reply.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { CUSTOMER, DAYS, status } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'
import { customerUrl, newReference } from '../parts/list/reference.ts'
import { Panel } from '../parts/panel.tsx'
import { LoadError } from '../parts/placeholders.tsx'

/** How the customer authorizes a mandate, until it is authorized. */
function Authorization({ mandateReference }: { readonly mandateReference: string }): JSX.Element | null {
  const { body, problem } = useReply(routes.getMandates, { query: { mandateReferences: mandateReference } })
  const { authorizationMessage: message, authorizationLink: link } = body?.[0] ?? {}
  if (problem === undefined && message == null) return null
  return (
    <Panel title="Authorization">
      <LoadError problem={problem} />
      {message != null && (
        <p>
          {message} <CopyButton text={message} what="the instruction" />
        </p>
      )}
      {link != null && (
        <p class="actions">
          <CopyButton text={link} what="to the authorization page" title="Copy link" />
          <a class="link" href={link} target="_blank" rel="noopener">
            Open authorization page
          </a>
        </p>
      )}
    </Panel>
  )
}

export default listScreen<typeof browseMandates>({
  name: 'mandates',
  title: 'Mandates',
  singular: 'Mandate',
  list: routes.browseMandates,
  empty:
    'A mandate lets you debit a customer’s bank account. Request one through the API; the customer authorizes it at their bank.',
  columns: [
    { title: 'Reference', value: ({ mandateReference }) => mandateReference, kind: 'code' },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
    { title: 'Status', value: (mandate) => mandate.status, kind: 'status' },
    {
      title: 'Customer',
      value: ({ customerName }) => customerName,
      link: ({ customerEmail }) => customerUrl(customerEmail),
    },
    { title: 'Debited', value: ({ debited }) => debited, kind: 'naira' },
  ],
  facts: [
    { title: 'Code', value: ({ mandateCode }) => mandateCode },
    { title: 'Description', value: ({ description }) => description },
    { title: 'Amount', value: ({ mandateAmount }) => mandateAmount ?? 'Any amount', kind: 'naira' },
    { title: 'Starts', value: ({ startsOn }) => startsOn, kind: 'moment' },
    { title: 'Ends', value: ({ endsOn }) => endsOn, kind: 'moment' },
    {
      title: 'Customer email',
      value: ({ customerEmail }) => customerEmail,
      link: ({ customerEmail }) => customerUrl(customerEmail),
    },
    { title: 'Account number', value: ({ payerAccountNumber }) => payerAccountNumber },
  ],
  filters: [
    status(['INITIATED', 'PENDING_AUTHORIZATION', 'ACTIVE', 'SUSPENDED', 'CANCELLED', 'EXPIRED', 'FAILED']),
    CUSTOMER,
    ...DAYS,
  ],
  Below: ({ item, me }) =>
    me.permissions.includes('payer.read') ? <Authorization mandateReference={item.mandateReference} /> : null,
  actions: [
    {
      title: 'Debit customer',
      text: 'You see the result once the customer’s bank responds.',
      permission: 'collect.make',
      isAvailable: (mandate) => mandate.status === 'ACTIVE',
      fields: [
        { name: 'debitAmount', label: 'Amount in naira', kind: 'amount' },
        { name: 'narration', label: 'Narration' },
        { name: 'customerEmail', label: 'Customer email', kind: 'email' },
      ],
      toast: 'Debit requested.',
      run: ({ mandateCode }, { debitAmount = '', narration = '', customerEmail = '' }) =>
        call(routes.debitMandate, {
          body: { mandateCode, debitAmount, narration, customerEmail, paymentReference: newReference('debit') },
        }),
    },
    {
      title: 'Cancel mandate',
      dismiss: 'Go back',
      text: 'You can no longer debit the customer. The status changes once their bank confirms.',
      permission: 'collect.make',
      isDanger: true,
      isAvailable: (mandate) => mandate.status === 'ACTIVE' || mandate.status === 'PENDING_AUTHORIZATION',
      fields: [],
      toast: 'Cancellation requested.',
      run: ({ mandateCode }) => call(routes.cancelMandate, { params: { mandateCode } }),
    },
  ],
})
