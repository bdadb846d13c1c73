import type { getHome, Reply } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { naira } from '../../ui/money.ts'
import { type Bar, Chart } from '../chart.tsx'
import { Attention as OperatorAttention } from '../operator/attention.tsx'
import { HEALTH } from '../operator/health-address.ts'
import type { ScreenProps } from '../screen.ts'
import { moment } from '../texts.ts'
import { useReply } from '../use-reply.ts'
import { Waiting } from '../waiting.tsx'
import { whenChanged } from '../when-changed.ts'

const HOME: Address<typeof getHome> = { method: 'GET', path: '/dashboard/api/home' }
type Business = Reply<typeof getHome>
/** Where it is heard that money has come or gone. */
const HEARD_OF = '/dashboard/api/lists/transactions'
/** The gateway keeps the sums of a busy hour for so long: what has just come is in them afterwards. */
const SUMS_KEPT_MILLISECONDS = 16_000

/** Where one arrives: how business goes, and what is to be looked at. */
export default function Home({ me, screens }: ScreenProps): JSX.Element {
  const title = `Welcome, ${me.name}`
  const wantsSecondFactor = !me.hasSecondFactor && (
    <p class="notice warn">
      Payouts, keys and the team ask for a second factor. <a href="/dashboard/profile">Set one up</a>
    </p>
  )
  if (me.permissions.includes('money.read')) return <Overview title={title}>{wantsSecondFactor}</Overview>
  return (
    <div class="stack">
      <h1>{title}</h1>
      {wantsSecondFactor}
      {me.permissions.includes('operator.read') && <Operations />}
      <Ways screens={screens} />
    </div>
  )
}

/** What calls for a person, where that is somebody of the operator's. */
function Operations(): JSX.Element | null {
  const { body, again } = useReply(HEALTH, {})
  useEffect(() => whenChanged(HEALTH.path, again), [again])
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

/** How business goes, asked for again whenever money has come or gone. */
function useBusiness() {
  const asked = useReply(HOME, {})
  const { again } = asked
  useEffect(() => {
    let later: ReturnType<typeof setTimeout> | undefined
    const stop = whenChanged(HEARD_OF, async () => {
      clearTimeout(later)
      later = setTimeout(() => void again(), SUMS_KEPT_MILLISECONDS)
      await again()
    })
    return () => {
      clearTimeout(later)
      stop()
    }
  }, [again])
  return asked
}

type Kinds = Business['attention']
const isAlike = (some: Kinds, others: Kinds): boolean =>
  some.map(({ what }) => what).join() === others.map(({ what }) => what).join()

interface OverviewProps {
  readonly title: string
  readonly children: ComponentChildren
}

/** Figures and chart follow what happens, each in its place. What is newly to be looked at would move them, so it is announced. */
function Overview({ title, children }: OverviewProps): JSX.Element {
  const { body, problem } = useBusiness()
  const [seen, setSeen] = useState<Kinds>()
  useEffect(() => setSeen((before) => before ?? body?.attention), [body])
  const isOther = body !== undefined && seen !== undefined && !isAlike(seen, body.attention)
  return (
    <div class="stack">
      <div class="beside-each-other heading">
        <h1>{title}</h1>
        <div class="new-ones" role="status">
          {isOther && (
            <button class="link" type="button" onClick={() => setSeen(body.attention)}>
              {body.attention.length === 0 ? 'Nothing is left to be looked at' : 'Something else is to be looked at'}
            </button>
          )}
        </div>
      </div>
      {children}
      {body === undefined && (problem === undefined ? <Waiting /> : <p class="notice bad">{problem}</p>)}
      {body !== undefined && (
        <>
          <Attention attention={isOther ? seen : body.attention} />
          <Figures business={body} />
          {body.days.length === 0 ? (
            <section class="nothing">
              <p>
                <b>Nothing was collected in the last 30 days</b>
              </p>
              <p class="quiet">As soon as somebody pays, the days stand here as a chart.</p>
            </section>
          ) : (
            <Chart title="Collected in the last 30 days" legend={METHODS.map(([, name]) => name)} bars={barsOf(body)} />
          )}
          <p class="quiet small">As of {moment(body.at)}. Days are days in Lagos.</p>
        </>
      )}
    </div>
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
function Attention({ attention }: Pick<Business, 'attention'>): JSX.Element | null {
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
