import type { getHome, Reply } from '@kobo/contract'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { naira } from '../../ui/money.ts'
import { watchList } from '../api/list-updates.ts'
import { useReply } from '../api/use-reply.ts'
import { Attention as OperatorAttention } from '../operator/attention.tsx'
import { ATTENTION, counted } from '../parts/attention.ts'
import { changeOf } from '../parts/change.ts'
import { type Bar, Chart } from '../parts/chart.tsx'
import { moment } from '../parts/format.ts'
import { Panel } from '../parts/panel.tsx'
import { LoadError, Loading } from '../parts/placeholders.tsx'
import type { ScreenProps } from '../shell/screen.ts'
import { Totals } from './home-totals.tsx'

type HomeData = Reply<typeof getHome>
/** The gateway caches the totals of a busy hour for this long, so a payment may appear this much later. */
const TOTALS_CACHED_MILLISECONDS = 16_000

/** The first screen: key figures, and items that need attention. */
export default function Home({ me, screens }: ScreenProps): JSX.Element {
  const title = `Welcome, ${me.name}`
  const secondFactorNotice = !me.hasSecondFactor && (
    <p class="notice warn">
      Refunds, payouts, keys and team changes need a second factor. <a href="/dashboard/profile">Set one up</a>
    </p>
  )
  if (me.permissions.includes('money.read'))
    return (
      <Overview me={me} screens={screens} title={title} below={me.permissions.includes('balances.read') && <Totals />}>
        {secondFactorNotice}
      </Overview>
    )
  return (
    <div class="stack">
      <h1>{title}</h1>
      {secondFactorNotice}
      {me.permissions.includes('operator.read') ? <Operations /> : <ScreenLinks screens={screens} />}
    </div>
  )
}

/** The operator's open work, and what all merchants collected. */
function Operations(): JSX.Element | null {
  const { body, again } = useReply(routes.getHealth, {})
  useEffect(() => watchList(routes.getHealth.path, again), [again])
  if (body === undefined) return null
  const { amount, payments, through } = body.collectedToday
  return (
    <>
      <OperatorAttention health={body} />
      <dl class="figures">
        <div class="figure">
          <dt>Collected today, all merchants</dt>
          <dd>{naira(amount)}</dd>
          <dd class="beside">
            {counted(payments, 'payment')} up to {moment(through)}
          </dd>
        </div>
      </dl>
    </>
  )
}

