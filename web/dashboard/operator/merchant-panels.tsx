import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { naira } from '../../ui/money.ts'
import { call, type Me } from '../api/call.ts'
import { useReply } from '../api/use-reply.ts'
import { moment } from '../parts/format.ts'
import { ActionButton } from '../parts/list/action-button.tsx'
import type { Action } from '../parts/list/list-spec.ts'
import { Rows } from '../parts/list/rows.tsx'
import { humanize, Status } from '../parts/list/value.tsx'
import { asText, nameOf, settingName } from '../parts/names.ts'
import { Panel } from '../parts/panel.tsx'
import { LoadingOrError } from '../parts/placeholders.tsx'
import type { Contract, Merchant } from './merchant.ts'
import {
  ADD_CONTRACT,
  CHANGE_COMPAT,
  CHANGE_PERMISSIONS,
  CHANGE_SETTLEMENT,
  CHANGE_TERMS,
  INVITE_OWNER,
  SET_PRICE,
} from './merchant-actions.ts'

/** Settings that are shown elsewhere, or have a meaning in the sandbox only. */
const NOT_LISTED: ReadonlySet<string> = new Set(['permissions', 'mail'])

interface PanelsProps {
  readonly code: string
  readonly me: Me
}

/** A merchant's permissions, contracts, prices, team and settings, each with its actions. */
export function MerchantPanels({ code, me }: PanelsProps): JSX.Element {
  const { body: merchant, problem, again } = useReply(routes.getOneMerchant, { params: { code } })
  const [toast, setToast] = useState<string>()
  if (merchant === undefined)
    return (
      <LoadingOrError
        problem={problem}
        singular="Merchant"
        list={{ title: 'Merchants', href: '/dashboard/merchants' }}
      />
    )
  const mayManage = me.permissions.includes('operator.manage') && merchant.standing !== 'CLOSED'
  const done = (text: string): void => {
    setToast(text)
    void again()
  }
  const button = (act: Action<Merchant>): JSX.Element | false =>
    mayManage && <ActionButton key={act.title} action={act} subject={merchant} done={done} isPlain />
  return (
    <>
      <div role="status">{toast !== undefined && <p class="notice">{toast}</p>}</div>
      <Money merchant={merchant} />
      <Panel title="Permissions" actions={button(CHANGE_PERMISSIONS)}>
        <p>
          {merchant.permissions.length === 0
            ? 'Bank transfer collections only.'
            : merchant.permissions.map(nameOf).join(', ')}
        </p>
      </Panel>
      {merchant.contracts.map((one) => (
        <ContractPanel key={one.code} merchant={merchant} contract={one} mayManage={mayManage} done={done} />
      ))}
      <p>{button(ADD_CONTRACT)}</p>
      <Prices merchant={merchant} act={button(SET_PRICE)} />
      <Team merchant={merchant} act={!merchant.people.some(({ role }) => role === 'owner') && button(INVITE_OWNER)} />
      <Panel title="Settings" actions={button(CHANGE_COMPAT)}>
        <ul class="rows">
          {Object.entries(merchant.settings)
            .filter(([name]) => !NOT_LISTED.has(name))
            .map(([name, value]) => (
              <li key={name}>
                <span>{settingName(name)}</span>
                <span>{asText(value)}</span>
              </li>
            ))}
          <li>
            <span>API key</span>
            <span class="key">{merchant.apiKey}</span>
          </li>
        </ul>
      </Panel>
      <Webhooks merchant={merchant} />
      <p class="links">
        <a class="link" href={`/dashboard/deliveries?merchant=${encodeURIComponent(code)}`}>
          Webhook deliveries
        </a>
        <a class="link" href={`/dashboard/changes?merchant=${encodeURIComponent(code)}`}>
          Requested changes
        </a>
        <a class="link" href={`/dashboard/all-audit?merchant=${encodeURIComponent(code)}`}>
          Audit log
        </a>
      </p>
    </>
  )
}

/** The wallet, and the collections of the last 30 days. */
const Money = ({ merchant: { balance, collected } }: { readonly merchant: Merchant }): JSX.Element => (
  <dl class="figures">
    {balance !== null && (
      <div class="figure">
        <dt>Available balance</dt>
        <dd>{naira(balance.available)}</dd>
        <dd class="beside">{naira(balance.ledger)} before pending payouts</dd>
      </div>
    )}
    <div class="figure">
      <dt>Collected in the last 30 days</dt>
      <dd>{naira(collected.amount)}</dd>
      <dd class="beside">
        {collected.payments.toLocaleString('en')} {collected.payments === 1 ? 'payment' : 'payments'}
      </dd>
    </div>
  </dl>
)

