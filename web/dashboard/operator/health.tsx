import type { getHealth, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import * as routes from '../../routes.ts'
import { useReply } from '../api/use-reply.ts'
import { moment } from '../parts/format.ts'
import { Rows } from '../parts/list/rows.tsx'
import { humanize } from '../parts/list/value.tsx'
import { LoadingOrError } from '../parts/placeholders.tsx'
import { Attention } from './attention.tsx'

type Health = Reply<typeof getHealth>

export default function HealthScreen(): JSX.Element {
  const { body, problem, again } = useReply(routes.getHealth, {})
  if (body === undefined) return <LoadingOrError problem={problem} />
  return (
    <div class="stack">
      <div class="split-row heading">
        <h1>Health</h1>
        <button class="button plain fit" type="button" onClick={() => void again()}>
          Refresh
        </button>
      </div>
      <Attention health={body} />
      <LedgerChecks {...body.lastProof} />
      <Nodes {...body} />
      <Rows
        title="Open orders"
        rows={body.orders}
        empty="No open orders."
        columns={[
          { title: 'Status', value: ({ state }) => humanize(state) },
          { title: 'Orders', value: ({ count }) => count.toLocaleString('en') },
        ]}
      />
      <p class="quiet small">As of {moment(body.at)}. More figures: /metrics.</p>
    </div>
  )
}

const LedgerChecks = ({ sinceCheckpointsOn, wholeOn }: Health['lastProof']): JSX.Element => (
  <dl class="figures">
    {(
      [
        ['Last incremental ledger verification', sinceCheckpointsOn],
        ['Last full ledger verification', wholeOn],
      ] as const
    ).map(([title, on]) => (
      <div class="figure" key={title}>
        <dt>{title}</dt>
        <dd>{on === null ? 'Never' : moment(on)}</dd>
        <dd class="beside">
          {on === null ? 'Run' : 'by'} <code>kobo ledger verify</code>
        </dd>
      </div>
    ))}
  </dl>
)

const Nodes = ({ nodes, skewMillisecondsMax }: Health): JSX.Element => (
  <Rows
    title="Nodes"
    rows={nodes}
    empty="No nodes."
    columns={[
      { title: 'Node', value: ({ number, isThisOne }) => (isThisOne ? `${number} (this one)` : number) },
      {
        title: 'Clock skew',
        value: ({ skewMilliseconds: skew }) =>
          skew === null ? 'unknown' : `${skew > 0 ? '+' : ''}${(skew / 1_000).toFixed(3)} s`,
      },
      { title: 'Lease expires', value: ({ leasedUntil }) => leasedUntil, kind: 'moment', isWide: true },
    ]}
    more={`A node whose clock is more than ${skewMillisecondsMax / 1_000} s off stops serving until its clock is fixed.`}
  />
)
