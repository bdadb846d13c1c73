import type { browseDeliveries, listPausedReceivers, resendDelivery } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { call } from '../call.ts'
import { DAYS, status } from '../list/column.ts'
import { Rows } from '../list/rows.tsx'
import { listScreen } from '../list/screen.tsx'
import { wordsOf } from '../list/value.tsx'
import { useReply } from '../use-reply.ts'

const PAUSED: Address<typeof listPausedReceivers> = { method: 'GET', path: '/dashboard/api/operator/receivers' }
const RESEND: Address<typeof resendDelivery> = {
  method: 'POST',
  path: '/dashboard/api/operator/deliveries/:code/:id/resend',
}

const merchantPage = (code: string): string => `/dashboard/merchants/${encodeURIComponent(code)}`

/** Receivers that take nothing, where there are some. */
function Paused(): JSX.Element | null {
  const { body } = useReply(PAUSED, {})
  if (body === undefined || body.receivers.length === 0) return null
  return (
    <Rows
      title="Receivers that are paused"
      rows={body.receivers}
      empty=""
      columns={[
        {
          title: 'Merchant',
          value: ({ merchantCode }) => merchantCode,
          link: ({ merchantCode }) => merchantPage(merchantCode),
        },
        { title: 'For', value: ({ kind }) => (kind === 'default' ? 'All events' : wordsOf(kind)) },
        { title: 'Address', value: ({ url }) => url, isWide: true },
        { title: 'Since', value: ({ pausedOn }) => pausedOn, kind: 'moment' },
      ]}
      more="They take events again once their merchants set them anew."
    />
  )
}

export default listScreen<typeof browseDeliveries>({
  name: 'deliveries',
  title: 'Deliveries',
  one: 'Delivery',
  list: { method: 'GET', path: '/dashboard/api/operator/deliveries' },
  empty: 'All that merchants’ servers were told has arrived. Name a merchant to see all of its events.',
  columns: [
    { title: 'Event', value: ({ eventType }) => eventType, kind: 'code' },
    {
      title: 'Merchant',
      value: ({ merchantCode }) => merchantCode,
      link: ({ merchantCode }) => merchantPage(merchantCode ?? ''),
      isWide: true,
    },
    { title: 'Status', value: (event) => event.status, kind: 'status' },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
    { title: 'Attempts', value: ({ attempts }) => attempts, isWide: true },
  ],
  facts: [
    { title: 'Of', value: ({ reference }) => reference },
    { title: 'Next attempt', value: ({ nextAttemptOn }) => nextAttemptOn, kind: 'moment' },
  ],
  filters: [
    { kind: 'text', name: 'merchant', title: 'Merchant, by its code' },
    status(['PENDING', 'DELIVERED', 'GIVEN_UP', 'NOT_SENT']),
    ...DAYS,
  ],
  address: ({ id, merchantCode }) => `/dashboard/deliveries/${encodeURIComponent(`${merchantCode}.${id}`)}`,
  find: (key) => {
    const [merchant = '', id = ''] = key.split('.')
    const before = /^\d{1,18}$/.test(id) ? String(BigInt(id) + 1n) : '1'
    return { query: { merchant, before, size: 1 }, isIt: (event) => event.id === id }
  },
  Above: Paused,
  acts: [
    {
      title: 'Send it again',
      text: 'The merchant’s server gets the same text once more, under the same id.',
      permission: 'operator.manage',
      asks: [],
      told: 'It is sent again.',
      act: ({ id, merchantCode }) => call(RESEND, { params: { code: merchantCode ?? '', id } }),
    },
  ],
})
