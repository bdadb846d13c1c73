import { setImmediate as nextTurn } from 'node:timers/promises'
import { monotonic, secondsAfter } from '../../../kernel/clock.ts'
import { firstIdAt, momentOf } from '../../../kernel/ids.ts'
import type { Post, PostOutcome } from '../../../platform/http/post-json.ts'
import type { Failures } from '../../../platform/lanes/failures.ts'
import { type Worker, worker } from '../../../platform/lanes/worker.ts'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import type { Log } from '../../../platform/observability/log.ts'
import { currentSpan, spanning, type Tracing, within } from '../../../platform/observability/tracing.ts'
import type { Core } from '../../core.ts'
import type { LeasedEvent } from '../../event-sender.ts'
import type { Merchant } from '../../merchants/index.ts'
import { audit } from '../../security/audit.ts'
import { unitOfWork } from '../../unit-of-work.ts'
import { type Notice, notify } from '../notices.ts'
import { dropLateBodies, lockEvents } from './bodies.ts'
import { type Endpoint, openEndpoints, SENT_AT_ONCE_MAX } from './endpoints.ts'
import { failureLog } from './failure-log.ts'
import { originOf } from './origins.ts'
import type { DeliveryQueue, QueueKey } from './queue.ts'
import {
  type AttemptedEvent,
  type AttemptRow,
  attempts as attemptTable,
  type EndpointTally,
  PLAIN_ATTEMPT,
} from './repository.ts'
import { afterAttempt, OK, requestsStop } from './schedule.ts'
import { endpointHeaders, signatureHeaders } from './signature.ts'

/** Longer than an attempt may take: after this time the sender is treated as dead, and another process may send. */
const LEASE_SECONDS = 20
const LEASE = { leaseSeconds: LEASE_SECONDS, perEndpointMax: SENT_AT_ONCE_MAX }
/** An event that waited longer than this for its turn is not sent, because its lease might end during the attempt. */
const WAITED_MILLISECONDS_MAX = 8_000
const UNDER_WAY_MAX = 2_048
/** Under load, at least this much time passes between two polls or commits. The first one is immediate. */
const GATHER_MILLISECONDS = 10
const DAY_SECONDS = 86_400
/** An endpoint is paused after giving up this many events in a row. */
const GIVEN_UP_IN_A_ROW_MAX = 100

export interface DeliveryDeps {
  readonly core: Core
  readonly post: Post
  readonly log: Log
  readonly failures: Failures
  readonly metrics: Metrics
  /** Present if deliveries are traced. */
  readonly tracing?: Tracing | undefined
  readonly signatureHeaders: readonly string[]
}

/** Leases due events, sends them outside a transaction, and stores the outcomes. */
export type Delivery = Worker

/** A leased event. */
interface Task {
  readonly event: LeasedEvent
  readonly takenAt: number
  readonly endpoint: Endpoint
}

interface Attempt {
  readonly event: LeasedEvent
  readonly at: Date
  /** The outcome of the attempt. `no address`: the merchant has no URL. `given back`: not sent, but queued again. */
  readonly outcome: PostOutcome | 'no address' | 'given back'
}

export function openDelivery(deps: DeliveryDeps, queue: DeliveryQueue): Delivery {
  const { core, failures, metrics, tracing } = deps
  const { db, clock, nodeLease, shards, wakeups } = core
  const record = metrics.lane({
    name: isAdditional(queue) ? 'additional delivery outcome' : 'delivery outcome',
    blockedBy: ({ event }) => event.merchantId,
    shardOf: ({ event }) => shards.of(event.merchantId),
    gatherMilliseconds: GATHER_MILLISECONDS,
    run: (attempts: readonly Attempt[]) => recordAttempts(deps, queue, attempts),
  })
  const send = openSending(deps, queue)
  const endpoints = openEndpoints()
  let isStopping = false

  async function lease(limit: number): Promise<readonly Task[]> {
    const takenAt = monotonic()
    const rooms = endpoints.rooms()
    const request = { ...LEASE, at: clock.now(), rooms }
    const events = await shards.gather(limit, (shard, most) => queue.lease(db, shard, { ...request, limit: most }))
    const tasks = events.map((event) => taskOf(event, takenAt))
    if (events.length < limit) endpoints.leased(rooms, events)
    return tasks
  }

  const taskOf = (event: LeasedEvent, takenAt: number): Task => ({ event, takenAt, endpoint: endpoints.enter(event) })

  async function deliver(task: Task): Promise<void> {
    try {
      await record(recordInSpan(await send(task, () => isStopping)))
    } finally {
      task.endpoint.leave()
    }
  }
  const carryOut = tracing === undefined ? deliver : traced(tracing, deliver)

  const work = worker({
    tasks: 'events to send',
    failures,
    underWayMax: UNDER_WAY_MAX,
    mayTake: () => nodeLease.whyUnhealthy() === undefined,
    lease,
    carryOut,
    // New events of the default queue come from memory, so the table is read only if more events wait there.
    makesRoom: ({ endpoint }) => endpoint.room() > 0 && (isAdditional(queue) || endpoint.hasBacklog()),
    gatherMilliseconds: GATHER_MILLISECONDS,
  })
  wakeups.onWake(queue.work, work.wake)
  if (!isAdditional(queue))
    wakeups.sendBy({
      leaseSeconds: LEASE_SECONDS,
      choose: (events) => (work.hasRoom() && !isStopping ? endpoints.choose(events) : events.map(() => false)),
      send: (events, chosenAt) => {
        const responsesAreSent = nextTurn()
        for (const task of events.map((event) => taskOf(event, chosenAt)))
          work.follow(
            task,
            responsesAreSent.then(() => carryOut(task)),
          )
      },
    })
  return {
    ...work,
    stop: () => {
      isStopping = true
      return work.stop()
    },
  }
}

