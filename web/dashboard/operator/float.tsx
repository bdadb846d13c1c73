import type { getFloat, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import * as routes from '../../routes.ts'
import { naira } from '../../ui/money.ts'
import { useReply } from '../api/use-reply.ts'
import { moment } from '../parts/format.ts'
import type { Column } from '../parts/list/column.ts'
import { Rows } from '../parts/list/rows.tsx'
import { humanize } from '../parts/list/value.tsx'
import { LoadingOrError } from '../parts/placeholders.tsx'

type Shown = Reply<typeof getFloat>
type Partner = Shown['partners'][number]

/** The money that partners hold, compared with the money that is owed. */
export default function Float(): JSX.Element {
  const { body, problem, again } = useReply(routes.getFloat, {})
  if (body === undefined) return <LoadingOrError problem={problem} />
  const { partners, owed, at } = body
  return (
    <div class="stack">
      <div class="split-row heading">
        <h1>Float</h1>
        <button class="button plain fit" type="button" onClick={() => void again()}>
          Refresh
        </button>
      </div>
      <Safeguarding {...body} />
      <Rows
        title="Partners"
        rows={partners}
        empty="No partner holds money."
        columns={PARTNERS}
        more="“Held” is the balance in the ledger. Set each partner’s minimum in KOBO_FLOAT_MINIMUM."
      />
      <Rows
        title="Owed"
        rows={owed}
        empty="Nothing is owed."
        columns={[
          { title: 'Item', value: ({ to }) => OWED[to] ?? humanize(to) },
          { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
        ]}
      />
      <p class="quiet small">
        As of {moment(at)}. For a report that verifies the ledger first, run <code>kobo ledger safeguarding</code>.
      </p>
    </div>
  )
}

function Safeguarding({ held, owedInAll, surplus, verifiedOn }: Shown): JSX.Element {
  const proof = verifiedOn === null ? 'Ledger never verified' : `Ledger verified ${moment(verifiedOn)}`
  return (
    <>
      {surplus < 0 && (
        <p class="notice bad">
          Merchants’ money is missing: partners hold {naira(-surplus)} less than is owed. Pay in the difference.
        </p>
      )}
      <dl class="figures">
        {(
          [
            ['Held by partners', held, 'including our own money'],
            ['Owed to merchants and payers', owedInAll, 'see below'],
            [surplus < 0 ? 'Missing' : 'Surplus', Math.abs(surplus), proof],
          ] as const
        ).map(([title, amount, more]) => (
          <div class="figure" key={title}>
            <dt>{title}</dt>
            <dd>{naira(amount)}</dd>
            <dd class="beside">{more}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

const OWED: Readonly<Record<string, string>> = {
  wallets: 'Merchants’ wallets',
  payable: 'Collected, not settled yet',
  'in flight': 'Payouts in progress and disputed money',
  reserve: 'Reserve against disputes',
  suspense: 'Suspense, owed to payers',
}

const stateOf = ({ held, minimum }: Partner): string =>
  minimum === null ? 'NO_MINIMUM' : held < minimum ? 'BELOW_MINIMUM' : 'ENOUGH'

const PARTNERS: readonly Column<Partner>[] = [
  { title: 'Partner', value: ({ partner }) => partner ?? 'Unnamed' },
  { title: 'Held', value: ({ held }) => held, kind: 'naira' },
  { title: 'Minimum', value: ({ minimum }) => minimum, kind: 'naira', isWide: true },
  { title: 'Status', value: stateOf, kind: 'status' },
  { title: 'Last statement', value: ({ statement }) => statement?.day ?? null, kind: 'day', isWide: true },
  { title: 'Bank balance', value: ({ statement }) => statement?.balance ?? null, kind: 'naira', isWide: true },
  { title: 'In suspense', value: ({ suspense }) => suspense, kind: 'naira', isWide: true },
]
