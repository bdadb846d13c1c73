import type { Failures } from '../../platform/lanes/failures.ts'
import { isBusy } from '../../platform/lanes/lane.ts'
import { type Worker, worker } from '../../platform/lanes/worker.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { Log } from '../../platform/observability/log.ts'
import { currentSpan, spanning, type Tracing } from '../../platform/observability/tracing.ts'
import type { Rails } from '../../rails/index.ts'
import { ADAPTER } from '../../rails/partners.ts'
import type { Core } from '../core.ts'
import { inRailSpan, type Router } from '../routing/index.ts'
import type { Sweep } from '../sweep.ts'
import { unitOfWork } from '../unit-of-work.ts'
import { type Breaker, openBreaker } from './breaker.ts'
import { openCarrier } from './carrier.ts'
import { type CarryOut, decisionSweep } from './carry-out-decisions.ts'
import { concludeResponses, type OrderDefinition, type OrderResponse, type PartnerResponse } from './conclude.ts'
import { endDecisions } from './decisions.ts'
import type { OrderPurpose, OrderRow } from './order.ts'
import { factsOf, openPartnerChoice, type PartnerChoice } from './partner-choice.ts'
import { LEASE_SECONDS, newOrder, type OrderMaker } from './place.ts'
import {
  countOrders,
  type LeasedOrder,
  leaseOrders,
  moveOrders,
  nextOrderDue,
  queryNow,
  type SlotLimit,
  selectWaiting,
} from './repository.ts'

/** Limits in this process: sends per slot (an operation, bank and partner), queries per slot, and all slots together. */
const SENDS_PER_SLOT_MAX = 128
const QUERIES_PER_SLOT_MAX = 32
const UNDER_WAY_MAX = 4_096
/** How many paused slots may lose their waiting orders to other partners in one step. */
const SLOTS_MOVED_MAX = 32

const outcomeOf = ({ kind, unanswered }: PartnerResponse): string => (unanswered === true ? 'none' : kind)

/** A feature's orders, as the handlers of requests use them. */
export interface OrdersOf<Subject, Response extends PartnerResponse> extends OrderWork {
  /** Sends an order that the caller has leased and stores the response; returns the updated subject, such as a transfer. */
  readonly send: (order: OrderRow, subject: Subject) => Promise<Subject>
  /** Queries an order now and stores the response. */
  readonly requery: (order: OrderRow, subject: Subject) => Promise<Subject>
  /** Sends data that only the caller has (card number, OTP) and stores the response. */
  readonly sendWith: (order: OrderRow, subject: Subject, call: (rails: Rails) => Promise<Response>) => Promise<Subject>
  readonly conclude: (response: OrderResponse<Subject, Response>) => Promise<Subject>
}

/** The orders of one purpose, as the worker runs them. */
export interface OrderWork {
  readonly purpose: OrderPurpose
  /** Turns leased orders into tasks. Their subjects are read in one query. */
  readonly prepare: (taken: readonly LeasedOrder[]) => Promise<readonly Task[]>
  /** Concludes an order as people decided. */
  readonly decided: CarryOut
}

interface Task {
  readonly order: LeasedOrder
  readonly carryOut: () => Promise<unknown>
}

interface Deps {
  readonly core: Core
  readonly metrics: Metrics
  /** Present if orders are traced. */
  readonly tracing?: Tracing | undefined
  readonly log: Log
  /** Chooses the partner. */
  readonly router: Router
}

/** Tools shared by all order functions. */
interface Tools extends Deps {
  readonly breaker: Breaker
  readonly partnerChoice: PartnerChoice
  readonly leaseSeconds: number
}

/** The only way to send anything to a partner. */
export interface Orders extends OrderMaker {
  /** Opens a feature's orders. */
  readonly define: <Subject, Response extends PartnerResponse>(
    definition: OrderDefinition<Subject, Response>,
  ) => OrdersOf<Subject, Response>
  /** Queries the order named in a partner's notification; says if it is not open or belongs to another partner. */
  readonly queryAbout: (hint: OutcomeHint) => Promise<'asking' | 'not open' | 'not theirs'>
  /** Runs orders in the background. The call compiles only if every purpose has a feature. */
  readonly work: (all: Readonly<Record<OrderPurpose, OrderWork>>, failures: Failures) => OrderWorker
}

/** Background work: due orders and decided orders. */
type OrderWorker = Worker & { readonly sweep: Sweep; readonly decisions: Sweep }

