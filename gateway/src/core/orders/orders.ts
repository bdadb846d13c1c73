import type { Kobo } from '../../kernel/money.ts'
import { ZERO } from '../../kernel/money.ts'
import { type Db, optimistic } from '../../platform/db.ts'
import { isBusy, type Lane } from '../../platform/lanes.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { type Worker, worker } from '../../platform/worker.ts'
import type { Core } from '../core.ts'
import type { Sweep } from '../sweep.ts'
import { type UnitOfWork, unitOfWork } from '../unit-of-work.ts'
import { type Breaker, openBreaker } from './breaker.ts'
import { type NewOrder, type OrderKey, type OrderPurpose, type OrderRow, referenceOfTry } from './order.ts'
import {
  askNow,
  countOrders,
  insertOrders,
  type LeasedOrder,
  leaseOrders,
  nextOrderDue,
  releaseOrders,
  releaseToCaller,
  type SlotLimit,
  takeForCaller,
  updateTaken,
  withdrawOrders,
} from './repository.ts'
import { firstQuestionAt, nextQuestionAt, TRIES_MAX } from './schedule.ts'

/** Longer than a partner may take to be asked for a name and to answer: when it has passed, whoever had it is dead. */
const LEASE_SECONDS = 90
/** What may be under way at once in this process: for a slot, by kind of work, and in all. */
const SENDS_PER_SLOT_MAX = 128
const QUESTIONS_PER_SLOT_MAX = 32
const UNDER_WAY_MAX = 4_096

/** What a partner says of an order; with `unanswered` where it said nothing at all. */
export interface Answer {
  readonly kind: string
  readonly unanswered?: boolean
}

/** What becomes of an order by what the partner said of it. */
export type Conclusion =
  /** Its outcome is known, and nothing is left to do. */
  | { readonly kind: 'concluded' }
  /** Its outcome is known, but the money may come back: asked about once more then. */
  | { readonly kind: 'watch'; readonly until: Date }
  /** It is with somebody whom we know, a card's holder: asked about then, and no sooner. */
  | { readonly kind: 'ask'; readonly at: Date }
  /** Nobody knows yet: asked about by the schedule. */
  | { readonly kind: 'unknown' }
  /** It failed, or never arrived: sent once more then, under a new reference. */
  | { readonly kind: 'send again'; readonly at: Date }

/** An order, the row of the feature that it is about, and what the partner said. */
export interface Answered<Subject, Said extends Answer> {
  readonly order: OrderRow
  readonly subject: Subject
  readonly said: Said
}

/** What came of an answer: the row as it is now, and what becomes of the order. */
export interface Concluded<Subject> {
  readonly subject: Subject
  readonly conclusion: Conclusion
}

/** All that a feature says about its orders: what they are about, what to ask, and what follows. */
export interface OrderDefinition<Subject, Said extends Answer> {
  readonly purpose: OrderPurpose
  /** Reads what orders are about, in their order. */
  readonly subjects: (db: Db, orders: readonly OrderRow[]) => Promise<readonly Subject[]>
  /** Sends an order. Left out where nobody but its caller can. */
  readonly send?: (order: OrderRow, subject: Subject) => Promise<Said>
  /** Asks what became of an order. */
  readonly ask: (order: OrderRow, subject: Subject) => Promise<Said>
  /** Writes down what follows from a set of answers, in one transaction. An answer to what is over changes nothing. */
  readonly conclude: (
    unit: UnitOfWork,
    answers: readonly Answered<Subject, Said>[],
    /** Those whose rows are as they were read, so that they need not be locked and read again. */
    unchanged: ReadonlySet<Answered<Subject, Said>>,
  ) => Promise<readonly Concluded<Subject>[]>
  /** How many sets of outcomes may be concluded at once, where that is not one. */
  readonly outcomeSetsMax?: number
  /** Which rows may be taken as they were read: whether they still are so is proven when they are written. */
  readonly isUnchanged?: (answer: Answered<Subject, Said>) => boolean
}

