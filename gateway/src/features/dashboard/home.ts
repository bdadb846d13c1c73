import { type getHome, type getTotals, type NotificationTopic, type Reply, TOPIC_PERMISSIONS } from '@kobo/contract'
import { type Merchant, selectAdditionalEndpoints } from '../../core/merchants/index.ts'
import { readChoices } from '../../core/messages/notification-choices.ts'
import { countGivenUp, selectEndpoints } from '../../core/messages/outbox/index.ts'
import { type HourOfMoves, sumHours } from '../../core/money/ledger/index.ts'
import { walletBalances } from '../../core/money/wallet-balances/index.ts'
import { countUnresolved } from '../../core/orders/index.ts'
import type { SignedIn } from '../../core/sessions/index.ts'
import { startOfDay } from '../../kernel/dates.ts'
import { firstIdAt } from '../../kernel/ids.ts'
import { type Kobo, kobo, toNaira } from '../../kernel/money.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { countWaiting } from '../approvals/index.ts'
import { countToAuthorize } from '../disbursements/index.ts'
import { countOpenDisputes } from '../disputes/index.ts'
import { paymentLinkList } from '../payment-links/index.ts'
import { countFailedPayouts } from '../settlements/index.ts'
import { transactionReads } from '../transactions/index.ts'
import { type Outcomes, selectTotalsBetween } from './repository.ts'
import { hourOf } from './sweeps.ts'
import { type Collected, collectedIn, dayOf, type Hours, sumCollected } from './totals.ts'

interface Deps {
  readonly db: Db
  readonly hours: Hours
}

const DAY_MILLISECONDS = 86_400_000
const WEEK_MILLISECONDS = 7 * DAY_MILLISECONDS
const DAYS_SHOWN = 30

const earlier = (at: Date, milliseconds: number): Date => new Date(at.getTime() - milliseconds)

/** Reads the figures of the home page. */
export async function readHome(
  { db, hours }: Deps,
  merchant: Merchant,
  at: Date,
  person: SignedIn,
): Promise<Reply<typeof getHome>> {
  const seesBalance = person.may('balances.read')
  const today = startOfDay(at)
  const weekAgo = earlier(at, WEEK_MILLISECONDS)
  const [days, wholeHours, partHour, outcomes, waiting, balance, next] = await Promise.all([
    hours.readDays(merchant.id, earlier(today, (DAYS_SHOWN - 1) * DAY_MILLISECONDS), at, at),
    selectTotalsBetween(db, merchant.id, startOfDay(weekAgo), hourOf(weekAgo)),
    sumHours(db, [{ merchantId: merchant.id, after: firstIdAt(hourOf(weekAgo)) - 1n, upTo: firstIdAt(weekAgo) - 1n }]),
    hours.readOutcomes(merchant.id, weekAgo, at),
    readAttention(db, merchant, at, person),
    seesBalance ? readBalance(db, merchant) : undefined,
    seesBalance ? transactionReads.nextSettlement(db, merchant.id) : undefined,
  ])
  const collected = collectedIn(days)
  return {
    at: at.toISOString(),
    today: showCollected(collected.filter((one) => dayOf(one) === dayOf({ hour: today }))),
    lastWeek: { ...showCollected(collectedIn([...wholeHours, ...partHour])), until: weekAgo.toISOString() },
    successRate: successOf(outcomes),
    balance: balance === undefined ? null : { available: toNaira(balance.available), ledger: toNaira(balance.ledger) },
    nextSettlement: next === undefined ? null : { on: next.settlesAt.toISOString(), amount: toNaira(next.amount) },
    setup: collected.length > 0 ? null : await readSetup(db, merchant, person.hasSecondFactor),
    days: byDayAndMethod(collected),
    attention: waiting,
  }
}

const FIRST = { size: 1 }

/** Reads a new merchant's steps up to the first payment; null once there is a payment. */
async function readSetup(
  db: Db,
  { id, secrets, endpoints: additional }: Merchant,
  hasSecondFactor: boolean,
): Promise<Reply<typeof getHome>['setup']> {
  const [paid, endpoints, links] = await Promise.all([
    transactionReads.list(db, id, { statuses: [...PAID] }, FIRST),
    selectEndpoints(db, id),
    paymentLinkList(db, id, {}, FIRST),
  ])
  if (paid.rows.length > 0 || paid.searchedBackTo !== undefined) return null
  return [
    { step: 'SECOND_FACTOR', isDone: hasSecondFactor },
    { step: 'API_CALL', isDone: links.rows.length > 0 || secrets.some(({ firstUsedAt }) => firstUsedAt !== null) },
    { step: 'WEBHOOK_URL', isDone: endpoints.length + additional.size > 0 },
    { step: 'FIRST_PAYMENT', isDone: false },
  ]
}

const readBalance = (db: Db, merchant: Merchant) =>
  walletBalances(db, { merchantId: merchant.id, accountNumber: merchant.walletAccountNumber })

function showCollected(all: readonly Collected[]) {
  const { amount, fee, payments } = sumCollected(all)
  return { amount: toNaira(amount), fee: toNaira(fee), payments }
}

const PAID: ReadonlySet<string> = new Set(['PAID', 'OVERPAID', 'PARTIALLY_PAID'])

