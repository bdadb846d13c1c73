import type { getHome, Reply } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { naira } from '../../ui/money.ts'
import { type Bar, Chart } from '../chart.tsx'
import { Attention as OperatorAttention } from '../operator/attention.tsx'
import { HEALTH } from '../operator/health-address.ts'
import type { ScreenProps } from '../screen.ts'
import { moment } from '../texts.ts'
import { useReply } from '../use-reply.ts'
import { Waiting } from '../waiting.tsx'

const HOME: Address<typeof getHome> = { method: 'GET', path: '/dashboard/api/home' }
type Business = Reply<typeof getHome>

/** Where one arrives: how business goes, and what is to be looked at. */
export default function Home({ me, screens }: ScreenProps): JSX.Element {
  return (
    <div class="stack">
      <h1>Welcome, {me.name}</h1>
      {!me.hasSecondFactor && (
        <p class="notice warn">
          Payouts, keys and the team ask for a second factor. <a href="/dashboard/profile">Set one up</a>
        </p>
      )}
      {me.permissions.includes('operator.read') && <Operations />}
      {me.permissions.includes('money.read') ? <Overview /> : <Ways screens={screens} />}
    </div>
  )
}

/** What calls for a person, where that is somebody of the operator's. */
function Operations(): JSX.Element | null {
  const { body } = useReply(HEALTH, {})
  if (body === undefined) return null
  const isQuiet = Object.values(body.waiting).every((count) => count === 0)
  return isQuiet ? <p class="notice">Nothing waits for a person.</p> : <OperatorAttention waiting={body.waiting} />
}

/** The screens that are for somebody who has no business to look at. */
const Ways = ({ screens }: Pick<ScreenProps, 'screens'>): JSX.Element => (
  <ul class="choices ways">
    {screens
      .filter(({ group }) => group !== undefined)
      .map(({ name, title }) => (
        <li key={name}>
          <a class="choice" href={`/dashboard/${name}`}>
            <span>
              <b>{title}</b>
            </span>
          </a>
        </li>
      ))}
  </ul>
)

function Overview(): JSX.Element {
  const { body, problem } = useReply(HOME, {})
  if (body === undefined) return problem === undefined ? <Waiting /> : <p class="notice bad">{problem}</p>
  return (
    <>
      <Attention business={body} />
      <Figures business={body} />
      <Chart title="Collected in the last 30 days" legend={METHODS.map(([, name]) => name)} bars={barsOf(body)} />
      <p class="quiet small">As of {moment(body.at)}. Days are days in Lagos.</p>
    </>
  )
}

/** So and so many, as people say it. */
const counted = (count: number, what: string): string =>
  count === 1 ? `One ${what}` : `${count.toLocaleString('en')} ${what}s`

const ATTENTION: Readonly<
  Record<Business['attention'][number]['what'], { readonly text: (count: number) => string; readonly href: string }>
> = {
  EVENTS_GIVEN_UP: {
    text: (count) => `${counted(count, 'event')} of the last day did not arrive`,
    href: 'events?status=GIVEN_UP',
  },
  RECEIVER_PAUSED: { text: (count) => `${counted(count, 'receiver')} of events: paused`, href: 'receivers' },
  TRANSFERS_TO_AUTHORIZE: { text: (count) => `${counted(count, 'payout')} to approve`, href: 'approvals' },
  ORDERS_UNRESOLVED: {
    text: (count) => `${counted(count, 'payment')} without a bank’s answer`,
    href: 'transfers?status=PENDING',
  },
  PAYOUTS_FAILED: {
    text: (count) => `${counted(count, 'settlement')} did not reach the bank`,
    href: 'settlements?status=PENDING',
  },
  LOW_BALANCE: { text: () => 'The wallet is lower than you want it to be', href: 'statement' },
}

/** What is to be looked at, only where there is something. */
function Attention({ business: { attention } }: { readonly business: Business }): JSX.Element | null {
  if (attention.length === 0) return null
  return (
    <section class="notice warn" aria-labelledby="attention">
      <h2 id="attention">To be looked at</h2>
      <ul>
        {attention.map(({ what, count }) => (
          <li key={what}>
            <a href={`/dashboard/${ATTENTION[what].href}`}>{ATTENTION[what].text(count)}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Figures({
  business: { today, lastWeek, successRate, balance },
}: {
  readonly business: Business
}): JSX.Element {
  return (
    <dl class="figures">
      <div class="figure">
        <dt>Collected today</dt>
        <dd>{naira(today.amount)}</dd>
        <dd class="beside">
          {counted(today.payments, 'payment')}, {changeOf(today.amount, lastWeek.amount)}
        </dd>
      </div>
      <div class="figure">
        <dt>Paid of what was asked, 7 days</dt>
        <dd>{successRate.percent === null ? '–' : `${successRate.percent} %`}</dd>
        <dd class="beside">
          {successRate.paid.toLocaleString('en')} of {successRate.ended.toLocaleString('en')} that have ended
        </dd>
      </div>
      {balance !== null && (
        <div class="figure">
          <dt>Available in the wallet</dt>
          <dd>{naira(balance.available)}</dd>
          <dd class="beside">{naira(balance.ledger)} with what is on its way</dd>
        </div>
      )}
    </dl>
  )
}

/** How an amount is against the one of a week ago, at the same time of the day. */
const changeOf = (now: number, before: number): string =>
  before === 0
    ? 'nothing a week ago by now'
    : `${now >= before ? '+' : '−'}${Math.abs(Math.round((now / before - 1) * 100))} % on a week ago`

const METHODS = [
  ['ACCOUNT_TRANSFER', 'Transfer'],
  ['CARD', 'Card'],
  ['DIRECT_DEBIT', 'Direct debit'],
  ['CASH', 'Cash'],
] as const
const DAYS_SHOWN = 30
const DAY_MILLISECONDS = 86_400_000
const LAGOS_MILLISECONDS = 3_600_000
const DAY = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' })

/** A bar for each of the last thirty days in Lagos, those without a payment too. */
function barsOf({ at, days }: Business): readonly Bar[] {
  const now = new Date(at).getTime() + LAGOS_MILLISECONDS
  return Array.from({ length: DAYS_SHOWN }, (_, index) => {
    const date = new Date(now - (DAYS_SHOWN - 1 - index) * DAY_MILLISECONDS)
    const day = date.toISOString().slice(0, 10)
    const amountBy = (method: string): number =>
      days.find((one) => one.day === day && one.method === method)?.amount ?? 0
    return { name: DAY.format(date), parts: METHODS.map(([method]) => amountBy(method)) }
  })
}