/** A feature's own orders: what is done with them in a request. */
export interface OrdersOf<Subject, Said extends Answer> extends OrderWork {
  /** Sends an order that the caller holds, and writes down what the partner said; answers the row as it is then. */
  readonly send: (order: OrderRow, subject: Subject) => Promise<Subject>
  /** Asks about an order now, and writes down the answer. */
  readonly ask: (order: OrderRow, subject: Subject) => Promise<Subject>
  /** Says to the partner what nobody but the caller can, who has a card's number or OTP, and writes down the answer. */
  readonly say: (order: OrderRow, subject: Subject, call: () => Promise<Said>) => Promise<Subject>
  /** Writes down what the partner said. */
  readonly conclude: (answer: Answered<Subject, Said>) => Promise<Subject>
}

/** Orders of one purpose, as the worker carries them out. */
export interface OrderWork {
  readonly purpose: OrderPurpose
  /** Makes what is to be done of orders that were taken; their rows are read together. */
  readonly prepare: (taken: readonly LeasedOrder[]) => Promise<readonly Task[]>
}

interface Task {
  readonly order: LeasedOrder
  readonly carryOut: () => Promise<unknown>
}

interface Deps {
  readonly core: Core
  readonly metrics: Metrics
  readonly log: Log
  /** The name of the partner through whom all orders go, as it is known now. */
  readonly partner: () => string
}

/** The one door to the outside. */
export interface Orders {
  /** Opens the orders of a feature. */
  readonly define: <Subject, Said extends Answer>(definition: OrderDefinition<Subject, Said>) => OrdersOf<Subject, Said>
  /** Whether a slot answers: what is placed for one that does not is better left to the worker. */
  readonly isAvailable: (slot: string) => boolean
  /** Has the partner asked now about an order of which it tells; answers whether one with this reference is open. */
  readonly askAbout: (reference: string) => Promise<boolean>
  /** Carries out orders in the background. A purpose whose orders nobody concludes does not compile. */
  readonly work: (all: Readonly<Record<OrderPurpose, OrderWork>>) => Worker & { readonly sweep: Sweep }
}

export function openOrders(deps: Deps): Orders {
  const breaker = openBreaker(deps.core.wall)
  return {
    define: (definition) => defineOrders(deps, breaker, definition),
    isAvailable: (slot) => breaker.limit(slot, SENDS_PER_SLOT_MAX) === SENDS_PER_SLOT_MAX,
    askAbout: askLane(deps),
    work: (all) => openWork(deps, breaker, all),
  }
}

/** In sets: what is open is looked through once for all who tell of something at the same time. */
const askLane = ({ core, metrics }: Deps): Lane<string, boolean> =>
  metrics.lane({
    name: 'told outcome',
    setsMax: 1,
    run: (references: readonly string[]) =>
      unitOfWork(core, async ({ tx, at, wake }) => {
        const open = new Set(await askNow(tx, [...new Set(references)], at))
        if (open.size > 0) wake('orders')
        return references.map((reference) => open.has(reference))
      }),
  })