/** Sends an event when it is its turn, unless it waited too long or this process stops. */
function openSending(deps: DeliveryDeps, queue: DeliveryQueue) {
  const { core, post, log, metrics } = deps
  const logFailure = failureLog(log)
  return async ({ event, takenAt, endpoint }: Task, isStopping: () => boolean): Promise<Attempt> => {
    const maySend = await endpoint.turn()
    try {
      const at = core.clock.now()
      if (!maySend || isTooLate(takenAt) || isStopping()) return { event, at, outcome: 'given back' }
      const merchant = await core.directory.byId(event.merchantId)
      if (merchant === undefined || event.url === null) return { event, at, outcome: 'no address' }
      const headers = headersOf(deps, queue, merchant, event, at)
      if (headers === undefined) return { event, at, outcome: 'given back' }
      const outcome = await post(event.url, event.body, headers)
      const isDelivered = outcome.status === OK
      endpoint.answered(isDelivered, outcome.milliseconds)
      metrics.delivery(isDelivered ? 'delivered' : 'failed', (at.getTime() - momentOf(event.id)) / 1_000)
      if (!isDelivered) logFailure(event, outcome)
      return { event, at, outcome }
    } finally {
      endpoint.endTurn()
    }
  }
}

const isAdditional = ({ name }: DeliveryQueue): boolean => name === 'additional'
/** Builds the signature headers; undefined for a new endpoint whose secret this process has not read yet. */
function headersOf(
  { core: { wall }, signatureHeaders: names }: DeliveryDeps,
  queue: DeliveryQueue,
  merchant: Merchant,
  event: LeasedEvent,
  at: Date,
): Record<string, string> | undefined {
  if (!isAdditional(queue)) return signatureHeaders(merchant, event, at, wall.now(), names)
  const endpointId = BigInt(event.kind)
  if (!merchant.endpoints.has(endpointId)) return undefined
  return endpointHeaders(merchant, endpointId, event, at, wall.now(), names)
}

const isTooLate = (takenAt: number): boolean => monotonic() - takenAt > WAITED_MILLISECONDS_MAX

/** Each delivery has its own trace, because an event may be delivered days later, and repeatedly. */
const traced =
  ({ root }: Tracing, carryOut: (task: Task) => Promise<void>) =>
  (task: Task): Promise<void> => {
    const span = root('deliver event', 'client')
    return span === undefined ? within(span, () => carryOut(task)) : spanning(span, () => carryOut(task))
  }

/**
 * Records an attempt in its span, if any. Only the URL's host is recorded: the full URL would let others impersonate
 * us.
 */
function recordInSpan(attempt: Attempt): Attempt {
  const span = currentSpan()
  if (span === undefined) return attempt
  const { event, outcome } = attempt
  const origin = originOf(event.id)
  if (origin !== undefined) span.link(origin)
  span.note('kobo.merchant_id', String(event.merchantId))
  span.note('kobo.event_kind', event.kind)
  span.note('kobo.attempt', event.attempts + 1)
  span.note('server.address', URL.parse(event.url ?? '')?.hostname)
  if (typeof outcome === 'string') span.note('kobo.outcome', outcome)
  else {
    span.note('kobo.outcome', outcome.status === OK ? 'delivered' : 'failed')
    span.note('http.response.status_code', outcome.status ?? undefined)
  }
  return attempt
}

