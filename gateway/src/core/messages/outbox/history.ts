import { chunksOf } from '../../../platform/lanes/chunks.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { newEvent, type OutgoingEvent } from './emit.ts'
import { type AttemptRow, attempts, DROPPED_BODY, events } from './repository.ts'

export type HistoryDelivery = Pick<
  AttemptRow,
  'id' | 'at' | 'url' | 'status' | 'bodyExcerpt' | 'milliseconds' | 'error'
>

/** A past event and its outcome. */
export interface HistoryEvent {
  readonly event: OutgoingEvent
  readonly id: bigint
  readonly at: Date
  readonly deliveries: readonly HistoryDelivery[]
  /** Whether its text is still stored. */
  readonly keepsText: boolean
}

/** Rows per query. */
const CHUNK_MAX = 1_000
const DELIVERED = 200

/** Writes past events with their deliveries. Nothing is sent. */
export function writeEventHistory(tx: Tx, past: readonly HistoryEvent[]): void {
  for (const chunk of chunksOf(past, CHUNK_MAX))
    events.insert(
      tx,
      chunk.map(({ event, id, at, deliveries, keepsText }) => {
        const row = newEvent(id, event)
        const isDelivered = deliveries.at(-1)?.status === DELIVERED
        return {
          ...row,
          body: keepsText ? row.body : DROPPED_BODY,
          status: isDelivered ? 'DELIVERED' : deliveries.length > 0 ? 'GIVEN_UP' : 'NOT_SENT',
          attempts: deliveries.length,
          resent: false,
          createdAt: at,
          nextAttemptAt: null,
          leasedUntil: null,
        }
      }),
    )
  const tries = past.flatMap(({ event: { merchantId }, id: eventId, deliveries }) =>
    deliveries.map((delivery) => ({ ...delivery, merchantId, eventId, resent: false, endpointId: null })),
  )
  for (const chunk of chunksOf(tries, CHUNK_MAX)) attempts.insert(tx, chunk)
}
