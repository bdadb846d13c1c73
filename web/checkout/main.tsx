import type { CheckoutPage } from '@kobo/contract'
import { hydrate, render } from 'preact'
import { browserNow } from '../ui/clock.ts'
import type { Language } from '../ui/language.ts'
import type { Messages } from '../ui/messages/en.ts'
import { naira } from '../ui/money.ts'
import { checkoutActions } from './checkout-actions.ts'
import { postToParent } from './frame.ts'
import { follow } from './live.ts'
import { type Checkout, firstModel, type Model, stepOf, stepText } from './model.ts'
import { openStore } from './store.ts'
import { App } from './views/app.tsx'

const TICK_MILLISECONDS = 1_000
/** How long the outcome is shown before the redirect to the merchant. */
const LEAVE_SECONDS = 10
const ANNOUNCED_MINUTES = [5, 1]
/** Seconds between checks with the gateway, once the payment has expired by the browser's clock. */
const EXPIRED_POLL_SECONDS = 3
/** Seconds between checks for money that arrives after the payment ended, and how long a page keeps checking. */
const LATE_SECONDS = 15
const LATE_SECONDS_MAX = 900
/** Card steps that change without an event to this page. */
const POLLED_STEPS = new Set<Model['card']['kind']>(['pending', 'bank'])

declare global {
  interface Window {
    /** The texts of the page's language, loaded by a separate script. */
    readonly koboWords: Messages
  }
}

const { page, language } = JSON.parse(document.getElementById('data')?.textContent ?? '{}') as {
  readonly page: CheckoutPage
  readonly language: Language
}
const root = document.getElementById('app') as HTMLElement

// The browser's clock may be wrong and the sandbox's may be weeks ahead, so we use the gateway's time.
let aheadMilliseconds = page.checkout.now - browserNow()
const view = (model: Model) => <App model={model} actions={actions} />
const store = openStore(firstModel(page, language, window.koboWords), (model) => render(view(model), root))
const { model, change } = store
const params = { checkoutReference: page.checkoutReference }

/** Applies the gateway's state of the payment, unless it is older than ours. */
function update(checkout: Checkout): void {
  const before = model().checkout
  if (checkout.now < before.now) return
  aheadMilliseconds = checkout.now - browserNow()
  const { words } = model()
  const news: { -readonly [Key in keyof Model]?: Model[Key] } = { checkout, now: checkout.now }
  if (checkout.amountPaid > before.amountPaid && !checkout.completed)
    Object.assign(news, { sent: false, ussdPayment: null, bankCode: '' })
  const [newest] = checkout.returns
  if (newest !== undefined && checkout.returns.length > before.returns.length)
    Object.assign(news, { sent: false, announced: words.returnTitle(naira(newest.amount)) })
  // The card needs a code now, or was approved or declined.
  if (stepText(checkout) !== stepText(before)) news.card = stepOf(checkout)
  if (checkout.completed && !before.completed) Object.assign(news, complete(checkout))
  change(news)
}

/** Stops following the completed payment; returns the changes to the model. */
function complete(checkout: Checkout): Partial<Model> {
  follower.stop()
  const isPaid = checkout.paymentStatus === 'PAID' || checkout.paymentStatus === 'OVERPAID'
  if (isPaid) postToParent(page.framedBy, 'complete', checkout)
  const leaves = isPaid && checkout.returnUrl !== null && !model().framed
  return { problem: null, leavingIn: leaves ? LEAVE_SECONDS : null, announced: outcomeTitle(checkout) }
}

let lateSeconds = 0

/** Checks for money that arrives after the payment ended, for a customer who still has the page open. */
function lookForLateMoney(): void {
  if (document.hidden || lateSeconds++ % LATE_SECONDS > 0 || lateSeconds > LATE_SECONDS_MAX) return
  void follower.look()
}

function outcomeTitle({ paymentStatus }: Checkout): string {
  const { words } = model()
  if (paymentStatus === 'PAID' || paymentStatus === 'OVERPAID') return words.paidTitle
  if (paymentStatus === 'PARTIALLY_PAID') return words.partOverTitle
  return paymentStatus === 'CANCELLED' ? words.cancelledTitle : words.expiredTitle
}

/** Runs every second. */
function tick(): void {
  const { checkout, leavingIn, now: before, card } = model()
  if (leavingIn !== null) {
    if (leavingIn <= 1 && checkout.returnUrl !== null) location.assign(checkout.returnUrl)
    change({ leavingIn: Math.max(0, leavingIn - 1) })
    return
  }
  if (checkout.completed) {
    lookForLateMoney()
    return
  }
  const now = browserNow() + aheadMilliseconds
  const passed = (minutes: number): boolean => {
    const moment = checkout.expiresOn - minutes * 60_000
    return before < moment && now >= moment
  }
  const minutes = ANNOUNCED_MINUTES.find(passed)
  change({ now, ...(minutes === undefined ? {} : { announced: model().words.minutesLeft(minutes) }) })
  const secondsSinceExpiry = Math.floor((now - checkout.expiresOn) / 1_000)
  const isDue = secondsSinceExpiry >= 0 && secondsSinceExpiry % EXPIRED_POLL_SECONDS === 0
  if (isDue || (POLLED_STEPS.has(card.kind) && secondsSinceExpiry % 10 === 0)) void follower.look()
}

const follower = follow(
  { params, isCompleted: page.checkout.completed },
  update,
  (offline) => offline !== model().offline && change({ offline }),
)
const actions = checkoutActions({ ...store, params, update, look: follower.look })

hydrate(view(model()), root)
change({ ready: true, framed: page.framedBy !== null && parent !== window })
setInterval(tick, TICK_MILLISECONDS)
addEventListener('keydown', ({ key }) => key === 'Escape' && actions.close())
// A customer who comes back from a bank's page may see an outdated page from the browser's cache.
addEventListener('pageshow', ({ persisted }) => persisted && void follower.look())
postToParent(page.framedBy, 'ready', page.checkout)
