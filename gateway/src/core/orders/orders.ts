import type { OrderVerdict } from '@kobo/contract'
import { type Db, optimistic } from '../../platform/db.ts'
import type { Failures } from '../../platform/failures.ts'
import { isBusy, type Lane } from '../../platform/lanes.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { currentSpan, spanning, type Tracing } from '../../platform/tracing.ts'
import { type Worker, worker } from '../../platform/worker.ts'
import type { Rails } from '../../rails/index.ts'
import { ADAPTER } from '../../rails/partners.ts'
import type { Core } from '../core.ts'
import { inRailSpan, type Router } from '../routing/index.ts'
import type { Sweep } from '../sweep.ts'
import { type UnitOfWork, unitOfWork } from '../unit-of-work.ts'
import { type Breaker, openBreaker } from './breaker.ts'
import { openCarrier } from './carrier.ts'
import { type CarryOut, decisionSweep, endCarriedOut } from './decided.ts'
import type { Told } from './decision.ts'
import { type OrderPurpose, type OrderRow, referenceOfTry } from './order.ts'
import { LEASE_SECONDS, newOrder, type OrderMaker } from './place.ts'
import {
  askNow,
  countOrders,
  type LeasedOrder,
  leaseOrders,
  moveOrders,
  nextOrderDue,
  type SlotLimit,
  selectWaiting,
  updateTaken,
} from './repository.ts'
import { nextQuestionAt, TRIES_MAX } from './schedule.ts'
import { factsOf, openWays, type Ways } from './ways.ts'

/** What may be under way at once in this process: for a slot, by kind of work, and in all. */
const SENDS_PER_SLOT_MAX = 128
const QUESTIONS_PER_SLOT_MAX = 32
const UNDER_WAY_MAX = 4_096
/** Slots that rest of which what waits is looked at at once. */
const SLOTS_MOVED_MAX = 32

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

const outcomeOf = ({ kind, unanswered }: Answer): string => (unanswered === true ? 'none' : kind)

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
  /** Sends an order by the rails that carry it. Left out where nobody but its caller can. */
  readonly send?: (order: OrderRow, subject: Subject, rails: Rails) => Promise<Said>
  /** Asks whoever has it what became of an order. */
  readonly ask: (order: OrderRow, subject: Subject, rails: Rails) => Promise<Said>
  /** What the partner would have said, where people found out there what became of an order. */
  readonly found: Readonly<Record<OrderVerdict, (told: Told) => Said>>
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
  readonly say: (order: OrderRow, subject: Subject, call: (rails: Rails) => Promise<Said>) => Promise<Subject>
  /** Writes down what the partner said. */
  readonly conclude: (answer: Answered<Subject, Said>) => Promise<Subject>
}

/** Orders of one purpose, as the worker carries them out. */
export interface OrderWork {
  readonly purpose: OrderPurpose
  /** Makes what is to be done of orders that were taken; their rows are read together. */
  readonly prepare: (taken: readonly LeasedOrder[]) => Promise<readonly Task[]>
  /** Concludes an order by what people decided about it. */
  readonly decided: CarryOut
}

interface Task {
  readonly order: LeasedOrder
  readonly carryOut: () => Promise<unknown>
}

interface Deps {
  readonly core: Core
  readonly metrics: Metrics
  /** Named where orders are traced. */
  readonly tracing?: Tracing | undefined
  readonly log: Log
  /** Chooses among the partners. */
  readonly router: Router
}

/** What is shared by all that is done with orders. */
interface Tools extends Deps {
  readonly breaker: Breaker
  readonly ways: Ways
  readonly leaseSeconds: number
}

/** The one door to the outside. */
export interface Orders extends OrderMaker {
  /** Opens the orders of a feature. */
  readonly define: <Subject, Said extends Answer>(definition: OrderDefinition<Subject, Said>) => OrdersOf<Subject, Said>
  /** Has the partner asked now about an order of which it tells; answers whether one with this reference is open. */
  readonly askAbout: (reference: string) => Promise<boolean>
  /** Carries out orders in the background. A purpose whose orders nobody concludes does not compile. */
  readonly work: (all: Readonly<Record<OrderPurpose, OrderWork>>, failures: Failures) => OrderWorker
}

/** What carries out orders in the background: those that are due, and those about which people have decided. */
type OrderWorker = Worker & { readonly sweep: Sweep; readonly decisions: Sweep }

export function openOrders(deps: Deps): Orders {
  const breaker = openBreaker(deps.core.wall)
  const tools = { ...deps, breaker, ways: openWays(deps.router, breaker), leaseSeconds: LEASE_SECONDS }
  const isAnswered = (slot: string): boolean => breaker.limit(slot, SENDS_PER_SLOT_MAX) === SENDS_PER_SLOT_MAX
  return {
    define: (definition) => defineOrders(tools, definition),
    newOrder: (order, at) => newOrder(order, tools.ways.choose, isAnswered, at),
    askAbout: askLane(deps),
    work: (all, failures) => openWork(tools, all, failures),
  }
}

