import type { getTill, Reply } from '@kobo/contract'
import { pathOf } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import * as routes from '../../../routes.ts'
import { browserNow } from '../../../ui/clock.ts'
import { koboOf, naira } from '../../../ui/money.ts'
import { Qr } from '../../../ui/qr.tsx'
import { watchStream } from '../../api/list-updates.ts'
import { useReply } from '../../api/use-reply.ts'
import { DialogButton } from '../../parts/dialog.tsx'
import { LoadingOrError } from '../../parts/placeholders.tsx'

type Till = Reply<typeof getTill>
type Payment = Till['payments'][number]

const TICK_MILLISECONDS = 1_000
const RELOAD_MILLISECONDS = 15_000
const SPEAKS = 'kobo-till-speaks'

interface TillPageProps {
  readonly tillReference: string
  /** Whether the user sees no other till. */
  readonly isOnly: boolean
}

/** A till: what to pay into, the payments of a day as they arrive, and their total. */
export function TillPage({ tillReference, isOnly }: TillPageProps): JSX.Element {
  const [date, setDate] = useState('')
  const query = date === '' ? {} : { date }
  const { body, problem, again } = useReply(routes.getTill, { params: { tillReference }, query })
  const isConnected = useLiveUpdates(tillReference, again)
  const isLive = isConnected && problem === undefined
  const clock = useClock(body?.now)
  const [speaks, setSpeaks] = useState(localStorage.getItem(SPEAKS) === 'yes')
  useAnnouncement(body, speaks)
  if (body === undefined) return <LoadingOrError problem={problem} />
  const isToday = date === ''
  return (
    <div class="till stack">
      <div class="split-row">
        <h1>{body.name}</h1>
        {!isOnly && (
          <a class="link" href="/dashboard/tills">
            All tills
          </a>
        )}
      </div>
      <LiveMark isLive={isLive} clock={clock} />
      <section class="panel till-total" aria-label="Total">
        <p class="amount">{naira(body.total)}</p>
        <p class="quiet">
          {body.count === 1 ? '1 payment' : `${body.count} payments`} {isToday ? 'today' : `on ${body.date}`}, Lagos
          time
        </p>
        <p class="actions">
          <label>
            Day{' '}
            <input
              type="date"
              value={date === '' ? body.date : date}
              onChange={({ currentTarget }) => setDate(currentTarget.value)}
            />
          </label>
          {!isToday && (
            <button class="link" type="button" onClick={() => setDate('')}>
              Back to today
            </button>
          )}
        </p>
      </section>
      <label class="tick">
        <input
          type="checkbox"
          checked={speaks}
          onChange={({ currentTarget: { checked } }) => {
            localStorage.setItem(SPEAKS, checked ? 'yes' : 'no')
            setSpeaks(checked)
          }}
        />
        <span>Announce payments aloud</span>
      </label>
      <Payments payments={body.payments} isToday={isToday} isLive={isLive} clock={clock} />
      <Accounts till={body} />
    </div>
  )
}

/**
 * Reloads the till when a payment arrives; returns whether the page is connected. A dead stream may go unnoticed for
 * minutes. So the till is also reloaded regularly, and a failure means that the page is not connected.
 */
function useLiveUpdates(tillReference: string, again: () => Promise<void>): boolean {
  const [isStreaming, setStreaming] = useState(false)
  const [isOnline, setOnline] = useState(navigator.onLine)
  useEffect(() => {
    const notice = (): void => setOnline(navigator.onLine)
    const events = ['online', 'offline'] as const
    for (const event of events) addEventListener(event, notice)
    const timer = setInterval(() => void again(), RELOAD_MILLISECONDS)
    const unwatch = watchStream(pathOf(routes.watchTill.path, { tillReference }), again, setStreaming)
    return () => {
      for (const event of events) removeEventListener(event, notice)
      clearInterval(timer)
      unwatch()
    }
  }, [tillReference, again])
  return isStreaming && isOnline
}

/** The gateway's time in Unix milliseconds, which advances every second. */
function useClock(now: string | undefined): number {
  const [tick, setTick] = useState(browserNow())
  const ahead = useRef(0)
  useEffect(() => {
    if (now !== undefined) ahead.current = Date.parse(now) - browserNow()
  }, [now])
  useEffect(() => {
    const timer = setInterval(() => setTick(browserNow()), TICK_MILLISECONDS)
    return () => clearInterval(timer)
  }, [])
  return tick + ahead.current
}

