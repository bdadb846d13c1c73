import { secondsAfter } from '../../../kernel/clock.ts'
import { momentOf } from '../../../kernel/ids.ts'
import type { Failures } from '../../../platform/failures.ts'
import type { Log } from '../../../platform/log.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import type { Post, PostOutcome } from '../../../platform/post.ts'
import { type Worker, worker } from '../../../platform/worker.ts'
import type { Core } from '../../core.ts'
import { audit } from '../../security/audit.ts'
import { unitOfWork } from '../../unit-of-work.ts'
import { type Notice, notify } from '../notices.ts'
import { failureLog } from './failure-log.ts'
import {
  type AttemptedEvent,
  type AttemptRow,
  attempts as attemptTable,
  type EndpointTally,
  type LeasedEvent,
  leaseEvents,
  tallyEndpoints,
  updateAttempted,
} from './repository.ts'
import { afterAttempt, asksToStop, OK } from './schedule.ts'
import { signatureHeaders } from './signature.ts'

/** Longer than an attempt may take: when it has passed, whoever was sending is dead and another may. */
const LEASE_SECONDS = 20
const UNDER_WAY_MAX = 1_024
const UNDER_WAY_PER_ENDPOINT_MAX = 16
/** An endpoint that gives up this many events in a row is paused. */
const GIVEN_UP_IN_A_ROW_MAX = 100

export interface DeliveryDeps {
  readonly core: Core
  readonly post: Post
  readonly log: Log
  readonly failures: Failures
  readonly metrics: Metrics
  /** Names of further headers that carry the signature. */
  readonly signatureHeaders: readonly string[]
}

/** Sends events: rows are leased, sent with no transaction open, then what came of them is written down. */
export type Delivery = Worker

interface Attempt {
  readonly event: LeasedEvent
  readonly at: Date
  /** Null where the merchant has no address for it. */
  readonly outcome: PostOutcome | null
}

export function openDelivery(deps: DeliveryDeps): Delivery {
  const { core, post, log, failures, metrics } = deps
  const { db, clock, wall, fitness, directory, wakeups } = core
  const record = metrics.lane({
    name: 'delivery outcome',
    apartBy: ({ event }) => event.merchantId,
    run: (attempts: readonly Attempt[]) => recordAttempts(deps, attempts),
  })
  const tellFailure = failureLog(log)
  const underWay = new Map<string, { merchantId: bigint; kind: LeasedEvent['kind']; count: number }>()

  function lease(limit: number): Promise<readonly LeasedEvent[]> {
    return leaseEvents(db, {
      at: clock.now(),
      leaseSeconds: LEASE_SECONDS,
      perEndpointMax: UNDER_WAY_PER_ENDPOINT_MAX,
      limit,
      underWay: [...underWay.values()],
    })
  }

  function carryOut(event: LeasedEvent): Promise<void> {
    const key = `${event.merchantId}/${event.kind}`
    const endpoint = underWay.get(key) ?? { merchantId: event.merchantId, kind: event.kind, count: 0 }
    endpoint.count++
    underWay.set(key, endpoint)
    return sendAndRecord(event).finally(() => {
      if (--endpoint.count === 0) underWay.delete(key)
    })
  }

  async function sendAndRecord(event: LeasedEvent): Promise<void> {
    const at = clock.now()
    const merchant = await directory.byId(event.merchantId)
    if (merchant === undefined || event.url === null) return record({ event, at, outcome: null })
    const headers = signatureHeaders(merchant, event, at, wall.now(), deps.signatureHeaders)
    const outcome = await post(event.url, event.body, headers)
    const isDelivered = outcome.status === OK
    metrics.delivery(isDelivered ? 'delivered' : 'failed', (at.getTime() - momentOf(event.id)) / 1_000)
    if (!isDelivered) tellFailure(event, outcome)
    return record({ event, at, outcome })
  }

  const mayTake = (): boolean => fitness.whyUnfit() === undefined
  const work = worker({ tasks: 'events to send', failures, underWayMax: UNDER_WAY_MAX, mayTake, lease, carryOut })
  wakeups.onWake('events', work.wake)
  return work
}

/** Writes down what came of a set of attempts, in one transaction. */
async function recordAttempts({ core, log }: DeliveryDeps, attempts: readonly Attempt[]): Promise<undefined[]> {
  const attempted = attempts.map(attemptedEvent)
  const tallies = tallied(attempts, attempted)
  const paused = await unitOfWork(core, async (unit) => {
    const { tx } = unit
    updateAttempted(tx, attempted)
    attemptTable.insert(
      tx,
      attempts.flatMap((attempt) => attemptRow(unit.ids.id(), attempt) ?? []),
    )
    if (tallies.length === 0) return []
    const endpoints = await tallyEndpoints(tx, unit.at, tallies, GIVEN_UP_IN_A_ROW_MAX)
    for (const { merchantId, kind } of endpoints)
      audit(unit, { merchantId, act: 'webhook.pause', actor: 'worker', reference: kind })
    notify(unit, endpoints.map(pauseNotice))
    return endpoints
  })
  for (const { merchantId, kind } of paused)
    log.warn({ merchantId: String(merchantId), kind }, 'a webhook endpoint is paused')
  return attempts.map(() => undefined)
}

/** What is kept of an attempt; nothing where the merchant has no address. */
const attemptRow = (id: bigint, { event, at, outcome }: Attempt): AttemptRow | undefined =>
  outcome === null || event.url === null
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
      }

const pauseNotice = ({ merchantId, kind }: { merchantId: bigint; kind: string }): Notice => ({
  merchantId,
  subject: 'Your events are paused',
  text: [
    `The address for ${kind === 'default' ? 'your events' : `your ${kind} events`} wants no more of them, or took none for days. We send it nothing from now on.`,
    'No event is lost. Set the address again to have those sent that wait; events that were given up can be sent again too.',
  ].join('\n'),
})

function attemptedEvent({ event, at, outcome }: Attempt): AttemptedEvent {
  const { merchantId, id, leasedUntil } = event
  if (outcome === null)
    return { merchantId, id, status: 'NOT_SENT', attempts: event.attempts, nextAttemptAt: null, leasedUntil }
  const attempts = event.attempts + 1
  const next = afterAttempt(attempts, outcome)
  if (next.status === 'PENDING')
    return {
      merchantId,
      id,
      status: 'WAITING',
      attempts,
      nextAttemptAt: secondsAfter(at, next.waitSeconds),
      leasedUntil,
    }
  return { merchantId, id, status: next.status, attempts, nextAttemptAt: null, leasedUntil }
}

/** What a set of attempts says about each endpoint. */
function tallied(attempts: readonly Attempt[], attempted: readonly AttemptedEvent[]): readonly EndpointTally[] {
  const tallies = new Map<string, EndpointTally>()
  attempts.forEach(({ event, outcome }, index) => {
    if (outcome === null || event.endpointKind === null) return
    const key = `${event.merchantId}/${event.endpointKind}`
    const tally = tallies.get(key) ?? {
      merchantId: event.merchantId,
      kind: event.endpointKind,
      delivered: false,
      gaveUp: 0,
      pause: false,
    }
    const status = attempted[index]?.status
    tallies.set(key, {
      ...tally,
      delivered: tally.delivered || status === 'DELIVERED',
      gaveUp: tally.gaveUp + (status === 'GIVEN_UP' ? 1 : 0),
      pause: tally.pause || asksToStop(outcome),
    })
  })
  return [...tallies.values()]
}
