import { EVENTS, type EventKind, type EventType, TEST_EVENT } from '@kobo/contract'
import type { Static, TSchema } from 'typebox'
import { monotonic } from '../../../kernel/clock.ts'
import { isTracing } from '../../../platform/observability/tracing.ts'
import type { UnitOfWork } from '../../unit-of-work.ts'
import { deliveries, insertDeliveries } from './additional-repository.ts'
import { rememberOrigin } from './origins.ts'
import { events as eventTable, insertEvents, type LeasedNow, type NewEvent } from './repository.ts'

/** An event for a merchant. The type of `eventData` follows from the event's type. */
export type OutgoingEvent = {
  [T in EventType]: {
    readonly merchantId: bigint
    readonly eventType: T
    /** References to search for, the main one first. */
    readonly refs: readonly string[]
    readonly eventData: Static<(typeof EVENTS)[T]['data']>
  } & ((typeof EVENTS)[T] extends { readonly metaData: infer M extends TSchema }
    ? { readonly metaData: Static<M> }
    : unknown)
}[EventType]

/**
 * Queues events in the caller's transaction: they are sent if and only if it commits. An event without a URL is stored
 * as NOT_SENT. Right after the commit, this process sends from memory as many as the endpoints have room for.
 */
export function emit(unit: UnitOfWork, events: readonly OutgoingEvent[]): void {
  if (events.length === 0) return
  const { ids, wake } = unit
  const written = events.map((event) => newEvent(ids.id(), event))
  writeEvents(unit, written)
  // Nearly all merchants have no additional endpoints and need no further query.
  const forAdditional = written.filter(({ merchantId }) => unit.mayHaveEndpoints(merchantId))
  if (forAdditional.length > 0) {
    insertDeliveries(unit.tx, unit.at, forAdditional)
    wake('additional deliveries')
  }
  if (isTracing()) for (const { id } of written) rememberOrigin(id)
}

function writeEvents({ tx, at, wake, sender, committed }: UnitOfWork, written: readonly NewEvent[]): void {
  const chosenAt = monotonic()
  const chosen = sender?.choose(written) ?? written.map(() => false)
  const inserted = insertEvents(tx, at, written, chosen, sender?.leaseSeconds ?? 0)
  if (chosen.includes(false)) wake('events')
  if (sender === undefined || !chosen.includes(true)) return
  let leased: readonly LeasedNow[] = []
  inserted.then(
    (rows) => (leased = rows),
    () => {},
  ) // the commit reports a failure
  committed(() => {
    const events = new Map(written.map((event) => [event.id, event]))
    sender.send(
      leased.map(({ id, endpointKind, url, leasedUntil }) => {
        const { merchantId, kind, body } = events.get(id) as NewEvent
        return { merchantId, id, kind, body, attempts: 0, resent: false, leasedUntil, endpointKind, url }
      }),
      chosenAt,
    )
  })
}

/** Queues a test event for the URL that receives a kind of events; returns its id. */
export function emitTest(unit: UnitOfWork, merchantId: bigint, kind: EventKind): bigint {
  const event = testEvent(unit.ids.id(), unit.at, merchantId, kind)
  writeEvents(unit, [event])
  return event.id
}

/** Queues a test event for an additional endpoint only; returns its id. */
export function emitTestTo({ tx, ids, at, wake }: UnitOfWork, merchantId: bigint, endpointId: bigint): bigint {
  const event = testEvent(ids.id(), at, merchantId, 'collection')
  const queued = { attempts: 0, resent: false, leasedUntil: null }
  eventTable.insert(tx, [{ ...event, ...queued, status: 'NOT_SENT', createdAt: at, nextAttemptAt: null }])
  const delivery = { merchantId, endpointId, eventId: event.id }
  deliveries.insert(tx, [{ ...delivery, ...queued, status: 'PENDING', nextAttemptAt: at }])
  wake('additional deliveries')
  return event.id
}

function testEvent(id: bigint, at: Date, merchantId: bigint, kind: EventKind): NewEvent {
  const reference = `test-${id}`
  const eventData = { message: 'A test from Kobo. Nothing has happened.', kind, reference, createdOn: at.toISOString() }
  const body = JSON.stringify({ eventType: TEST_EVENT, eventData })
  return { merchantId, id, kind, eventType: TEST_EVENT, refs: [reference], body }
}

export const newEvent = (id: bigint, event: OutgoingEvent): NewEvent => ({
  merchantId: event.merchantId,
  id,
  kind: EVENTS[event.eventType].kind,
  eventType: event.eventType,
  refs: [...new Set(event.refs)],
  body: bodyOf(event),
})

/** Builds the text that is sent and signed. */
const bodyOf = (event: OutgoingEvent): string => {
  const { eventType, eventData } = event
  return JSON.stringify(
    'metaData' in event ? { eventType, eventData, metaData: event.metaData } : { eventType, eventData },
  )
}
