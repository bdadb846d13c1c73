import { EVENTS, type EventKind, type EventType, TEST_EVENT } from '@kobo/contract'
import type { Static, TSchema } from 'typebox'
import { isTracing } from '../../../platform/observability/tracing.ts'
import type { UnitOfWork } from '../../unit-of-work.ts'
import { rememberOrigin } from './origins.ts'
import { insertEvents, type NewEvent } from './repository.ts'

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
 * as NOT_SENT.
 */
export function emit({ tx, ids, at, wake }: UnitOfWork, events: readonly OutgoingEvent[]): void {
  if (events.length === 0) return
  const written = events.map((event) => newEvent(ids.id(), event))
  insertEvents(tx, at, written)
  if (isTracing()) for (const { id } of written) rememberOrigin(id)
  wake('events')
}

/** Queues a test event for the URL that receives a kind of events; returns its id. */
export function emitTest({ tx, ids, at, wake }: UnitOfWork, merchantId: bigint, kind: EventKind): bigint {
  const id = ids.id()
  const reference = `test-${id}`
  const eventData = { message: 'A test from Kobo. Nothing has happened.', kind, reference, createdOn: at.toISOString() }
  const body = JSON.stringify({ eventType: TEST_EVENT, eventData })
  insertEvents(tx, at, [{ merchantId, id, kind, eventType: TEST_EVENT, refs: [reference], body }])
  wake('events')
  return id
}

/** An event as stored. */
export const newEvent = (id: bigint, event: OutgoingEvent): NewEvent => ({
  merchantId: event.merchantId,
  id,
  kind: EVENTS[event.eventType].kind,
  eventType: event.eventType,
  refs: [...new Set(event.refs)],
  body: bodyOf(event),
})

/** The text as sent and signed. */
const bodyOf = (event: OutgoingEvent): string => {
  const { eventType, eventData } = event
  return JSON.stringify(
    'metaData' in event ? { eventType, eventData, metaData: event.metaData } : { eventType, eventData },
  )
}