export function openOrders(deps: Deps): Orders {
  const breaker = openBreaker(deps.core.wall)
  const partnerChoice = openPartnerChoice(deps.router, breaker)
  const tools = { ...deps, breaker, partnerChoice, leaseSeconds: LEASE_SECONDS }
  const hasResponse = (slot: string): boolean => breaker.limit(slot, SENDS_PER_SLOT_MAX) === SENDS_PER_SLOT_MAX
  return {
    define: (definition) => defineOrders(tools, definition),
    newOrder: (order, at) => newOrder(order, partnerChoice.choose, hasResponse, at),
    queryAbout: queryLane(deps),
    work: (all, failures) => openWork(tools, all, failures),
  }
}

/** A partner's notification that an order has an outcome. */
export interface OutcomeHint {
  readonly reference: string
  readonly partner: string
}

/** Opens a lane: one search through the open orders serves all notifications that arrive together. */
const queryLane = ({ core, metrics, router }: Deps): Orders['queryAbout'] =>
  metrics.lane({
    name: 'reported outcome',
    batchesMax: 1,
    run: async (hints: readonly OutcomeHint[]) => {
      const references = [...new Set(hints.map(({ reference }) => reference))]
      const notifyingPartners = Map.groupBy(hints, ({ reference }) => reference)
      const owners = new Map<string, string | null>()
      const isOf = (hint: OutcomeHint, owner: string | null): boolean => router.partners.isOf(hint.partner, owner)
      const matchesNotification = ({ reference, partner }: Pick<OrderRow, 'reference' | 'partner'>): boolean => {
        owners.set(reference, partner)
        return notifyingPartners.get(reference)?.some((hint) => isOf(hint, partner)) === true
      }
      const queried = await core.shards.gather(references.length, (shard) =>
        unitOfWork(core, async ({ tx, at, wake }) => {
          const open = await queryNow(tx, shard, references, at, matchesNotification)
          if (open.length > 0) wake('orders')
          return open
        }),
      )
      const open = new Set(queried)
      return hints.map((hint) => {
        const owner = owners.get(hint.reference)
        if (owner !== undefined && !isOf(hint, owner)) return 'not theirs'
        return open.has(hint.reference) ? 'asking' : 'not open'
      })
    },
  })

function defineOrders<Subject, Response extends PartnerResponse>(
  tools: Tools,
  definition: OrderDefinition<Subject, Response>,
): OrdersOf<Subject, Response> {
  const { core, metrics, tracing, router } = tools
  const { purpose, subjects, send, query, found } = definition
  type One = OrderResponse<Subject, Response>

  const conclude = metrics.lane({
    name: `${purpose} outcome`,
    batchesMax: definition.outcomeBatchesMax ?? 1, // two batches would wait for each other's accounts
    blockedBy: ({ order }) => order.merchantId,
    shardOf: ({ order }) => core.shards.of(order.merchantId),
    run: (responses: readonly One[]) => concludeResponses(tools, definition, responses),
  })

  const sendWith: OrdersOf<Subject, Response>['sendWith'] = (order, subject, call) =>
    tracing === undefined
      ? sendAndConclude(tools, conclude, order, subject, call)
      : inOrderSpan(tracing, order, () => sendAndConclude(tools, conclude, order, subject, call))

  return {
    purpose,
    conclude,
    sendWith,
    requery: (order, subject) => sendWith(order, subject, (rails) => query(order, subject, rails)),
    send: (order, subject) => sendWith(order, subject, (rails) => (send ?? query)(order, subject, rails)),
    prepare: async (taken) => {
      const rows = await subjects(core.db, taken)
      return taken.map((order, index) => {
        const subject = rows[index] as Subject
        const call = order.was === 'WAITING' ? (send ?? query) : query
        return { order, carryOut: () => sendWith(order, subject, (rails) => call(order, subject, rails)) }
      })
    },
    decided: async (decided) => {
      const { verdict, told } = decided.decision
      const order = withPartnerName(router, decided.order)
      const [subject] = (await subjects(core.db, [order])) as [Subject]
      await concludeResponses(
        tools,
        definition,
        [{ order, subject, response: found[verdict](told), isDecided: true }],
        (unit) => endDecisions(unit, [decided.decision], 'CARRIED_OUT'),
      )
    },
  }
}

/** Works on an order in its own span. In a worker there is no request, so the order starts a new trace. */
function inOrderSpan<T>(tracing: Tracing, { purpose, merchantId }: OrderRow, work: () => Promise<T>): Promise<T> {
  const [current, name] = [currentSpan(), `order ${purpose}`]
  const span = current === undefined ? tracing.root(name, 'internal') : current.begin(name)
  span?.note('kobo.merchant_id', String(merchantId))
  return span === undefined ? work() : spanning(span, work)
}

