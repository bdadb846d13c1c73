import type {
  browsePaymentLinks,
  createPaymentLink,
  disablePaymentLink,
  InDashboard,
  mailPaymentLink,
} from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import { call } from '../call.ts'
import { DAYS } from '../list/column.ts'
import { newReference } from '../list/reference.ts'
import { listScreen } from '../list/screen.tsx'
import { contractCode } from '../own-accounts.ts'

const CREATE: Address<InDashboard<typeof createPaymentLink>> = {
  method: 'POST',
  path: '/dashboard/api/v1/payment-links',
}
const DISABLE: Address<InDashboard<typeof disablePaymentLink>> = {
  method: 'DELETE',
  path: '/dashboard/api/v1/payment-links/:linkReference',
}
const MAIL: Address<InDashboard<typeof mailPaymentLink>> = {
  method: 'POST',
  path: '/dashboard/api/v1/payment-links/:linkReference/mail',
}

const USAGES: Readonly<Record<'ONCE' | 'OFTEN', string>> = { ONCE: 'Once', OFTEN: 'As often as somebody wants' }

/** Makes a link that is used once or often; each has a form of its own. */
const making =
  (usage: 'ONCE' | 'OFTEN') => async (_none: undefined, fields: Readonly<Partial<Record<string, string>>>) => {
    const contract = await contractCode()
    if (contract.kind !== 'done') return contract
    const { title = '', description = '', amount = '', until = '' } = fields
    return call(CREATE, {
      body: {
        linkReference: newReference('link'),
        title,
        usage,
        contractCode: contract.body,
        ...(description === '' ? {} : { description }),
        ...(amount === '' ? {} : { amount }),
        ...(until === '' ? {} : { expiryDate: `${until} 23:59:59` }),
      },
    })
  }

const ASKS = [
  { name: 'title', label: 'What it is for' },
  { name: 'description', label: 'More about it', isOptional: true },
  {
    name: 'amount',
    label: 'Amount in naira',
    hint: 'Leave it empty, and the payer says how much.',
    kind: 'amount',
    isOptional: true,
  },
  { name: 'until', label: 'Can be paid until the end of', kind: 'day', isOptional: true },
] as const

export default listScreen<typeof browsePaymentLinks>({
  name: 'payment-links',
  title: 'Payment links',
  one: 'Payment link',
  list: { method: 'GET', path: '/dashboard/api/lists/payment-links' },
  empty:
    'A payment link is paid by whoever opens it: for an amount or for any, once or often. Send it by chat or mail.',
  columns: [
    { title: 'For', value: ({ title }) => title },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
    { title: 'Status', value: ({ status }) => status, kind: 'status' },
    { title: 'Can be paid', value: ({ usage }) => USAGES[usage], isWide: true },
    { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
  ],
  facts: [
    { title: 'Link to send', value: ({ path }) => location.origin + path, kind: 'code' },
    { title: 'Reference', value: ({ linkReference }) => linkReference, kind: 'code' },
    { title: 'More about it', value: ({ description }) => description },
    { title: 'Can be paid until', value: ({ expiresOn }) => expiresOn, kind: 'moment' },
    {
      title: 'Transaction',
      value: ({ transactionReference }) => transactionReference,
      link: ({ transactionReference }) => `/dashboard/transactions/${encodeURIComponent(transactionReference ?? '')}`,
    },
  ],
  filters: DAYS,
  makes: [
    {
      title: 'New link, paid often',
      text: 'As for a fee, a stall or a collection: each payer pays by the same link.',
      permission: 'collect.make',
      asks: ASKS,
      act: making('OFTEN'),
    },
    {
      title: 'New link, paid once',
      text: 'For one customer: when somebody has paid, nobody else can.',
      permission: 'collect.make',
      asks: ASKS,
      act: making('ONCE'),
    },
  ],
  acts: [
    {
      title: 'Mail the link',
      permission: 'collect.make',
      isFor: ({ status }) => status === 'ACTIVE',
      asks: [{ name: 'email', label: 'To which e-mail address', kind: 'email' }],
      act: ({ linkReference }, { email = '' }) => call(MAIL, { params: { linkReference }, body: { email } }),
    },
    {
      title: 'Take no more payments',
      text: 'Who opens the link is told that it is over.',
      permission: 'collect.make',
      isDanger: true,
      isFor: ({ status }) => status === 'ACTIVE',
      asks: [],
      act: ({ linkReference }) => call(DISABLE, { params: { linkReference } }),
    },
  ],
})
