import type { browseEvents, getMerchantEvent, InDashboard, Reply, resendMerchantEvent } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { call } from '../call.ts'
import { CopyButton } from '../copy-button.tsx'
import { DAYS, lookUp, status } from '../list/column.ts'
import { Rows } from '../list/rows.tsx'
import { listScreen } from '../list/screen.tsx'
import { quoted } from '../shell-word.ts'
import { useReply } from '../use-reply.ts'

const ONE: Address<InDashboard<typeof getMerchantEvent>> = {
  method: 'GET',
  path: '/dashboard/api/v1/merchant/events/:id',
}
const RESEND: Address<InDashboard<typeof resendMerchantEvent>> = {
  method: 'POST',
  path: '/dashboard/api/v1/merchant/events/:id/resend',
}

type EventRecord = Reply<typeof getMerchantEvent>

/** The event as a call of one's own, to try a receiver with. It has no signature: only we can make that. */
const asCurl = ({ url, body }: EventRecord): string =>
  `curl -X POST ${quoted(url ?? 'http://localhost:3000/webhook')} -H 'content-type: application/json' -d ${quoted(body)}`

/** What was sent, and every attempt to send it. */
function Sent({ id }: { readonly id: string }): JSX.Element {
  const { body: event, problem } = useReply(ONE, { params: { id } })
  return (
    <>
      <Rows
        title="Deliveries"
        rows={event?.attempts}
        problem={problem}
        empty="Not sent yet."
        columns={[
          { title: 'When', value: ({ at }) => at, kind: 'moment' },
          { title: 'To', value: ({ url }) => url, isWide: true },
          { title: 'Answer', value: ({ status: answer, error }) => answer ?? error },
          { title: 'Said', value: ({ bodyExcerpt }) => bodyExcerpt, isWide: true },
          { title: 'Took', value: ({ milliseconds }) => `${milliseconds} ms`, isWide: true },
        ]}
      />
      {event !== undefined && (
        <section class="panel stack-tight" aria-labelledby="body">
          <h2 id="body">What was sent</h2>
          <pre class="text">{event.body}</pre>
          <p>
            <CopyButton text={event.body} what="what was sent" /> ·{' '}
            <CopyButton text={asCurl(event)} what="a call that sends it" title="Copy as curl" />
          </p>
        </section>
      )}
    </>
  )
}

export default listScreen<typeof browseEvents>({
  name: 'events',
  title: 'Events',
  one: 'Event',
  list: { method: 'GET', path: '/dashboard/api/lists/events' },
  empty: 'What happens to a payment is told to your server; what was told stands here, with every attempt.',
  columns: [
    { title: 'Event', value: ({ eventType }) => eventType, kind: 'code' },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
    { title: 'Status', value: (event) => event.status, kind: 'status' },
    { title: 'Of', value: ({ reference }) => reference, link: ({ reference }) => lookUp(reference), isWide: true },
    { title: 'Attempts', value: ({ attempts }) => attempts, isWide: true },
  ],
  facts: [{ title: 'Next attempt', value: ({ nextAttemptOn }) => nextAttemptOn, kind: 'moment' }],
  filters: [
    status(['PENDING', 'DELIVERED', 'GIVEN_UP', 'NOT_SENT']),
    { kind: 'text', name: 'eventType', title: 'Event' },
    ...DAYS,
  ],
  acts: [
    {
      title: 'Send it again',
      text: 'Your server gets the same text once more, under the same id. Where it has taken it already it should do nothing.',
      permission: 'developer.manage',
      asks: [],
      act: ({ id }) => call(RESEND, { params: { id } }),
    },
  ],
  Below: ({ item }) => <Sent id={item.id} />,
})
