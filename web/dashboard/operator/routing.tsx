import type { explainRoute, getRouting, Reply } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { BankField } from '../bank-field.tsx'
import { call, problemOf } from '../call.ts'
import { Field, type Fields, Form } from '../form.tsx'
import { Rows } from '../list/rows.tsx'
import { moment } from '../texts.ts'
import { useReply } from '../use-reply.ts'
import { Pending } from '../waiting.tsx'
import { Panel } from './panel.tsx'

const ROUTING: Address<typeof getRouting> = { method: 'GET', path: '/dashboard/api/operator/routing' }
const EXPLAIN: Address<typeof explainRoute> = {
  method: 'GET',
  path: '/dashboard/api/operator/routing/explanation',
}
type Routing = Reply<typeof getRouting>
type Explanation = Reply<typeof explainRoute>

/** The partners, how they do, and who gets what. */
export default function RoutingScreen(): JSX.Element {
  const { body, problem, again } = useReply(ROUTING, {})
  if (body === undefined) return <Pending problem={problem} />
  return (
    <div class="stack">
      <div class="beside-each-other heading">
        <h1>Partners and routes</h1>
        <button class="button plain fit" type="button" onClick={() => void again()}>
          Look again
        </button>
      </div>
      <Rows
        title="Partners"
        rows={body.partners}
        empty="No node has told of a partner within the last half minute. The sandbox’s own banks tell nothing."
        columns={[
          { title: 'Partner', value: ({ code }) => code },
          { title: 'Does', value: wellbeing },
          { title: 'Last heard', value: ({ lastHeardOn }) => lastHeardOn, kind: 'moment' },
          { title: 'Nodes', value: ({ nodes }) => nodes, isWide: true },
          { title: 'Can do', value: ({ capabilities }) => capabilities.join(', '), isWide: true },
        ]}
        more="A breaker that is open lets nothing new be sent for 30 seconds; then one tries. What was sent is asked about all the same."
      />
      <Explain operations={body.operations} />
      <TableInWords table={body.table} />
      {body.history.length > 0 && (
        <Rows
          title="Tables before it"
          rows={body.history}
          empty=""
          columns={[
            { title: 'Version', value: ({ version }) => version },
            { title: 'Set', value: ({ madeOn }) => madeOn, kind: 'moment' },
            { title: 'By', value: ({ madeBy }) => madeBy },
          ]}
        />
      )}
    </div>
  )
}

const wellbeing = ({ breakers }: Routing['partners'][number]): string =>
  breakers.length === 0
    ? 'Well'
    : breakers.map(({ operation, state, nodes }) => `${operation}: breaker ${state} on ${nodes}`).join(', ')

/** Asks what would be chosen for something, and why. */
function Explain({ operations }: { readonly operations: readonly string[] }): JSX.Element {
  const [told, setTold] = useState<Explanation>()
  const ask = async ({ operation = '', ...rest }: Fields): Promise<string | undefined> => {
    const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== ''))
    const answer = await call(EXPLAIN, { query: { operation, ...given } })
    setTold(answer.kind === 'done' ? answer.body : undefined)
    return answer.kind === 'done' ? undefined : problemOf(answer)
  }
  return (
    <Panel title="Who would get it?">
      <p class="quiet">Nothing is sent: this asks the table in effect, and how the partners do.</p>
      <Form act={ask} submit="Explain">
        <div class="field">
          <label for="operation">What</label>
          <select id="operation" name="operation">
            {operations.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </div>
        <Field name="amount" label="Amount in naira" inputMode="decimal" isOptional />
        <BankField name="bankCode" label="To a bank" isOptional />
        <Field name="merchant" label="Of the merchant" hint="By its code." isOptional />
        <Field name="reference" label="Under the reference" hint="A split is drawn from it." isOptional />
      </Form>
      <div role="status">{told !== undefined && <Explained told={told} />}</div>
    </Panel>
  )
}

const Explained = ({ told: { rule, use, drawn, passedOver } }: { readonly told: Explanation }): JSX.Element => (
  <div class="notice">
    <p>
      <b>
        {use.length === 0
          ? 'Nobody could carry it out.'
          : use.map(({ partner, isWell }) => `${partner}${isWell ? '' : ' (unwell)'}`).join(', then ')}
      </b>
    </p>
    <p>
      {rule === null ? 'The table says nothing of it: whoever can do it, in order.' : `By the rule “${rule}”.`}
      {drawn !== null && ` Of the split, ${drawn} of 100 was drawn.`}
    </p>
    {passedOver.length > 0 && (
      <ul>
        {passedOver.map((why) => (
          <li key={why}>Not {why}.</li>
        ))}
      </ul>
    )}
  </div>
)

interface Rule {
  readonly name: string
  readonly when: Readonly<Record<string, unknown>>
  readonly use?: readonly string[]
  readonly split?: readonly { readonly percent: number; readonly use: readonly string[] }[]
}
interface OperationRoutes {
  readonly rules?: readonly Rule[]
  readonly otherwise: readonly string[]
}

/** The table in effect, a line for each rule. */
function TableInWords({ table }: Pick<Routing, 'table'>): JSX.Element {
  if (table === null)
    return (
      <Panel title="Routing table">
        <p class="quiet">None is set: who can do something first does it. Set one by kobo routes set.</p>
      </Panel>
    )
  const routes = Object.entries(table.routes as Readonly<Record<string, OperationRoutes>>)
  return (
    <Panel title={`Routing table ${table.version}`}>
      <p class="quiet">
        Set {moment(table.madeOn)} by {table.madeBy}. The first rule that holds is followed.
      </p>
      {routes.map(([operation, { rules = [], otherwise }]) => (
        <div key={operation}>
          <h3>{operation}</h3>
          <ul class="rows">
            {rules.map((rule) => (
              <li key={rule.name}>
                <span>
                  {rule.name}
                  <br />
                  <small class="quiet">{whenText(rule.when)}</small>
                </span>
                <span>{usedBy(rule)}</span>
              </li>
            ))}
            <li>
              <span>Otherwise</span>
              <span>{otherwise.join(', then ')}</span>
            </li>
          </ul>
        </div>
      ))}
    </Panel>
  )
}

const WHEN: Readonly<Record<string, string>> = {
  destinationBank: 'to bank',
  amountFrom: 'from ₦',
  amountBelow: 'below ₦',
  merchant: 'of merchant',
}

const whenText = (when: Rule['when']): string =>
  Object.entries(when)
    .map(([name, value]) => `${WHEN[name] ?? name} ${Array.isArray(value) ? value.join(', ') : String(value)}`)
    .join(', ')
    .replaceAll('₦ ', '₦') || 'always'

const usedBy = ({ use, split = [] }: Rule): string =>
  use?.join(', then ') ?? split.map(({ percent, use: by }) => `${percent} % ${by.join(', then ')}`).join('; ')