/** Stores the outcomes of a batch of attempts in one transaction. */
async function recordAttempts(
  { core, log }: DeliveryDeps,
  queue: DeliveryQueue,
  attempts: readonly Attempt[],
): Promise<undefined[]> {
  const attempted = attempts.map(attemptedEvent)
  const tallies = tallyAttempts(attempts, attempted)
  const paused = await unitOfWork(core, async (unit) => {
    const { tx } = unit
    const late = lateOf(attempted, unit.at)
    lockEvents(tx, late)
    queue.updateAttempted(tx, attempted)
    attemptTable.insert(
      tx,
      attempts.flatMap((attempt) => attemptRow(unit.ids.id(), queue, attempt) ?? []),
      isAdditional(queue) ? undefined : PLAIN_ATTEMPT,
    )
    dropLateBodies(tx, late)
    if (tallies.length === 0) return []
    const endpoints = await queue.tally(tx, unit.at, tallies, GIVEN_UP_IN_A_ROW_MAX)
    for (const { merchantId, kind } of endpoints)
      audit(unit, { merchantId, act: 'webhook.pause', actor: 'worker', reference: kind })
    notify(
      unit,
      endpoints.map((endpoint) => pauseNotice(endpoint, isAdditional(queue))),
    )
    return endpoints
  })
  for (const { merchantId, kind } of paused)
    log.warn({ merchantId: String(merchantId), kind }, 'webhook endpoint paused')
  return attempts.map(() => undefined)
}

/** Returns the completed events whose text may be older than it is kept, which is at least a day. */
const lateOf = (attempted: readonly AttemptedEvent[], at: Date): readonly AttemptedEvent[] => {
  const before = firstIdAt(secondsAfter(at, -DAY_SECONDS))
  return attempted.filter(({ id, status }) => id < before && status !== 'PENDING' && status !== 'WAITING')
}

/** Builds the row of an attempt; undefined if nothing was sent. */
const attemptRow = (id: bigint, queue: DeliveryQueue, { event, at, outcome }: Attempt): AttemptRow | undefined =>
  typeof outcome === 'string' || event.url === null
    ? undefined
    : {
        merchantId: event.merchantId,
        eventId: event.id,
        id,
        at,
        url: event.url,
        status: outcome.status,
        bodyExcerpt: outcome.bodyExcerpt,
        milliseconds: outcome.milliseconds,
        error: outcome.error,
        resent: event.resent,
        endpointId: isAdditional(queue) ? BigInt(event.kind) : null,
      }

function pauseNotice({ merchantId, kind }: QueueKey, isAdditionalEndpoint: boolean): Notice {
  const what = isAdditionalEndpoint
    ? `Your webhook endpoint with the ID ${kind} rejected its events`
    : `The webhook URL for ${kind === 'default' ? 'your events' : `your ${kind} events`} rejected them`
  const remedy = isAdditionalEndpoint ? 'Resume the endpoint' : 'Save the webhook URL again'
  return {
    merchantId,
    topic: 'WEBHOOKS',
    page: '/dashboard/webhooks',
    subject: 'Your webhooks are paused',
    text: [
      `${what}, or has not accepted any for days. We have stopped sending to it.`,
      `No event is lost. ${remedy} and we send the waiting events; you can also resend events that we gave up on.`,
    ].join('\n'),
  }
}

function attemptedEvent({ event, at, outcome }: Attempt): AttemptedEvent {
  const { merchantId, id, kind, leasedUntil } = event
  if (outcome === 'no address')
    return { merchantId, id, kind, status: 'NOT_SENT', attempts: event.attempts, nextAttemptAt: null, leasedUntil }
  if (outcome === 'given back')
    return { merchantId, id, kind, status: 'PENDING', attempts: event.attempts, nextAttemptAt: at, leasedUntil }
  const attempts = event.attempts + 1
  const next = afterAttempt(attempts, outcome)
  if (next.status === 'PENDING')
    return {
      merchantId,
      id,
      kind,
      status: 'WAITING',
      attempts,
      nextAttemptAt: secondsAfter(at, next.waitSeconds),
      leasedUntil,
    }
  return { merchantId, id, kind, status: next.status, attempts, nextAttemptAt: null, leasedUntil }
}

type Counting = { -readonly [Field in keyof EndpointTally]: EndpointTally[Field] }

/** Adds up the results of a batch of attempts per endpoint. */
function tallyAttempts(attempts: readonly Attempt[], attempted: readonly AttemptedEvent[]): readonly EndpointTally[] {
  const tallies: Counting[] = []
  attempts.forEach(({ event: { merchantId, endpointKind: kind }, outcome }, index) => {
    if (typeof outcome === 'string' || kind === null) return
    let tally = tallies.find((one) => one.merchantId === merchantId && one.kind === kind)
    if (tally === undefined) {
      tally = { merchantId, kind, delivered: false, gaveUp: 0, pause: false }
      tallies.push(tally)
    }
    const status = attempted[index]?.status
    if (status === 'DELIVERED') tally.delivered = true
    if (status === 'GIVEN_UP') tally.gaveUp++
    if (requestsStop(outcome)) tally.pause = true
  })
  return tallies
}
