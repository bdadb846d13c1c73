import type { Tx } from '../../../platform/db.ts'
import { setsOf } from '../../../platform/sets.ts'
import { newEvent, type OutgoingEvent } from './emit.ts'
import { type AttemptRow, attempts, DROPPED_BODY, events } from './repository.ts'

/** A try to deliver an event of the past. */
export type PastDelivery = Pick<AttemptRow, 'id' | 'at' | 'url' | 'status' | 'bodyExcerpt' | 'milliseconds' | 'error'>

/** An event of the past, and what became of it. */
export interface PastEvent {
  readonly event: OutgoingEvent
  readonly id: bigint
  readonly at: Date
  readonly deliveries: readonly PastDelivery[]
  /** Whether its text is still kept. */
  readonly keepsText: boolean
}

/** So many rows go into one statement. */
const SET_MAX = 1_000
const DELIVERED = 200

/** Writes events of the past with their deliveries: none is sent, for they have all come to an end. */
export function tellPast(tx: Tx, past: readonly PastEvent[]): void {
  for (const set of setsOf(past, SET_MAX))
    events.insert(
      tx,
      set.map(({ event, id, at, deliveries, keepsText }) => {
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
    deliveries.map((delivery) => ({ ...delivery, merchantId, eventId, resent: false })),
  )
  for (const set of setsOf(tries, SET_MAX)) attempts.insert(tx, set)
}
