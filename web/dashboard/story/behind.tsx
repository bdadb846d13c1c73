import type { JSX } from 'preact'
import { naira } from '../../ui/money.ts'
import { Rows } from '../list/rows.tsx'
import { Status } from '../list/value.tsx'
import { moment } from '../texts.ts'
import type { Told } from './told.ts'

interface Props {
  readonly story: Told
}

/** What the merchant's server was told, with every attempt to tell it. */
export const Events = ({ story: { events } }: Props): JSX.Element => (
  <section class="panel stack-tight" aria-labelledby="events">
    <h2 id="events">What your server was told</h2>
    {events.length === 0 && <p class="quiet">Nothing yet.</p>}
    {events.map(({ id, eventType, status, createdOn, deliveries }) => (
      <details key={id}>
        <summary>
          {eventType} <Status status={status} />
        </summary>
        <p class="quiet small">{moment(createdOn)}</p>
        <Rows
          title="Deliveries"
          rows={deliveries}
          empty="Not sent yet."
          columns={[
            { title: 'When', value: ({ at }) => at, kind: 'moment' },
            { title: 'To', value: ({ url }) => url, isWide: true },
            { title: 'Answer', value: ({ status: answer, error }) => answer ?? error },
            { title: 'Took', value: ({ milliseconds }) => `${milliseconds} ms`, isWide: true },
          ]}
        />
      </details>
    ))}
  </section>
)

/** What was booked, in plain words. */
export const Journal = ({ story: { journal } }: Props): JSX.Element => (
  <section class="panel stack-tight" aria-labelledby="journal">
    <h2 id="journal">What was booked</h2>
    {journal.length === 0 && <p class="quiet">No money has moved.</p>}
    {journal.map(({ at, memo, moves }, index) => (
      <div key={index}>
        <p>
          <b>{memo}</b> <span class="quiet small">{moment(at)}</span>
        </p>
        <ul class="moves">
          {moves.map(({ amount, text }, place) => (
            <li key={place}>
              <span>{text}</span>
              <span class="number">{naira(amount)}</span>
            </li>
          ))}
        </ul>
      </div>
    ))}
  </section>
)