interface ContractProps {
  readonly merchant: Merchant
  readonly contract: Contract
  readonly mayManage: boolean
  readonly done: (toast: string) => void
}

function ContractPanel({ merchant, contract, mayManage, done }: ContractProps): JSX.Element {
  const subject = { merchant, contract }
  const isDisabled = contract.disabledOn !== null
  const toggle: Action<typeof subject> = {
    title: isDisabled ? 'Enable' : 'Disable',
    text: isDisabled
      ? 'It accepts payments again.'
      : 'It accepts no new payments; existing ones continue. A merchant’s last contract cannot be disabled.',
    permission: 'operator.manage',
    isDanger: !isDisabled,
    fields: [],
    toast: isDisabled ? 'Contract enabled.' : 'Contract disabled.',
    run: () =>
      call(routes.changeContract, {
        params: { code: merchant.code, contractCode: contract.code },
        body: { isDisabled: !isDisabled },
      }),
  }
  return (
    <Panel
      title={`Contract ${contract.code}${isDisabled ? ', disabled' : ''}`}
      actions={
        mayManage &&
        [CHANGE_SETTLEMENT, CHANGE_TERMS, toggle].map((act) => (
          <ActionButton key={act.title} action={act} subject={subject} done={done} isPlain />
        ))
      }
    >
      <ul class="rows">
        {Object.entries(contract.terms).map(([name, value]) => (
          <li key={name}>
            <span>{settingName(name)}</span>
            <span>{asText(value)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const Prices = ({ merchant, act }: { readonly merchant: Merchant; readonly act: ComponentChildren }): JSX.Element => (
  <Rows
    title="Prices"
    actions={act}
    rows={merchant.prices}
    empty="No prices."
    columns={[
      { title: 'Service', value: ({ service }) => nameOf(service) },
      { title: 'Price', value: ({ steps }) => (steps === null ? 'default price' : steps.map(stepText).join('; ')) },
      {
        title: 'Applies to',
        value: ({ of, contractCode }) => (contractCode === null ? APPLIES_TO[of] : `Contract ${contractCode}`),
        isWide: true,
      },
      { title: 'Valid from', value: ({ validFrom, inEffect }) => (inEffect ? 'Now' : moment(validFrom)), isWide: true },
    ]}
  />
)

const APPLIES_TO = { contract: 'Contract', merchant: 'This merchant', everybody: 'All merchants' } as const

/** A price step in words: "up to ₦5,000.00: 1.4% + ₦10.00". */
function stepText({ upTo, percent, flat, cap }: Readonly<Record<string, unknown>>): string {
  const parts = [
    typeof upTo === 'number' ? `up to ${naira(upTo)}:` : '',
    percent ? `${percent}%` : '',
    percent && flat ? '+' : '',
    typeof flat === 'number' && flat > 0 ? naira(flat) : '',
    typeof cap === 'number' ? `at most ${naira(cap)}` : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? 'free' : parts.join(' ')
}

const Team = ({ merchant, act }: { readonly merchant: Merchant; readonly act: ComponentChildren }): JSX.Element => (
  <Panel title="Team" actions={act}>
    {merchant.people.length + merchant.invitations.length === 0 && <p class="quiet">No team members.</p>}
    <ul class="rows">
      {merchant.people.map(({ name, email, role, hasSecondFactor }) => (
        <li key={email}>
          <span>
            {name}
            <br />
            <small class="quiet">{email}</small>
          </span>
          <span>
            {humanize(role)}
            {!hasSecondFactor && ', no second factor'}
          </span>
        </li>
      ))}
      {merchant.invitations.map(({ email, role, expiresOn }) => (
        <li key={`${email} ${expiresOn}`}>
          <span>{email}</span>
          <span>
            Invited as {role} until {moment(expiresOn)}
          </span>
        </li>
      ))}
    </ul>
  </Panel>
)

const Webhooks = ({ merchant: { receivers } }: { readonly merchant: Merchant }): JSX.Element => (
  <Panel title="Webhooks">
    {receivers.length === 0 && <p class="quiet">No webhook URL.</p>}
    <ul class="rows">
      {receivers.map(({ kind, url, pausedOn }) => (
        <li key={kind}>
          <span>
            {kind === 'default' ? 'Default URL' : humanize(kind)}
            <br />
            <small class="quiet">{url}</small>
          </span>
          <span>{pausedOn === null ? <Status status="ACTIVE" /> : `Paused since ${moment(pausedOn)}`}</span>
        </li>
      ))}
    </ul>
  </Panel>
)
