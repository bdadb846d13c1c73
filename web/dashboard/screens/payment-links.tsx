import type { browsePaymentLinks, createPaymentLink, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { naira } from '../../ui/money.ts'
import { call } from '../api/call.ts'
import { watchList } from '../api/list-updates.ts'
import { contractCode } from '../api/own-accounts.ts'
import { useReply } from '../api/use-reply.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { DAYS } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'
import type { ItemOf } from '../parts/list/list-spec.ts'
import { customerUrl, newReference, searchUrl } from '../parts/list/reference.ts'
import { Rows } from '../parts/list/rows.tsx'
import { MAIL_LANGUAGE } from '../parts/mail-language.ts'
import { Panel } from '../parts/panel.tsx'
import { statusOf } from './transactions/timeline-data.ts'

const USAGES: Readonly<Record<'ONCE' | 'OFTEN', string>> = { ONCE: 'One-time', OFTEN: 'Reusable' }

/** Creates a one-time or a reusable link. */
const create =
  (usage: 'ONCE' | 'OFTEN') => async (_none: undefined, fields: Readonly<Partial<Record<string, string>>>) => {
    const contract = await contractCode()
    if (contract.kind !== 'done') return contract
    const { title = '', description = '', amount = '', expiryDate = '' } = fields
    return call(routes.createPaymentLink, {
      body: {
        linkReference: newReference('link'),
        title,
        usage,
        contractCode: contract.body,
        ...(description === '' ? {} : { description }),
        ...(amount === '' ? {} : { amount }),
        ...(expiryDate === '' ? {} : { expiryDate: `${expiryDate} 23:59:59` }),
      },
    })
  }

const FIELDS = [
  { name: 'title', label: 'Title' },
  { name: 'description', label: 'Description (optional)', isOptional: true },
  {
    name: 'amount',
    label: 'Amount in naira',
    hint: 'Leave empty to let the customer choose.',
    kind: 'amount',
    isOptional: true,
  },
  { name: 'expiryDate', label: 'Expiry date (optional)', kind: 'day', isOptional: true },
] as const

/** The link as a QR code, which only the page of a link loads. */
function LinkQr({ url }: { readonly url: string }): JSX.Element {
  const [Qr, setQr] = useState<typeof import('../../ui/qr.tsx').Qr>()
  useEffect(() => void import('../../ui/qr.tsx').then((qr) => setQr(() => qr.Qr)), [])
  return <div class="qr-room">{Qr !== undefined && <Qr text={url} label="The link as a QR code" />}</div>
}

/** The link to copy, open and scan. */
const Share = ({
  item: { path, title, status },
}: {
  readonly item: ItemOf<typeof browsePaymentLinks>
}): JSX.Element => {
  const url = location.origin + path
  const isActive = status === 'ACTIVE'
  return (
    <Panel title="Link">
      <p class="key">{url}</p>
      {isActive && (
        <>
          <p class="actions">
            <CopyButton text={url} what="the link" title="Copy link" />
            <a class="link" href={url} target="_blank" rel="noopener">
              Open link
            </a>
            <ShareButton url={url} title={title} />
          </p>
          <LinkQr url={url} />
        </>
      )}
    </Panel>
  )
}

/** The payments of a link: number, total and the newest transactions. */
function LinkPayments({ linkReference }: { readonly linkReference: string }): JSX.Element {
  const { body, problem, again } = useReply(routes.getLinkPayments, { params: { linkReference } })
  useEffect(() => watchList(routes.browseTransactions.path, again), [again])
  return (
    <>
      {body !== undefined && (
        <dl class="figures">
          <div class="figure">
            <dt>Collected through this link</dt>
            <dd>{naira(body.amount)}</dd>
            <dd class="beside">
              {body.payments.toLocaleString('en')} {body.payments === 1 ? 'payment' : 'payments'}
              {body.isPartial && '. Older payments are not counted.'}
            </dd>
          </div>
        </dl>
      )}
      <Rows
        title="Newest transactions"
        rows={body?.newest}
        problem={problem}
        empty="No one has used this link yet."
        columns={[
          {
            title: 'Reference',
            value: ({ paymentReference }) => paymentReference,
            link: ({ transactionReference }) => `/dashboard/transactions/${encodeURIComponent(transactionReference)}`,
          },
          { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
          { title: 'Status', value: statusOf, kind: 'status' },
          {
            title: 'Customer',
            value: ({ customerName, customerEmail }) => customerName ?? customerEmail,
            link: ({ customerEmail }) => customerUrl(customerEmail),
          },
          { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
        ]}
      />
    </>
  )
}

/** Opens the device's own list of apps to share with, if it has one. */
const ShareButton = ({ url, title }: { readonly url: string; readonly title: string }): JSX.Element | null =>
  'share' in navigator ? (
    <button class="link" type="button" onClick={() => void navigator.share({ title, url }).catch(() => {})}>
      Share link
    </button>
  ) : null

export default listScreen<typeof browsePaymentLinks>({
  name: 'payment-links',
  title: 'Payment links',
  singular: 'Payment link',
  list: routes.browsePaymentLinks,
  empty: 'Anyone with a payment link can pay you. Create one and share it by chat or email.',
  columns: [
    { title: 'Title', value: ({ title }) => title },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
    { title: 'Status', value: ({ status }) => status, kind: 'status' },
    { title: 'Usage', value: ({ usage }) => USAGES[usage], isWide: true },
    { title: 'Amount', value: ({ amount }) => amount ?? 'Any amount', kind: 'naira' },
  ],
  facts: [
    { title: 'Reference', value: ({ linkReference }) => linkReference, kind: 'code' },
    { title: 'Description', value: ({ description }) => description },
    { title: 'Expires', value: ({ expiresOn }) => expiresOn, kind: 'moment' },
    {
      title: 'Transaction',
      value: ({ transactionReference }) => transactionReference,
      link: ({ transactionReference }) => `/dashboard/transactions/${encodeURIComponent(transactionReference ?? '')}`,
    },
  ],
  filters: DAYS,
  Below: ({ item }) => (
    <>
      <Share item={item} />
      <LinkPayments linkReference={item.linkReference} />
    </>
  ),
  created: (reply) => searchUrl((reply as Reply<typeof createPaymentLink>).linkReference),
  createActions: [
    {
      title: 'Create reusable link',
      text: 'Many customers can pay with the same link.',
      permission: 'collect.make',
      fields: FIELDS,
      toast: 'Payment link created.',
      run: create('OFTEN'),
    },
    {
      title: 'Create one-time link',
      text: 'The link stops working after the first payment.',
      permission: 'collect.make',
      fields: FIELDS,
      toast: 'Payment link created.',
      run: create('ONCE'),
    },
  ],
  actions: [
    {
      title: 'Email link',
      permission: 'collect.make',
      isAvailable: ({ status }) => status === 'ACTIVE',
      fields: [{ name: 'email', label: 'Email address', kind: 'email' }, MAIL_LANGUAGE],
      toast: 'Payment link sent.',
      run: ({ linkReference }, { email = '', language = 'en' }) =>
        call(routes.mailPaymentLink, { params: { linkReference }, body: { email, language } }),
    },
    {
      title: 'Deactivate link',
      text: 'Visitors will see that it is no longer active.',
      permission: 'collect.make',
      isDanger: true,
      isAvailable: ({ status }) => status === 'ACTIVE',
      fields: [],
      toast: 'Link deactivated.',
      run: ({ linkReference }) => call(routes.disablePaymentLink, { params: { linkReference } }),
    },
  ],
})