/** Links to every screen, for users without access to payments. */
const ScreenLinks = ({ screens }: Pick<ScreenProps, 'screens'>): JSX.Element => (
  <ul class="choices ways">
    {screens
      .filter(({ name, group }) => name !== '' && group !== undefined)
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

/** The home data, reloaded whenever money moves. */
function useHome() {
  const reply = useReply(routes.getHome, {})
  const { again } = reply
  useEffect(() => {
    let later: ReturnType<typeof setTimeout> | undefined
    const stop = watchList(routes.browseTransactions.path, async () => {
      clearTimeout(later)
      later = setTimeout(() => void again(), TOTALS_CACHED_MILLISECONDS)
      await again()
    })
    return () => {
      clearTimeout(later)
      stop()
    }
  }, [again])
  return reply
}

type AttentionItems = HomeData['attention']
const isSame = (shown: AttentionItems, current: AttentionItems): boolean =>
  shown.map(({ what }) => what).join() === current.map(({ what }) => what).join()

interface OverviewProps extends Pick<ScreenProps, 'me' | 'screens'> {
  readonly title: string
  readonly below: ComponentChildren
  readonly children: ComponentChildren
}

/** Figures and chart update in place. Attention items would push them down, so new items are announced first. */
function Overview({ me, screens, title, below, children }: OverviewProps): JSX.Element {
  const { body, problem } = useHome()
  const [seen, setSeen] = useState<AttentionItems>()
  useEffect(() => setSeen((before) => before ?? body?.attention), [body])
  const hasChanged = body !== undefined && seen !== undefined && !isSame(seen, body.attention)
  return (
    <div class="stack">
      <div class="split-row heading">
        <h1>{title}</h1>
        <div class="new-ones" role="status">
          {hasChanged && (
            <button class="link" type="button" onClick={() => setSeen(body.attention)}>
              {body.attention.length === 0 ? 'Nothing needs attention now' : 'Something new needs attention'}
            </button>
          )}
        </div>
      </div>
      {children}
      <LoadError problem={problem} />
      {body === undefined && problem === undefined && <Loading />}
      {body !== undefined && (
        <>
          <Attention attention={hasChanged ? seen : body.attention} />
          <Setup steps={body.setup} screens={screens} isSandbox={me.environment === 'sandbox'} />
          <Figures home={body} />
          {body.days.length === 0 ? (
            <section class="nothing">
              <p>
                <b>No collections in the last 30 days</b>
              </p>
              <p class="quiet">Your daily collections will appear here after the first payment.</p>
            </section>
          ) : (
            <Chart title="Collections, last 30 days" legend={METHODS.map(([, name]) => name)} bars={barsOf(body)} />
          )}
          {below}
          <p class="quiet small">Updated {moment(body.at)}. Days are in Lagos time.</p>
        </>
      )}
    </div>
  )
}

/** The items that need attention, if there are any. */
function Attention({ attention }: Pick<HomeData, 'attention'>): JSX.Element | null {
  if (attention.length === 0) return null
  return (
    <section class="notice warn" aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
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

type SetupSteps = NonNullable<HomeData['setup']>

const SETUP: Readonly<Record<SetupSteps[number]['step'], { readonly text: string; readonly href: string }>> = {
  SECOND_FACTOR: { text: 'Set up a second factor for your account', href: 'profile' },
  API_CALL: { text: 'Call the API with your key, or create a payment link', href: 'payment-links' },
  WEBHOOK_URL: { text: 'Add a webhook URL, so that we can notify your server of payments', href: 'webhooks' },
  FIRST_PAYMENT: { text: 'Receive your first payment', href: 'transactions' },
}

interface SetupProps extends Pick<ScreenProps, 'screens'> {
  /** Null once a payment was received. */
  readonly steps: SetupSteps | null
  readonly isSandbox: boolean
}

/** The next steps of a new merchant that this user can open; in the sandbox, the last one leads to live. */
function Setup({ steps, screens, isSandbox }: SetupProps): JSX.Element | null {
  const goLive = (
    <a href="/docs/guides/go-live" target="_blank" rel="noopener">
      Go live
    </a>
  )
  if (steps === null) return isSandbox ? <p>Your sandbox takes payments. Next step: {goLive}.</p> : null
  return (
    <Panel title="Get started">
      <ol class="points">
        {steps
          .filter(({ step }) => screens.some(({ name }) => name === SETUP[step].href))
          .map(({ step, isDone }) => (
            <li key={step}>
              {isDone ? SETUP[step].text : <a href={`/dashboard/${SETUP[step].href}`}>{SETUP[step].text}</a>}
              {isDone && <b> (done)</b>}
            </li>
          ))}
        {isSandbox && <li>{goLive}, to receive real payments</li>}
      </ol>
    </Panel>
  )
}

function Figures({
  home: { today, lastWeek, successRate, balance, nextSettlement },
}: {
  readonly home: HomeData
}): JSX.Element {
  return (
    <dl class="figures">
      <div class="figure">
        <dt>Collected today</dt>
        <dd>{naira(today.amount)}</dd>
        <dd class="beside">
          {counted(today.payments, 'payment')} · {changeOf(today.amount, lastWeek.amount)}
        </dd>
      </div>
      <div class="figure">
        <dt>Success rate, last 7 days</dt>
        <dd>{successRate.percent === null ? '–' : `${successRate.percent}%`}</dd>
        <dd class="beside">
          {successRate.paid.toLocaleString('en')} of {counted(successRate.ended, 'payment')} succeeded
        </dd>
      </div>
      {balance !== null && (
        <div class="figure">
          <dt>Available balance</dt>
          <dd>{naira(balance.available)}</dd>
          <dd class="beside">{naira(balance.ledger)} before pending payouts</dd>
        </div>
      )}
      {nextSettlement !== null && (
        <div class="figure">
          <dt>Next settlement</dt>
          <dd>{naira(nextSettlement.amount)}</dd>
          <dd class="beside">{moment(nextSettlement.on)}. Splits and deductions are not yet subtracted.</dd>
        </div>
      )}
    </dl>
  )
}

const METHODS = [
  ['ACCOUNT_TRANSFER', 'Bank transfer'],
  ['CARD', 'Card'],
  ['DIRECT_DEBIT', 'Direct debit'],
  ['CASH', 'Cash'],
] as const
const DAYS_SHOWN = 30
const DAY_MILLISECONDS = 86_400_000
const LAGOS_MILLISECONDS = 3_600_000
const DAY = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' })

/** One bar for each of the last 30 days in Lagos, including days without a payment. */
function barsOf({ at, days }: HomeData): readonly Bar[] {
  const now = new Date(at).getTime() + LAGOS_MILLISECONDS
  return Array.from({ length: DAYS_SHOWN }, (_, index) => {
    const date = new Date(now - (DAYS_SHOWN - 1 - index) * DAY_MILLISECONDS)
    const day = date.toISOString().slice(0, 10)
    const amountBy = (method: string): number =>
      days.find((entry) => entry.day === day && entry.method === method)?.amount ?? 0
    return { name: DAY.format(date), parts: METHODS.map(([method]) => amountBy(method)) }
  })
}
