import type { browseEvents, getMerchantEvent, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import * as routes from '../../routes.ts'
import { call } from '../api/call.ts'
import { useReply } from '../api/use-reply.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { indent } from '../parts/format.ts'
import { eventStatusOf } from '../parts/list/event-status.ts'
import { DAYS, status } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'
import { searchUrl } from '../parts/list/reference.ts'
import { Rows } from '../parts/list/rows.tsx'
import { shellQuote } from '../parts/shell-quote.ts'

type EventRecord = Reply<typeof getMerchantEvent>

/** The event as a curl command that tests a webhook endpoint. It is not signed: only Kobo has the key. */
const asCurl = ({ url, body }: EventRecord): string =>
  `curl -X POST ${shellQuote(url ?? 'http://localhost:3000/webhook')} -H 'content-type: application/json' -d ${shellQuote(body)}`

/** The deliveries and the payload of an event. */
function Deliveries({ id }: { readonly id: string }): JSX.Element {
  const { body: event, problem } = useReply(routes.getMerchantEvent, { params: { id } })
  return (
    <>
      <Rows
        title="Deliveries"
        rows={event?.attempts}
        problem={problem}
        empty="No delivery attempts yet."
        columns={[
          { title: 'Date', value: ({ at }) => at, kind: 'moment' },
          { title: 'URL', value: ({ url }) => url, isWide: true },
          { title: 'Response', value: ({ status: code, error }) => code ?? error },
          { title: 'Response body', value: ({ bodyExcerpt }) => bodyExcerpt, isWide: true },
          { title: 'Duration', value: ({ milliseconds }) => `${milliseconds} ms`, isWide: true },
        ]}
      />
      {event !== undefined && event.endpoints.length > 0 && (
        <Rows
          title="Additional endpoints"
          rows={event.endpoints}
          empty=""
          columns={[
            { title: 'URL', value: ({ url }) => url },
            { title: 'Status', value: (delivery) => delivery.status, kind: 'status' },
            { title: 'Next attempt', value: ({ nextAttemptOn }) => nextAttemptOn, kind: 'moment' },
          ]}
        />
      )}
      {event !== undefined && (
        <section class="panel stack-tight" aria-labelledby="payload">
          <h2 id="payload">Payload</h2>
          <pre class="text">{indent(event.body)}</pre>
          <p>
            <CopyButton text={event.body} what="the payload" /> ·{' '}
            <CopyButton text={asCurl(event)} what="the payload" title="Copy as curl" />
          </p>
        </section>
      )}
    </>
  )
}

export default listScreen<typeof browseEvents>({
  name: 'events',
  title: 'Events',
  singular: 'Event',
  list: routes.browseEvents,
  empty: 'Kobo sends events about your payments to your webhook URLs. They appear here with every delivery attempt.',
  columns: [
    { title: 'Event', value: ({ eventType }) => eventType, kind: 'code' },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
    { title: 'Status', value: eventStatusOf, kind: 'status' },
    {
      title: 'Reference',
      value: ({ reference }) => reference,
      link: ({ reference }) => searchUrl(reference),
      isWide: true,
    },
    { title: 'Attempts', value: ({ attempts }) => attempts, isWide: true },
  ],
  facts: [{ title: 'Next attempt', value: ({ nextAttemptOn }) => nextAttemptOn, kind: 'moment' }],
  filters: [
    status(['PENDING', 'DELIVERED', 'GIVEN_UP', 'NOT_SENT']),
    { kind: 'text', name: 'eventType', title: 'Event' },
    ...DAYS,
  ],
  actions: [
    {
      title: 'Resend event',
      text: 'Your server receives the same payload with the same event ID. It should ignore an event that it has already processed.',
      permission: 'developer.manage',
      fields: [],
      toast: 'Event resent.',
      run: ({ id }) => call(routes.resendMerchantEvent, { params: { id } }),
    },
  ],
  Below: ({ item }) => <Deliveries id={item.id} />,
})
