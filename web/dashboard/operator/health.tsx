import type { getHealth, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import { Rows } from '../list/rows.tsx'
import { wordsOf } from '../list/value.tsx'
import { moment } from '../texts.ts'
import { useReply } from '../use-reply.ts'
import { Pending } from '../waiting.tsx'
import { Attention } from './attention.tsx'
import { HEALTH } from './health-address.ts'

type Health = Reply<typeof getHealth>

/** How the gateway does. */
export default function HealthScreen(): JSX.Element {
  const { body, problem, again } = useReply(HEALTH, {})
  if (body === undefined) return <Pending problem={problem} />
  return (
    <div class="stack">
      <div class="beside-each-other heading">
        <h1>Health</h1>
        <button class="button plain fit" type="button" onClick={() => void again()}>
          Look again
        </button>
      </div>
      <Attention waiting={body.waiting} />
      <Proof {...body.lastProof} />
      <Nodes {...body} />
      <Rows
        title="Under way at partners"
        rows={body.orders}
        empty="No order is open."
        columns={[
          { title: 'State', value: ({ state }) => wordsOf(state) },
          { title: 'Orders', value: ({ count }) => count.toLocaleString('en') },
        ]}
      />
      <p class="quiet small">As of {moment(body.at)}. The rest is measured: /metrics has it for your tools.</p>
    </div>
  )
}

const Proof = ({ sinceCheckpointsOn, wholeOn }: Health['lastProof']): JSX.Element => (
  <dl class="figures">
    {(
      [
        ['Books last proven right since the last checkpoints', sinceCheckpointsOn],
        ['Books last proven right from the beginning', wholeOn],
      ] as const
    ).map(([title, on]) => (
      <div class="figure" key={title}>
        <dt>{title}</dt>
        <dd>{on === null ? 'Never' : moment(on)}</dd>
        <dd class="beside">{on === null ? 'Run kobo ledger verify' : 'by kobo ledger verify'}</dd>
      </div>
    ))}
  </dl>
)

const Nodes = ({ nodes, skewMillisecondsMax }: Health): JSX.Element => (
  <Rows
    title="Nodes"
    rows={nodes}
    empty="No node runs."
    columns={[
      { title: 'Node', value: ({ number, isThisOne }) => (isThisOne ? `${number}, which answers you` : number) },
      {
        title: 'Clock, against the database’s',
        value: ({ skewMilliseconds: skew }) =>
          skew === null ? 'not told' : `${skew > 0 ? '+' : ''}${(skew / 1_000).toFixed(3)} s`,
      },
      { title: 'Its own until', value: ({ leasedUntil }) => leasedUntil, kind: 'moment', isWide: true },
    ]}
    more={`A node whose clock is more than ${skewMillisecondsMax / 1_000} s off serves nobody until it is right.`}
  />
)
