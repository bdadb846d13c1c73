import type { browseDeliveries } from '@kobo/contract'
import type { JSX } from 'preact'
import * as routes from '../../routes.ts'
import { call } from '../api/call.ts'
import { useReply } from '../api/use-reply.ts'
import { eventStatusOf } from '../parts/list/event-status.ts'
import { DAYS, EVENT_STATUS } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'
import { Rows } from '../parts/list/rows.tsx'
import { humanize } from '../parts/list/value.tsx'

const merchantPage = (code: string): string => `/dashboard/merchants/${encodeURIComponent(code)}`

/** The paused webhook endpoints, if any. */
function Paused(): JSX.Element {
  const { body } = useReply(routes.listPausedReceivers, {})
  return (
    <Rows
      title="Paused webhook endpoints"
      rows={body?.receivers ?? []}
      columns={[
        {
          title: 'Merchant',
          value: ({ merchantName }) => merchantName,
          link: ({ merchantCode }) => merchantPage(merchantCode),
        },
        { title: 'Events', value: ({ kind }) => (kind === 'default' ? 'Default URL' : humanize(kind)) },
        { title: 'URL', value: ({ url }) => url, isWide: true },
        { title: 'Paused since', value: ({ pausedOn }) => pausedOn, kind: 'moment' },
      ]}
      more="Deliveries resume when the merchant saves the webhook URL again."
    />
  )
}

export default listScreen<typeof browseDeliveries>({
  name: 'deliveries',
  title: 'Deliveries',
  singular: 'Delivery',
  list: routes.browseDeliveries,
  emptyTitle: 'No undelivered webhooks',
  empty: 'Filter by merchant to see all of its events.',
  columns: [
    { title: 'Event', value: ({ eventType }) => eventType, kind: 'code' },
    {
      title: 'Merchant',
      value: ({ merchantName }) => merchantName,
      link: ({ merchantCode }) => merchantPage(merchantCode ?? ''),
    },
    { title: 'Reference', value: ({ reference }) => reference },
    { title: 'Status', value: eventStatusOf, kind: 'status' },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
    { title: 'Attempts', value: ({ attempts }) => attempts, isWide: true },
  ],
  facts: [{ title: 'Next attempt', value: ({ nextAttemptOn }) => nextAttemptOn, kind: 'moment' }],
  filters: [{ kind: 'text', name: 'merchant', title: 'Merchant code' }, EVENT_STATUS, ...DAYS],
  address: ({ id, merchantCode }) => `/dashboard/deliveries/${encodeURIComponent(`${merchantCode}.${id}`)}`,
  find: (key) => {
    const [merchant = '', id = ''] = key.split('.')
    const before = /^\d{1,18}$/.test(id) ? String(BigInt(id) + 1n) : '1'
    return { query: { merchant, before, size: 1 }, matches: (event) => event.id === id }
  },
  Above: Paused,
  actions: [
    {
      title: 'Resend',
      text: 'The merchant’s server receives the same body with the same id.',
      permission: 'operator.manage',
      fields: [],
      toast: 'Event resent.',
      run: ({ id, merchantCode }) => call(routes.resendDelivery, { params: { code: merchantCode ?? '', id } }),
    },
  ],
})