/** In sets: what is open is looked through once for all who tell of something at the same time. */
const askLane = ({ core, metrics }: Deps): Lane<string, boolean> =>
  metrics.lane({
    name: 'told outcome',
    setsMax: 1,
    run: async (references: readonly string[]) => {
      const told = [...new Set(references)]
      const asked = await core.shards.gather(told.length, (shard) =>
        unitOfWork(core, async ({ tx, at, wake }) => {
          const open = await askNow(tx, shard, told, at)
          if (open.length > 0) wake('orders')
          return open
        }),
      )
      const open = new Set(asked)
      return references.map((reference) => open.has(reference))
    },
  })

function defineOrders<Subject, Said extends Answer>(
  tools: Tools,
  definition: OrderDefinition<Subject, Said>,
): OrdersOf<Subject, Said> {
  const { core, metrics, tracing, log, router } = tools
  const { purpose, subjects, send, ask, found, isUnchanged = () => false } = definition
  type One = Answered<Subject, Said>

  const concludeSet = (
    answers: readonly One[],
    end?: (unit: UnitOfWork) => Promise<void>,
  ): Promise<readonly Subject[]> =>
    optimistic(answers.filter(isUnchanged), (unchanged) =>
      unitOfWork(core, async (unit) => {
        const concluded = await definition.conclude(unit, answers, unchanged)
        const after = answers.map(({ order }, index) =>
          afterAnswer(order, (concluded[index] as Concluded<Subject>).conclusion, unit.at),
        )
        updateTaken(unit.tx, after, unit.at)
        await end?.(unit)
        if (after.some(({ state }) => state === 'WAITING')) unit.wake('orders')
        for (const { state, reference } of after)
          if (state === 'UNRESOLVED')
            log.error({ purpose, reference }, 'nobody knows what became of an order; a person must find out')
        return concluded.map(({ subject }) => subject)
      }),
    )
  const conclude = metrics.lane({
    name: `${purpose} outcome`,
    setsMax: definition.outcomeSetsMax ?? 1, // one large set costs less than two that wait for each other's accounts
    apartBy: ({ order }) => order.merchantId,
    shardOf: ({ order }) => core.shards.of(order.merchantId),
    run: (answers: readonly One[]) => concludeSet(answers),
  })

  const say: OrdersOf<Subject, Said>['say'] = (order, subject, call) =>
    tracing === undefined
      ? sayAndConclude(tools, conclude, order, subject, call)
      : inOrderSpan(tracing, order, () => sayAndConclude(tools, conclude, order, subject, call))

  return {
    purpose,
    conclude,
    say,
    ask: (order, subject) => say(order, subject, (rails) => ask(order, subject, rails)),
    send: (order, subject) => say(order, subject, (rails) => (send ?? ask)(order, subject, rails)),
    prepare: async (taken) => {
      const rows = await subjects(core.db, taken)
      return taken.map((order, index) => {
        const subject = rows[index] as Subject
        const call = order.was === 'WAITING' ? (send ?? ask) : ask
        return { order, carryOut: () => say(order, subject, (rails) => call(order, subject, rails)) }
      })
    },
    // By itself, since where somebody has taken the order meanwhile the whole set is undone.
    decided: async (decided) => {
      const { verdict, told } = decided.decision
      const order = named(router, decided.order)
      const [subject] = (await subjects(core.db, [order])) as [Subject]
      await concludeSet([{ order, subject, said: found[verdict](told) }], (unit) => endCarriedOut(unit, decided))
    },
  }
}

/** What the worker does is in nobody's request: then an order begins a trace. */
function inOrderSpan<T>(tracing: Tracing, { purpose, merchantId }: OrderRow, work: () => Promise<T>): Promise<T> {
  const [current, name] = [currentSpan(), `order ${purpose}`]
  const span = current === undefined ? tracing.root(name, 'internal') : current.begin(name)
  span?.note('kobo.merchant_id', String(merchantId))
  return span === undefined ? work() : spanning(span, work)
}

