import type { changeContract } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { naira } from '../../ui/money.ts'
import { call, type Me } from '../call.ts'
import { ActButton } from '../list/act.tsx'
import { Rows } from '../list/rows.tsx'
import type { Act } from '../list/spec.ts'
import { Status, wordsOf } from '../list/value.tsx'
import { moment } from '../texts.ts'
import { useReply } from '../use-reply.ts'
import { Pending } from '../waiting.tsx'
import { ADD_CONTRACT, INVITE_OWNER, PERMISSIONS_ACT, PRICE_ACT, SETTLEMENT_ACT, TERMS_ACT } from './merchant-acts.ts'
import { type Contract, type Merchant, ONE } from './one-merchant.ts'
import { Panel } from './panel.tsx'
import { asText, nameOf, settingName } from './words.ts'

const CONTRACT: Address<typeof changeContract> = {
  method: 'POST',
  path: '/dashboard/api/operator/merchants/:code/contracts/:contractCode',
}

interface PanelsProps {
  readonly code: string
  readonly me: Me
}

/** All about a merchant, by what belongs together, each with what can be changed of it. */
export function MerchantPanels({ code, me }: PanelsProps): JSX.Element {
  const { body: merchant, problem, again } = useReply(ONE, { params: { code } })
  const [told, setTold] = useState<string>()
  if (merchant === undefined) return <Pending problem={problem} />
  const mayManage = me.permissions.includes('operator.manage') && merchant.standing !== 'CLOSED'
  const done = (text: string): void => {
    setTold(text)
    void again()
  }
  const button = (act: Act<Merchant>): JSX.Element | false =>
    mayManage && <ActButton key={act.title} act={act} subject={merchant} done={done} isPlain />
  return (
    <>
      <div role="status">{told !== undefined && <p class="notice">{told}</p>}</div>
      <Panel title="Permissions" acts={button(PERMISSIONS_ACT)}>
        <p>
          {merchant.permissions.length === 0
            ? 'None beyond collecting by transfer.'
            : merchant.permissions.map(nameOf).join(', ')}
        </p>
      </Panel>
      {merchant.contracts.map((one) => (
        <ContractPanel key={one.code} merchant={merchant} contract={one} mayManage={mayManage} done={done} />
      ))}
      <p>{button(ADD_CONTRACT)}</p>
      <Prices merchant={merchant} act={button(PRICE_ACT)} />
      <People merchant={merchant} act={!merchant.people.some(({ role }) => role === 'owner') && button(INVITE_OWNER)} />
      <Panel title="Settings">
        <ul class="rows">
          {Object.entries(merchant.settings)
            .filter(([name]) => name !== 'permissions')
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
      <Receivers merchant={merchant} />
      <p class="links">
        <a class="link" href={`/dashboard/deliveries?merchant=${encodeURIComponent(code)}`}>
          Its deliveries
        </a>
        <a class="link" href={`/dashboard/changes?merchant=${encodeURIComponent(code)}`}>
          Changes asked for
        </a>
        <a class="link" href={`/dashboard/all-audit?merchant=${encodeURIComponent(code)}`}>
          Who did what
        </a>
      </p>
    </>
  )
}

interface ContractProps {
  readonly merchant: Merchant
  readonly contract: Contract
  readonly mayManage: boolean
  readonly done: (told: string) => void
}

function ContractPanel({ merchant, contract, mayManage, done }: ContractProps): JSX.Element {
  const subject = { merchant, contract }
  const isDisabled = contract.disabledOn !== null
  const toggle: Act<typeof subject> = {
    title: isDisabled ? 'Enable' : 'Disable',
    text: isDisabled
      ? 'It takes payments again.'
      : 'It takes nothing new; what was agreed under it goes on. The last one of a merchant stays enabled.',
    permission: 'operator.manage',
    asks: [],
    act: () =>
      call(CONTRACT, {
        params: { code: merchant.code, contractCode: contract.code },
        body: { isDisabled: !isDisabled },
      }),
  }
  return (
    <Panel
      title={`Contract ${contract.code}${isDisabled ? ', disabled' : ''}`}
      acts={
        mayManage &&
        [SETTLEMENT_ACT, TERMS_ACT, toggle].map((act) => (
          <ActButton key={act.title} act={act} subject={subject} done={done} isPlain />
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
    acts={act}
    rows={merchant.prices}
    empty="No price is set."
    columns={[
      { title: 'For', value: ({ service }) => nameOf(service) },
      { title: 'Price', value: ({ steps }) => (steps === null ? 'everybody’s again' : steps.map(stepText).join('; ')) },
      {
        title: 'Of',
        value: ({ of, contractCode }) => (contractCode === null ? nameOf(of) : `Contract ${contractCode}`),
        isWide: true,
      },
      { title: 'From', value: ({ validFrom, inEffect }) => (inEffect ? 'Now' : moment(validFrom)), isWide: true },
    ]}
  />
)

/** A step of a price as people say it. */
function stepText({ upTo, percent, flat, cap }: Readonly<Record<string, unknown>>): string {
  const parts = [
    typeof upTo === 'number' ? `up to ${naira(upTo)}:` : '',
    percent ? `${percent} %` : '',
    percent && flat ? '+' : '',
    typeof flat === 'number' && flat > 0 ? naira(flat) : '',
    typeof cap === 'number' ? `at most ${naira(cap)}` : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? 'free' : parts.join(' ')
}

const People = ({ merchant, act }: { readonly merchant: Merchant; readonly act: ComponentChildren }): JSX.Element => (
  <Panel title="People" acts={act}>
    {merchant.people.length + merchant.invitations.length === 0 && <p class="quiet">Nobody is in its team.</p>}
    <ul class="rows">
      {merchant.people.map(({ name, email, role, hasSecondFactor }) => (
        <li key={email}>
          <span>
            {name}
            <br />
            <small class="quiet">{email}</small>
          </span>
          <span>
            {wordsOf(role)}
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

const Receivers = ({ merchant: { receivers } }: { readonly merchant: Merchant }): JSX.Element => (
  <Panel title="Receivers of events">
    {receivers.length === 0 && <p class="quiet">None is set.</p>}
    <ul class="rows">
      {receivers.map(({ kind, url, pausedOn }) => (
        <li key={kind}>
          <span>
            {kind === 'default' ? 'All events' : wordsOf(kind)}
            <br />
            <small class="quiet">{url}</small>
          </span>
          <span>{pausedOn === null ? <Status status="ACTIVE" /> : `Paused since ${moment(pausedOn)}`}</span>
        </li>
      ))}
    </ul>
  </Panel>
)
