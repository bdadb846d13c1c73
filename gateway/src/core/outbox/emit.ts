import { EVENTS, type EventType } from '@kobo/contract'
import type { Static } from 'typebox'
import type { IdSource } from '../../kernel/ids.ts'
import { rowSet, type Tx } from '../../platform/db.ts'

/** Something to tell a merchant. The type of `eventData` follows from the event's type. */
export type OutgoingEvent = {
  [T in EventType]: {
    readonly merchantId: bigint
    readonly eventType: T
    /** Every reference by which a person may look for it, the main one first. */
    readonly refs: readonly string[]
    readonly eventData: Static<(typeof EVENTS)[T]['data']>
  }
}[EventType]

/** Records events in the caller's transaction: they are sent if, and only if, that transaction commits. */
export async function emit(tx: Tx, ids: IdSource, at: Date, events: readonly OutgoingEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(({ merchantId, eventType, refs, eventData }) => ({
    merchantId,
    id: ids.id(),
    kind: EVENTS[eventType].kind,
    eventType,
    refs: [...new Set(refs)],
    body: JSON.stringify({ eventType, eventData }),
    status: 'PENDING',
    attempts: 0,
    resent: false,
    createdAt: at,
    nextAttemptAt: at,
  }))
  await tx`insert into event select * from json_populate_recordset(null::event, ${rowSet(rows)}::text::json)`
}
