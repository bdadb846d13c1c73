import { EVENTS, type EventType } from '@kobo/contract'
import type { Static, TSchema } from 'typebox'
import { rowSet } from '../../platform/db.ts'
import type { UnitOfWork } from '../unit-of-work.ts'

/** Something to tell a merchant. The type of `eventData` follows from the event's type. */
export type OutgoingEvent = {
  [T in EventType]: {
    readonly merchantId: bigint
    readonly eventType: T
    /** Every reference by which a person may look for it, the main one first. */
    readonly refs: readonly string[]
    readonly eventData: Static<(typeof EVENTS)[T]['data']>
  } & ((typeof EVENTS)[T] extends { readonly metaData: infer M extends TSchema }
    ? { readonly metaData: Static<M> }
    : unknown)
}[EventType]

/**
 * Records events in the caller's transaction: they are sent if, and only if, that transaction commits. Those of a
 * merchant without an address for them are kept as NOT_SENT.
 */
export function emit({ tx, ids, at, wake }: UnitOfWork, events: readonly OutgoingEvent[]): void {
  if (events.length === 0) return
  const rows = events.map((event) => ({
    merchantId: event.merchantId,
    id: ids.id(),
    kind: EVENTS[event.eventType].kind,
    eventType: event.eventType,
    refs: [...new Set(event.refs)],
    body: bodyOf(event),
  }))
  wake('events')
  void tx`
    insert into event (merchant_id, id, kind, event_type, refs, body, created_at, next_attempt_at, status)
    select merchant_id, id, kind, event_type, refs, body, ${at}, ${at}, case when has_endpoint then 'PENDING' else 'NOT_SENT' end
      from json_populate_recordset(null::event, ${rowSet(rows)}::text::json) new
     cross join lateral (
       select exists (
         select from webhook_endpoint e where e.merchant_id = new.merchant_id and e.kind in (new.kind, 'default')) as has_endpoint) found`
}

/** The text as it is sent and signed. */
const bodyOf = (event: OutgoingEvent): string => {
  const { eventType, eventData } = event
  return JSON.stringify(
    'metaData' in event ? { eventType, eventData, metaData: event.metaData } : { eventType, eventData },
  )
}