/** Sends or queries an order and stores the response. */
async function sendAndConclude<Subject, Response extends PartnerResponse>(
  tools: Tools,
  conclude: OrdersOf<Subject, Response>['conclude'],
  placed: OrderRow,
  subject: Subject,
  call: (rails: Rails) => Promise<Response>,
): Promise<Subject> {
  const { router, breaker, metrics, log } = tools
  const { purpose } = placed
  const carrier = await openCarrier(tools, placed)
  const response = await inRailSpan(
    () => factsOf(placed).operation,
    () => call(carrier.rails),
    (response) => ({ partner: carrier.order().partner, outcome: outcomeOf(response) }),
  )
  const order = withPartnerName(router, carrier.order())
  breaker.note(order.slot, response.unanswered !== true)
  metrics.partnerResponse(purpose, outcomeOf(response))
  try {
    return await conclude({ order, subject, response })
  } catch (error) {
    if (!isBusy(error)) throw error
    // The order stays sent and open, which is correct: it is queried again.
    log.warn({ error, purpose, reference: order.reference }, 'partner response not stored; order will be queried again')
    return subject
  }
}

/** With a single partner: fills in its name on an order that was placed before the partner reported that name. */
function withPartnerName({ partners, hasSeveral }: Router, order: OrderRow): OrderRow {
  if (hasSeveral || (order.partner !== null && order.partner !== ADAPTER)) return order
  return { ...order, partner: partners.all[0]?.code() ?? order.partner }
}

/** Moves orders waiting for a paused slot to another partner, if routing allows it. They have not been sent. */
async function moveWaiting({ core, breaker, partnerChoice, router }: Tools): Promise<void> {
  const paused = router.hasSeveral ? breaker.paused().slice(0, SLOTS_MOVED_MAX) : []
  if (paused.length === 0) return
  await core.shards.each(async (shard) => {
    const waiting = await selectWaiting(core.db, shard, paused, core.clock.now(), SENDS_PER_SLOT_MAX)
    const moved = waiting.flatMap((order) => {
      const next = partnerChoice.another(order, new Set([order.partner ?? '']))
      return next === undefined ? [] : { ...order, ...next }
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

/** Returns the free capacity of slots that are paused or in use; other slots have the maximum. */
function slotLimits(
  breaker: Breaker,
  underWay: ReadonlyMap<string, UnderWay>,
  taken: readonly LeasedOrder[],
): readonly SlotLimit[] {
  const paused = breaker
    .paused()
    .flatMap((slot) =>
      (['WAITING', 'SENT', 'WATCHED'] as const).map(
        (state) => [`${state} ${slot}`, { state, slot, count: 0 }] as const,
      ),
    )
  const begun = new Map([...paused, ...underWay])
  for (const { was, slot } of taken) {
    const key = `${was} ${slot}`
    begun.set(key, { state: was, slot, count: (begun.get(key)?.count ?? 0) + 1 })
  }
  return [...begun.values()].map(({ state, slot, count }) => {
    const most = state === 'WAITING' ? SENDS_PER_SLOT_MAX : QUERIES_PER_SLOT_MAX
    return { state, slot, free: Math.max(0, breaker.limit(slot, most) - count) }
  })
}

function openWork(tools: Tools, all: Readonly<Record<OrderPurpose, OrderWork>>, failures: Failures): OrderWorker {
  const { core, metrics, breaker } = tools
  const { db, clock, nodeLease, shards, wakeups } = core
  const underWay = new Map<string, UnderWay>()

  async function lease(limit: number): Promise<readonly Task[]> {
    await moveWaiting(tools)
    const takenBefore: LeasedOrder[] = []
    return shards.gather(limit, async (shard, most) => {
      const taken = await leaseOrders(db, shard, {
        at: clock.now(),
        leaseSeconds: LEASE_SECONDS,
        limit: most,
        sendsMax: SENDS_PER_SLOT_MAX,
        queriesMax: QUERIES_PER_SLOT_MAX,
        limits: slotLimits(breaker, underWay, takenBefore),
        purposes: Object.keys(all),
      })
      takenBefore.push(...taken)
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

  metrics.sharedGauge('kobo_orders', 'Open orders, by state', 'state', () => countOrders(db))
  metrics.gauge('kobo_order_slots_resting', 'Slots skipped because their partner does not respond', 'slot', async () =>
    breaker.paused().map((slot) => [slot, 1] as const),
  )
  const mayTake = (): boolean => nodeLease.whyUnhealthy() === undefined
  const work = worker({ tasks: 'orders', failures, underWayMax: UNDER_WAY_MAX, mayTake, lease, carryOut })
  wakeups.onWake('orders', work.wake)
  return {
    ...work,
    sweep: { name: 'carry out orders', run: () => work.workDue(), nextDue: () => nextOrderDue(db) },
    decisions: decisionSweep(core, tools.log, all),
  }
}