/** Has an order carried, or asked about, and writes down what the partner said. */
async function sayAndConclude<Subject, Said extends Answer>(
  tools: Tools,
  conclude: OrdersOf<Subject, Said>['conclude'],
  placed: OrderRow,
  subject: Subject,
  call: (rails: Rails) => Promise<Said>,
): Promise<Subject> {
  const { router, breaker, metrics, log } = tools
  const { purpose } = placed
  const carrier = await openCarrier(tools, placed)
  const said = await inRailSpan(
    () => factsOf(placed).operation,
    () => call(carrier.rails),
    (answer) => ({ partner: carrier.order().partner, outcome: outcomeOf(answer) }),
  )
  const order = named(router, carrier.order())
  breaker.note(order.slot, said.unanswered !== true)
  metrics.partnerAnswer(purpose, outcomeOf(said))
  try {
    return await conclude({ order, subject, said })
  } catch (error) {
    if (!isBusy(error)) throw error
    // It stays as it was, sent and not concluded, which is no lie: it is asked about again.
    log.warn({ error, purpose, reference: order.reference }, 'what a partner said could not be written down')
    return subject
  }
}

/** The only partner may have told its name since the order was placed. */
function named({ partners, hasSeveral }: Router, order: OrderRow): OrderRow {
  if (hasSeveral || (order.partner !== null && order.partner !== ADAPTER)) return order
  return { ...order, partner: partners.all[0]?.code() ?? order.partner }
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

/** What waits for a slot that rests goes to another partner, where it may: nothing of it was sent. */
async function moveWaiting({ core, breaker, ways, router }: Tools): Promise<void> {
  const resting = router.hasSeveral ? breaker.resting().slice(0, SLOTS_MOVED_MAX) : []
  if (resting.length === 0) return
  await core.shards.each(async (shard) => {
    const waiting = await selectWaiting(core.db, shard, resting, core.clock.now(), SENDS_PER_SLOT_MAX)
    const moved = waiting.flatMap((order) => {
      const way = ways.another(order, new Set([order.partner ?? '']))
      return way === undefined ? [] : { ...order, ...way }
    })
    if (moved.length > 0) await unitOfWork(core, ({ tx }) => moveOrders(tx, moved, LEASE_SECONDS))
    return moved.length
  })
}

interface UnderWay {
  readonly state: SlotLimit['state']
  readonly slot: string
  count: number
}

/** What slots may still take on beside what is under way and was just taken, where that is less than all. */
function slotLimits(
  breaker: Breaker,
  underWay: ReadonlyMap<string, UnderWay>,
  taken: readonly LeasedOrder[],
): readonly SlotLimit[] {
  const resting = breaker
    .resting()
    .flatMap((slot) =>
      (['WAITING', 'SENT', 'WATCHED'] as const).map(
        (state) => [`${state} ${slot}`, { state, slot, count: 0 }] as const,
      ),
    )
  const begun = new Map([...resting, ...underWay])
  for (const { was, slot } of taken) {
    const key = `${was} ${slot}`
    begun.set(key, { state: was, slot, count: (begun.get(key)?.count ?? 0) + 1 })
  }
  return [...begun.values()].map(({ state, slot, count }) => {
    const most = state === 'WAITING' ? SENDS_PER_SLOT_MAX : QUESTIONS_PER_SLOT_MAX
    return { state, slot, free: Math.max(0, breaker.limit(slot, most) - count) }
  })
}

function openWork(tools: Tools, all: Readonly<Record<OrderPurpose, OrderWork>>, failures: Failures): OrderWorker {
  const { core, metrics, breaker } = tools
  const { db, clock, fitness, shards, wakeups } = core
  const underWay = new Map<string, UnderWay>()

  async function lease(limit: number): Promise<readonly Task[]> {
    await moveWaiting(tools)
    const before: LeasedOrder[] = []
    return shards.gather(limit, async (shard, most) => {
      const taken = await leaseOrders(db, shard, {
        at: clock.now(),
        leaseSeconds: LEASE_SECONDS,
        limit: most,
        sendsMax: SENDS_PER_SLOT_MAX,
        questionsMax: QUESTIONS_PER_SLOT_MAX,
        limits: slotLimits(breaker, underWay, before),
        purposes: Object.keys(all),
      })
      before.push(...taken)
      const groups = Map.groupBy(taken, ({ purpose }) => purpose)
      return (await Promise.all([...groups].map(([purpose, group]) => all[purpose].prepare(group)))).flat()
    })
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

  metrics.sharedGauge('kobo_orders', 'Orders that are not over, by state', 'state', () => countOrders(db))
  metrics.gauge(
    'kobo_order_slots_resting',
    'Slots that are left alone because nobody answers there',
    'slot',
    async () => breaker.resting().map((slot) => [slot, 1] as const),
  )
  const mayTake = (): boolean => fitness.whyUnfit() === undefined
  const work = worker({ tasks: 'orders', failures, underWayMax: UNDER_WAY_MAX, mayTake, lease, carryOut })
  wakeups.onWake('orders', work.wake)
  return {
    ...work,
    sweep: { name: 'carry out orders', run: () => work.workDue(), nextDue: () => nextOrderDue(db) },
    decisions: decisionSweep(core, all),
  }
}