function defineOrders<Subject, Said extends Answer>(
  { core, metrics, log, partner }: Deps,
  breaker: Breaker,
  definition: OrderDefinition<Subject, Said>,
): OrdersOf<Subject, Said> {
  const { purpose, subjects, send, ask, isUnchanged = () => false } = definition
  type One = Answered<Subject, Said>

  const conclude = metrics.lane({
    name: `${purpose} outcome`,
    setsMax: definition.outcomeSetsMax ?? 1, // one large set costs less than two that wait for each other's accounts
    apartBy: ({ order }) => order.merchantId,
    run: (answers: readonly One[]) =>
      optimistic(answers.filter(isUnchanged), (unchanged) =>
        unitOfWork(core, async (unit) => {
          const concluded = await definition.conclude(unit, answers, unchanged)
          const after = answers.map(({ order }, index) =>
            afterAnswer({ ...order, partner: partner() }, (concluded[index] as Concluded<Subject>).conclusion, unit.at),
          )
          updateTaken(unit.tx, after, unit.at)
          if (after.some(({ state }) => state === 'WAITING')) unit.wake('orders')
          for (const { state, reference } of after)
            if (state === 'UNRESOLVED')
              log.error({ purpose, reference }, 'nobody knows what became of an order; a person must find out')
          return concluded.map(({ subject }) => subject)
        }),
      ),
  })

  async function say(order: OrderRow, subject: Subject, call: () => Promise<Said>): Promise<Subject> {
    const said = await call()
    breaker.note(order.slot, said.unanswered !== true)
    metrics.partnerAnswer(purpose, said.unanswered === true ? 'none' : said.kind)
    try {
      return await conclude({ order, subject, said })
    } catch (error) {
      if (!isBusy(error)) throw error
      // It stays as it was, sent and not concluded, which is no lie: it is asked about again.
      log.warn({ error, purpose, reference: order.reference }, 'what a partner said could not be written down')
      return subject
    }
  }

  return {
    purpose,
    conclude,
    say,
    ask: (order, subject) => say(order, subject, () => ask(order, subject)),
    send: (order, subject) => say(order, subject, () => (send ?? ask)(order, subject)),
    prepare: async (taken) => {
      const rows = await subjects(core.db, taken)
      return taken.map((order, index) => {
        const subject = rows[index] as Subject
        const call = order.was === 'WAITING' ? (send ?? ask) : ask
        return { order, carryOut: () => say(order, subject, () => call(order, subject)) }
      })
    },
  }
}

/** An order after what its feature concluded from an answer. Pure: the whole life of orders is tested as a table. */
export function afterAnswer(order: OrderRow, conclusion: Conclusion, at: Date): OrderRow {
  switch (conclusion.kind) {
    case 'concluded':
      return { ...order, state: 'CONCLUDED', dueAt: null, concludedAt: order.concludedAt ?? at }
    case 'watch':
      return {
        ...order,
        state: 'WATCHED',
        dueAt: conclusion.until,
        unknownAnswers: 0,
        concludedAt: order.concludedAt ?? at,
      }
    case 'ask':
      return { ...order, dueAt: conclusion.at, unknownAnswers: 0 }
    case 'unknown': {
      const unknownAnswers = order.unknownAnswers + 1
      const dueAt = nextQuestionAt(unknownAnswers, order.dueAt, at) ?? null
      return { ...order, unknownAnswers, dueAt, state: dueAt === null ? 'UNRESOLVED' : order.state }
    }
    case 'send again':
      if (order.tries % TRIES_MAX === 0) return { ...order, state: 'UNRESOLVED', dueAt: null }
      return {
        ...order,
        state: 'WAITING',
        dueAt: conclusion.at,
        reference: referenceOfTry(order.reference, order.tries + 1),
        unknownAnswers: 0,
        concludedAt: null,
      }
  }
}

