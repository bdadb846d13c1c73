import type { JSX } from 'preact'
import { naira } from '../../../ui/money.ts'
import { moment } from '../../parts/format.ts'
import { eventStatusOf } from '../../parts/list/event-status.ts'
import { Rows } from '../../parts/list/rows.tsx'
import { Status } from '../../parts/list/value.tsx'
import { responseText } from '../../parts/response-text.ts'
import type { TimelineData } from './timeline-data.ts'

interface Props {
  readonly data: TimelineData
}

/** The webhook events of a transaction, with every delivery attempt. */
export const Events = ({ data: { events } }: Props): JSX.Element => (
  <section class="panel stack-tight" aria-labelledby="events">
    <h2 id="events">Webhook events</h2>
    {events.length === 0 && <p class="quiet">No events yet.</p>}
    {events.map(({ id, eventType, status, createdOn, deliveries }) => (
      <details key={id}>
        <summary>
          {eventType} <Status status={eventStatusOf({ status, attempts: deliveries.length })} />
        </summary>
        <p class="quiet small">{moment(createdOn)}</p>
        <Rows
          title="Deliveries"
          rows={deliveries}
          empty="No delivery attempts yet."
          columns={[
            { title: 'Date', value: ({ at }) => at, kind: 'moment' },
            { title: 'URL', value: ({ url }) => url, isWide: true },
            { title: 'Response', value: responseText },
            { title: 'Duration', value: ({ milliseconds }) => `${milliseconds} ms`, isWide: true },
          ]}
        />
      </details>
    ))}
  </section>
)

export const LedgerEntries = ({ data: { journal } }: Props): JSX.Element => (
  <section class="panel stack-tight" aria-labelledby="journal">
    <h2 id="journal">Ledger entries</h2>
    {journal.length === 0 && <p class="quiet">No money has moved yet.</p>}
    {journal.map(({ at, memo, moves }, index) => (
      <div key={index}>
        <p>
          <b>{memo}</b> <span class="quiet small">{moment(at)}</span>
        </p>
        <ul class="moves">
          {moves.map(({ amount, text }, position) => (
            <li key={position}>
              <span>{text}</span>
              <span class="number">{naira(amount)}</span>
            </li>
          ))}
        </ul>
      </div>
    ))}
  </section>
)