/** Announces each payment that arrives while the page is open. */
function useAnnouncement(till: Till | undefined, speaks: boolean): void {
  const known = useRef<{ readonly date: string; readonly references: ReadonlySet<string> }>(undefined)
  useEffect(() => {
    if (till === undefined) return
    const before = known.current
    known.current = {
      date: till.date,
      references: new Set(till.payments.map(({ transactionReference }) => transactionReference)),
    }
    if (!speaks || before?.date !== till.date) return
    const fresh = till.payments.filter(({ transactionReference }) => !before.references.has(transactionReference))
    for (const { amount, payerName } of [...fresh].reverse())
      speechSynthesis.speak(new SpeechSynthesisUtterance(`${spoken(amount)} from ${payerName ?? 'a customer'}`))
  }, [till, speaks])
}

/** An amount as it is said: 1200 naira 50 kobo. */
function spoken(amount: number): string {
  const kobo = koboOf(amount)
  return `${Math.floor(kobo / 100)} naira${kobo % 100 === 0 ? '' : ` ${kobo % 100} kobo`}`
}

const TIME = new Intl.DateTimeFormat('en-GB', { timeZone: 'Africa/Lagos', timeStyle: 'medium' })

/** A mark that moves and a clock that ticks while the page is connected; in a screenshot both stand still. */
const LiveMark = ({ isLive, clock }: { readonly isLive: boolean; readonly clock: number }): JSX.Element => (
  <p class={isLive ? 'live' : 'live off'}>
    <i class="pulse" aria-hidden="true" />
    <span role="status">{isLive ? 'Live' : 'Not connected: new payments may be missing.'}</span>{' '}
    <time>{TIME.format(clock)}</time>
  </p>
)

interface PaymentsProps {
  readonly payments: readonly Payment[]
  readonly isToday: boolean
  readonly isLive: boolean
  readonly clock: number
}

const Payments = ({ payments, isToday, isLive, clock }: PaymentsProps): JSX.Element =>
  payments.length === 0 ? (
    <p class="quiet">
      {isToday ? 'No payments yet today. They appear here automatically.' : 'No payments on this day.'}
    </p>
  ) : (
    <ol class="till-payments" aria-label="Payments, newest first" aria-live="polite">
      {payments.map(({ transactionReference, at, amount, payerName, payerBankName, receiptProof }) => (
        <li key={transactionReference} class="panel">
          <span class={isLive ? 'live' : 'live off'} aria-hidden="true">
            <i class="pulse" />
          </span>
          <b class="amount">{naira(amount)}</b>
          <span class="payer">
            {payerName ?? 'Unknown payer'} {payerBankName !== null && <small class="quiet">{payerBankName}</small>}
          </span>
          <small class="when">
            {TIME.format(Date.parse(at))}
            {isToday && <span aria-hidden="true"> · {ageText(clock - Date.parse(at))}</span>}
          </small>
          <DialogButton look="link receipt" label="Receipt" title={`Receipt for ${naira(amount)}`}>
            {(close) => (
              <>
                <p class="quiet">The customer scans this code and keeps the receipt. Anyone can check it.</p>
                <Qr text={receiptProof} label="Receipt as a QR code" />
                <div class="buttons">
                  <button class="button plain" type="button" onClick={close}>
                    Close
                  </button>
                </div>
              </>
            )}
          </DialogButton>
        </li>
      ))}
    </ol>
  )

/** How long ago: 12 s, 5 min, 3 h. */
function ageText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000))
  if (seconds < 60) return `${seconds} s ago`
  return seconds < 3_600 ? `${Math.floor(seconds / 60)} min ago` : `${Math.floor(seconds / 3_600)} h ago`
}

/** The account numbers, for the customer to copy or scan. */
const Accounts = ({ till: { accounts, name } }: { readonly till: Till }): JSX.Element => (
  <section class="panel stack-tight" aria-label="Pay into">
    <h2>Pay into</h2>
    {accounts.map(({ bankName, accountNumber, accountName }) => (
      <p key={accountNumber}>
        <b class="number">{accountNumber}</b> {bankName}
        <br />
        <small class="quiet">{accountName}</small>
      </p>
    ))}
    {accounts[0] !== undefined && (
      <Qr
        text={`${accounts[0].accountNumber}\n${accounts[0].bankName}\n${accounts[0].accountName}`}
        label={`Account number of ${name} as a QR code`}
      />
    )}
  </section>
)