function openWork(
  { core, metrics, log }: Deps,
  breaker: Breaker,
  all: Readonly<Record<OrderPurpose, OrderWork>>,
): Worker & { readonly sweep: Sweep } {
  const { db, clock, fitness, wakeups } = core
  const underWay = new Map<string, { readonly state: SlotLimit['state']; readonly slot: string; count: number }>()

  /** What slots may still take on, where that is less than all. */
  function limits(): readonly SlotLimit[] {
    const resting = breaker
      .resting()
      .flatMap((slot) =>
        (['WAITING', 'SENT', 'WATCHED'] as const).map(
          (state) => [`${state} ${slot}`, { state, slot, count: 0 }] as const,
        ),
      )
    return [...new Map([...resting, ...underWay]).values()].map(({ state, slot, count }) => {
      const most = state === 'WAITING' ? SENDS_PER_SLOT_MAX : QUESTIONS_PER_SLOT_MAX
      return { state, slot, free: Math.max(0, breaker.limit(slot, most) - count) }
    })
  }

  async function lease(limit: number): Promise<readonly Task[]> {
    const taken = await leaseOrders(db, {
      at: clock.now(),
      leaseSeconds: LEASE_SECONDS,
      limit,
      sendsMax: SENDS_PER_SLOT_MAX,
      questionsMax: QUESTIONS_PER_SLOT_MAX,
      limits: limits(),
    })
    const groups = Map.groupBy(taken, ({ purpose }) => purpose)
    return (await Promise.all([...groups].map(([purpose, group]) => all[purpose].prepare(group)))).flat()
  }

  function carryOut({ order, carryOut: call }: Task): Promise<void> {
    const key = `${order.was} ${order.slot}`
    const slot = underWay.get(key) ?? { state: order.was, slot: order.slot, count: 0 }
    slot.count++
    underWay.set(key, slot)
    return call()
      .then(() => {})
      .finally(() => {
        if (--slot.count === 0) underWay.delete(key)
      })
  }

  metrics.gauge('kobo_orders', 'Orders that are not over, by state', 'state', () => countOrders(db))
  metrics.gauge(
    'kobo_order_slots_resting',
    'Slots that are left alone because nobody answers there',
    'slot',
    async () => breaker.resting().map((slot) => [slot, 1] as const),
  )
  const mayTake = (): boolean => fitness.whyUnfit() === undefined
  const work = worker({ tasks: 'orders', log, underWayMax: UNDER_WAY_MAX, mayTake, lease, carryOut })
  wakeups.onWake('orders', work.wake)
  return {
    ...work,
    sweep: { name: 'carry out orders', run: () => work.workDue(), nextDue: () => nextOrderDue(db) },
  }
}

/** Places orders in the caller's transaction: they are sent if, and only if, that commits. */
export function placeOrders({ tx, wake }: UnitOfWork, placed: readonly OrderRow[]): void {
  insertOrders(tx, placed, LEASE_SECONDS)
  if (placed.some(({ state }) => state === 'WAITING')) wake('orders')
}

/** An order as it is to be placed. */
export function newOrder({ holds, sentBy, dueAt, ...order }: NewOrder, at: Date): OrderRow {
  const isSent = sentBy === 'caller'
  return {
    ...order,
    partner: null,
    account: holds?.account ?? null,
    held: holds?.amount ?? (ZERO as Kobo),
    state: isSent ? 'SENT' : sentBy === 'worker' ? 'WAITING' : 'HELD',
    tries: isSent ? 1 : 0,
    unknownAnswers: 0,
    createdAt: at,
    dueAt: isSent ? firstQuestionAt(at) : sentBy === 'worker' ? (dueAt ?? at) : null,
    taken: 0,
    leasedUntil: null,
    concludedAt: null,
  }
}

/** Lets orders that were held be sent, by the worker. */
export function release({ tx, at, wake }: UnitOfWork, merchantId: bigint, ids: readonly bigint[]): void {
  releaseOrders(tx, merchantId, ids, at)
  wake('orders')
}

/** Lets an order that was held be sent by the caller, who then holds it. */
export const releaseForCaller = ({ tx, at }: UnitOfWork, key: OrderKey): Promise<OrderRow | undefined> =>
  releaseToCaller(tx, key, firstQuestionAt(at), LEASE_SECONDS)

/**
 * Takes an order that was sent, for a caller who has more to say or to ask of it: what somebody else may hear of it
 * meanwhile is not written down with the order. Undefined where nothing is to come of it any more.
 */
export const takeOrder = ({ tx, at }: UnitOfWork, key: OrderKey): Promise<OrderRow | undefined> =>
  takeForCaller(tx, key, firstQuestionAt(at), LEASE_SECONDS)

/** Ends orders that were held and are not to be sent any more. */
export const withdraw = ({ tx, at }: UnitOfWork, keys: readonly OrderKey[]): void => withdrawOrders(tx, keys, at)
