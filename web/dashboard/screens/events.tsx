import type { browseEvents, getMerchantEvent, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { call } from '../api/call.ts'
import { useReply } from '../api/use-reply.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { indent } from '../parts/format.ts'
import { eventStatusOf } from '../parts/list/event-status.ts'
import { DAYS, EVENT_STATUS } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'
import type { DetailPartProps, ItemOf } from '../parts/list/list-spec.ts'
import { searchUrl } from '../parts/list/reference.ts'
import { Rows } from '../parts/list/rows.tsx'
import { responseText } from '../parts/response-text.ts'
import { shellQuote } from '../parts/shell-quote.ts'

type EventRecord = Reply<typeof getMerchantEvent>

/** The event as a curl command that tests a webhook endpoint. It is not signed: only Kobo has the key. */
const asCurl = ({ url, body }: EventRecord): string =>
  `curl -X POST ${shellQuote(url ?? 'http://localhost:3000/webhook')} -H 'content-type: application/json' -d ${shellQuote(body)}`

/** How soon the page of an event looks for its next delivery attempt; later less often, since retries take days. */
const POLL_MILLISECONDS_MIN = 2_000
const POLL_MILLISECONDS_MAX = 30_000

/** The deliveries and the payload of an event. They update until it is delivered. */
function Deliveries({
  item: { id, status, attempts },
  again: reloadItem,
}: DetailPartProps<ItemOf<typeof browseEvents>>): JSX.Element {
  const { body: event, problem, again } = useReply(routes.getMerchantEvent, { params: { id } })
  const isOpen =
    [status, ...(event?.endpoints ?? []).map((delivery) => delivery.status)].includes('PENDING') ||
    (event !== undefined && event.attempts.length < attempts)
  useEffect(() => {
    if (!isOpen) return
    let pause = POLL_MILLISECONDS_MIN
    const look = (): void => {
      if (!document.hidden) void Promise.all([reloadItem(), again()])
      pause = Math.min(pause * 1.5, POLL_MILLISECONDS_MAX)
      timer = setTimeout(look, pause)
    }
    let timer = setTimeout(look, pause)
    return () => clearTimeout(timer)
  }, [isOpen, reloadItem, again])
  return (
    <>
      <Rows
        title="Deliveries"
        rows={event?.attempts}
        problem={problem}
        empty="No delivery attempts yet."
        columns={[
          { title: 'Date', value: ({ at }) => at, kind: 'moment' },
          { title: 'URL', value: ({ url }) => url },
          { title: 'Response', value: responseText },
          { title: 'Response body', value: ({ bodyExcerpt }) => bodyExcerpt, isWide: true },
          { title: 'Duration', value: ({ milliseconds }) => `${milliseconds} ms`, isWide: true },
        ]}
      />
      <Rows
        title="Additional endpoints"
        rows={event?.endpoints ?? []}
        columns={[
          { title: 'URL', value: ({ url }) => url },
          { title: 'Status', value: (delivery) => delivery.status, kind: 'status' },
          { title: 'Next attempt', value: ({ nextAttemptOn }) => nextAttemptOn, kind: 'moment' },
        ]}
      />
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
    },
    { title: 'Attempts', value: ({ attempts }) => attempts, isWide: true },
  ],
  facts: [{ title: 'Next attempt', value: ({ nextAttemptOn }) => nextAttemptOn, kind: 'moment' }],
  filters: [EVENT_STATUS, { kind: 'text', name: 'eventType', title: 'Event' }, ...DAYS],
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
  Below: Deliveries,
})