/** Returns the success rate of completed transactions. */
function successOf(outcomes: readonly Outcomes[]): Reply<typeof getHome>['successRate'] {
  const ended = outcomes.filter(({ isOpen }) => !isOpen)
  const count = (some: typeof ended): number => some.reduce((sum, one) => sum + Number(one.count), 0)
  const [all, paid] = [count(ended), count(ended.filter(({ status }) => PAID.has(status)))]
  return { ended: all, paid, percent: all === 0 ? null : Math.round((paid / all) * 1_000) / 10 }
}

function byDayAndMethod(collected: readonly Collected[]): Reply<typeof getHome>['days'] {
  const groups = Map.groupBy(collected, (one) => `${dayOf(one)} ${one.method}`)
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, all]) => {
      const [first] = all
      return first === undefined ? [] : { day: dayOf(first), method: first.method, ...showCollected(all) }
    })
}

type Attention = Reply<typeof getHome>['attention']

const TOPIC_OF: Readonly<Record<Attention[number]['what'], NotificationTopic>> = {
  EVENTS_GIVEN_UP: 'WEBHOOKS',
  RECEIVER_PAUSED: 'WEBHOOKS',
  TRANSFERS_TO_AUTHORIZE: 'APPROVALS',
  DISPUTES_OPEN: 'DISPUTES',
  ORDERS_UNRESOLVED: 'PAYOUTS',
  PAYOUTS_FAILED: 'SETTLEMENTS',
  LOW_BALANCE: 'LOW_BALANCE',
}

/** Reads the items that need attention, for the topics that the user may see and has not turned off. */
export async function readAttention(
  db: Db,
  merchant: Merchant,
  at: Date,
  { personId, may }: Pick<SignedIn, 'personId' | 'may'>,
): Promise<Attention> {
  const dayAgo = earlier(at, DAY_MILLISECONDS)
  const [choices, givenUp, endpoints, toAuthorize, waiting, disputes, unresolved, failed, balance] = await Promise.all([
    readChoices(db, merchant.id, personId),
    countGivenUp(db, merchant.id, dayAgo),
    Promise.all([selectEndpoints(db, merchant.id), selectAdditionalEndpoints(db, merchant.id)]),
    countToAuthorize(db, merchant.id),
    countWaiting(db, merchant.id, dayAgo),
    countOpenDisputes(db, merchant.id),
    countUnresolved(db, merchant.id),
    countFailedPayouts(db, merchant.id),
    merchant.lowBalanceThreshold === null ? undefined : readBalance(db, merchant),
  ])
  const isLow = balance !== undefined && balance.available < (merchant.lowBalanceThreshold ?? balance.available)
  const items: Attention = [
    { what: 'EVENTS_GIVEN_UP', count: givenUp },
    { what: 'RECEIVER_PAUSED', count: endpoints.flat().filter(({ pausedAt }) => pausedAt !== null).length },
    { what: 'TRANSFERS_TO_AUTHORIZE', count: toAuthorize + waiting },
    { what: 'DISPUTES_OPEN', count: disputes },
    { what: 'ORDERS_UNRESOLVED', count: unresolved },
    { what: 'PAYOUTS_FAILED', count: failed },
    { what: 'LOW_BALANCE', count: isLow ? 1 : 0 },
  ]
  const shown = new Set(
    choices.filter(({ topic, onScreen }) => onScreen && may(TOPIC_PERMISSIONS[topic])).map(({ topic }) => topic),
  )
  return items.filter(({ what, count }) => count > 0 && shown.has(TOPIC_OF[what]))
}

/** Recognises each kind of outgoing money by the accounts that it moves between. */
const KINDS: Readonly<Record<'paidOut' | 'refunded' | 'settled', (move: HourOfMoves) => boolean>> = {
  paidOut: ({ source, target }) => source === 'in-flight' && target === 'clearing/transfers',
  refunded: ({ source, target }) =>
    source === 'in-flight' && (target === 'clearing/bank-transfer' || target === 'clearing/card'),
  settled: ({ source, target }) => source === 'payable' && (target === 'wallet' || target === 'in-flight/settlement'),
}

/** Sums collections, payouts, refunds and settlements by day. */
export async function readTotals(
  { readDays }: Pick<Hours, 'readDays'>,
  merchant: Merchant,
  { from, to, at }: { readonly from: Date; readonly to: Date; readonly at: Date },
): Promise<Reply<typeof getTotals>> {
  const start = startOfDay(from)
  const moves = await readDays(merchant.id, start, to, at)
  const sum = (some: readonly HourOfMoves[]): Kobo => kobo(some.reduce((all, { amount }) => all + amount, 0n))
  const days = Map.groupBy(moves, dayOf)
  return {
    from: start.toISOString(),
    to: to.toISOString(),
    days: [...days]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([day, all]) => {
        const { amount, fee } = sumCollected(collectedIn(all))
        const of = (kind: keyof typeof KINDS): number => toNaira(sum(all.filter(KINDS[kind])))
        return {
          day,
          collected: toNaira(amount),
          fees: toNaira(fee),
          paidOut: of('paidOut'),
          refunded: of('refunded'),
          settled: of('settled'),
        }
      }),
  }
}
