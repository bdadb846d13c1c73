import type * as contract from '@kobo/contract'
import type { Reply } from '@kobo/contract'
import type { AttemptRow, EventRow, ShownDelivery } from '../../core/messages/outbox/index.ts'
import { zoned } from '../../kernel/dates.ts'

export type EventRecord = Reply<typeof contract.getMerchantEvent>

/** Shows events with their attempts, oldest attempt first. If an endpoint is given, the fields are about it. */
export function showEvents(
  rows: readonly EventRow[],
  attempts: readonly AttemptRow[],
  deliveries: readonly ShownDelivery[],
  endpointId: bigint | null = null,
): EventRecord[] {
  const attemptsOf = Map.groupBy(attempts, ({ eventId }) => eventId)
  const deliveriesOf = Map.groupBy(deliveries, ({ eventId }) => eventId)
  return rows.map((row) => show(row, attemptsOf.get(row.id) ?? [], deliveriesOf.get(row.id) ?? [], endpointId))
}

const show = (
  event: EventRow,
  attempts: readonly AttemptRow[],
  deliveries: readonly ShownDelivery[],
  endpointId: bigint | null,
): EventRecord => ({
  id: String(event.id),
  eventType: event.eventType,
  reference: event.refs[0] ?? '',
  status: event.status,
  // The URL of the last attempt, even if the setting has changed since.
  url: attempts.findLast((attempt) => attempt.endpointId === endpointId)?.url ?? event.url,
  createdOn: zoned(event.createdAt),
  nextAttemptOn: nextOf(event),
  endpoints: deliveries.map((delivery) => ({
    endpointId: String(delivery.endpointId),
    url: delivery.url,
    status: delivery.status,
    nextAttemptOn: nextOf(delivery),
  })),
  body: event.body,
  attempts: attempts.map(({ at, url, status, bodyExcerpt, milliseconds, error, resent, endpointId }) => ({
    at: zoned(at),
    url,
    status,
    bodyExcerpt,
    milliseconds,
    error,
    resent,
    endpointId: endpointId === null ? null : String(endpointId),
  })),
})

const nextOf = ({ status, nextAttemptAt }: Pick<EventRow, 'status' | 'nextAttemptAt'>): string | null =>
  status === 'PENDING' && nextAttemptAt !== null ? zoned(nextAttemptAt) : null
