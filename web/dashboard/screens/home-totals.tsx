import type { getTotals, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { naira } from '../../ui/money.ts'
import { useReply } from '../api/use-reply.ts'
import { type Period, periods } from '../parts/list/period.ts'
import { humanize } from '../parts/list/value.tsx'
import { Panel } from '../parts/panel.tsx'
import { LoadError } from '../parts/placeholders.tsx'

type Day = Reply<typeof getTotals>['days'][number]
type Kind = Exclude<keyof Day, 'day'>

const KINDS: readonly (readonly [kind: Kind, title: string])[] = [
  ['collected', 'Collected'],
  ['fees', 'Fees'],
  ['refunded', 'Refunded'],
  ['paidOut', 'Paid out'],
  ['settled', 'Settled'],
]

const DAY_MILLISECONDS = 86_400_000
const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * DAY_MILLISECONDS).toISOString().slice(0, 10)
const lengthOf = ({ from, to }: Period): number => (Date.parse(to) - Date.parse(from)) / DAY_MILLISECONDS + 1

const sumOf = (days: readonly Day[], kind: Kind): number =>
  days.reduce((kobo, day) => kobo + Math.round(day[kind] * 100), 0) / 100

/** The money in and out in a period, compared with the same number of days before it. */
export function Totals(): JSX.Element {
  const all = periods()
  const [name, setName] = useState('last-7-days')
  const period = all[name] ?? { from: '', to: '' }
  const days = lengthOf(period)
  const { body, problem, isLoading } = useReply(routes.getTotals, {
    query: {
      from: `${daysBefore(period.from, days)}T00:00:00.000+01:00`,
      to: `${period.to}T23:59:59.999+01:00`,
    },
  })
  const [before = [], during = []] = [false, true].map((isDuring) =>
    body?.days.filter(({ day }) => day >= period.from === isDuring),
  )
  const beside = days === 1 ? 'on the day before' : `in the ${days} days before`
  return (
    <Panel
      title="Totals"
      actions={
        <select aria-label="Period" value={name} onChange={({ currentTarget }) => setName(currentTarget.value)}>
          {Object.keys(all).map((one) => (
            <option key={one} value={one}>
              {humanize(one)}
            </option>
          ))}
        </select>
      }
    >
      <LoadError problem={problem} />
      <dl class="figures" aria-busy={isLoading}>
        {KINDS.map(([kind, title]) => (
          <div key={kind} class="figure">
            <dt>{title}</dt>
            <dd>{isLoading || body === undefined ? '–' : naira(sumOf(during, kind))}</dd>
            {!isLoading && body !== undefined && (
              <dd class="beside">
                {naira(sumOf(before, kind))} {beside}
              </dd>
            )}
          </div>
        ))}
      </dl>
    </Panel>
  )
}
