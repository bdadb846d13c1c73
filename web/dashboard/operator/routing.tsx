import type { explainRoute, getRouting, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { call, problemOf } from '../api/call.ts'
import { useReply } from '../api/use-reply.ts'
import { BankField } from '../parts/bank-field.tsx'
import { Field, type Fields, Form } from '../parts/form.tsx'
import { moment } from '../parts/format.ts'
import { Rows } from '../parts/list/rows.tsx'
import { Panel } from '../parts/panel.tsx'
import { LoadingOrError } from '../parts/placeholders.tsx'

type Routing = Reply<typeof getRouting>
type Explanation = Reply<typeof explainRoute>

/** The partners, their health, and the routing table. */
export default function RoutingScreen(): JSX.Element {
  const { body, problem, again } = useReply(routes.getRouting, {})
  if (body === undefined) return <LoadingOrError problem={problem} />
  return (
    <div class="stack">
      <div class="split-row heading">
        <h1>Partners and routing</h1>
        <button class="button plain fit" type="button" onClick={() => void again()}>
          Refresh
        </button>
      </div>
      <Rows
        title="Partners"
        rows={body.partners}
        empty="No node has reported a partner in the last 30 seconds. Simulated banks are not listed here."
        columns={[
          { title: 'Partner', value: ({ code }) => code },
          { title: 'Health', value: healthText },
          { title: 'Last report', value: ({ lastHeardOn }) => lastHeardOn, kind: 'moment' },
          { title: 'Nodes', value: ({ nodes }) => nodes, isWide: true },
          { title: 'Capabilities', value: ({ capabilities }) => capabilities.join(', '), isWide: true },
        ]}
        more="An open breaker stops new orders for 30 seconds, then lets one through as a test. Sent orders are still queried."
      />
      <TestRouting operations={body.operations} />
      <RoutingTable table={body.table} />
      <Rows
        title="Earlier routing tables"
        rows={body.history}
        columns={[
          { title: 'Version', value: ({ version }) => version },
          { title: 'Set on', value: ({ madeOn }) => madeOn, kind: 'moment' },
          { title: 'Set by', value: ({ madeBy }) => madeBy },
        ]}
      />
    </div>
  )
}

const healthText = ({ breakers }: Routing['partners'][number]): string =>
  breakers.length === 0
    ? 'Healthy'
    : breakers
        .map(
          ({ operation, state, nodes }) =>
            `${operation}: breaker ${state} on ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`,
        )
        .join(', ')

/** A form that shows which partner an order would get, and why. */
function TestRouting({ operations }: { readonly operations: readonly string[] }): JSX.Element {
  const [explanation, setExplanation] = useState<Explanation>()
  const request = async ({ operation = '', ...rest }: Fields): Promise<string | undefined> => {
    const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== ''))
    const response = await call(routes.explainRoute, { query: { operation, ...given } })
    setExplanation(response.kind === 'done' ? response.body : undefined)
    return response.kind === 'done' ? undefined : problemOf(response)
  }
  return (
    <Panel title="Test routing">
      <p class="quiet">Nothing is sent. This applies the current routing table and the partners’ health.</p>
      <Form act={request} submit="Test">
        <div class="field">
          <label for="operation">Operation</label>
          <select id="operation" name="operation">
            {operations.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </div>
        <Field name="amount" label="Amount in naira" type="amount" isOptional />
        <BankField name="bankCode" label="Destination bank" isOptional />
        <Field name="merchant" label="Merchant code" isOptional />
        <Field name="reference" label="Reference" hint="Decides which side of a percentage split is used." isOptional />
      </Form>
      <div role="status">{explanation !== undefined && <RoutingResult {...explanation} />}</div>
    </Panel>
  )
}

const RoutingResult = ({ rule, use, drawn, passedOver }: Explanation): JSX.Element => (
  <div class="notice">
    <p>
      <b>
        {use.length === 0
          ? 'No partner can do this.'
          : use.map(({ partner, isWell }) => `${partner}${isWell ? '' : ' (degraded)'}`).join(', then ')}
      </b>
    </p>
    <p>
      {rule === null ? 'No rule matches. Capable partners are tried in order.' : `Rule: “${rule}”.`}
      {drawn !== null && ` Percentage split: this reference has the number ${drawn}, out of 0 to 99.`}
    </p>
    {passedOver.length > 0 && (
      <ul>
        {passedOver.map((why) => (
          <li key={why}>Skipped rule {why}.</li>
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

/** The current routing table, one line per rule. */
function RoutingTable({ table }: Pick<Routing, 'table'>): JSX.Element {
  if (table === null)
    return (
      <Panel title="Routing table">
        <p class="quiet">
          No routing table: the first capable partner is used. Set one with <code>kobo routes set</code>.
        </p>
      </Panel>
    )
  const routes = Object.entries(table.routes as Readonly<Record<string, OperationRoutes>>)
  return (
    <Panel title={`Routing table ${table.version}`}>
      <p class="quiet">
        Set {moment(table.madeOn)} by {table.madeBy}. The first matching rule applies.
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
  merchant: 'for merchant',
}

const whenText = (when: Rule['when']): string =>
  Object.entries(when)
    .map(([name, value]) => `${WHEN[name] ?? name} ${Array.isArray(value) ? value.join(', ') : String(value)}`)
    .join(', ')
    .replaceAll('₦ ', '₦') || 'always'

const usedBy = ({ use, split = [] }: Rule): string =>
  use?.join(', then ') ?? split.map(({ percent, use: by }) => `${percent}% ${by.join(', then ')}`).join('; ')
