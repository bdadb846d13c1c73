import type * as contract from '@kobo/contract'
import type { Reply } from '@kobo/contract'
import type { AttemptRow, EventRow } from '../../core/messages/outbox/index.ts'
import { zoned } from '../../kernel/dates.ts'

export type EventRecord = Reply<typeof contract.getMerchantEvent>

/** Events with their attempts, oldest attempt first. */
export function showEvents(rows: readonly EventRow[], attempts: readonly AttemptRow[]): EventRecord[] {
  const attemptsOf = Map.groupBy(attempts, ({ eventId }) => eventId)
  return rows.map((row) => show(row, attemptsOf.get(row.id) ?? []))
}

const show = (event: EventRow, attempts: readonly AttemptRow[]): EventRecord => ({
  id: String(event.id),
  eventType: event.eventType,
  reference: event.refs[0] ?? '',
  status: event.status,
  // The URL of the last attempt, even if the setting has changed since.
  url: attempts.at(-1)?.url ?? event.url,
  createdOn: zoned(event.createdAt),
  nextAttemptOn: event.status === 'PENDING' && event.nextAttemptAt !== null ? zoned(event.nextAttemptAt) : null,
  body: event.body,
  attempts: attempts.map(({ at, url, status, bodyExcerpt, milliseconds, error, resent }) => ({
    at: zoned(at),
    url,
    status,
    bodyExcerpt,
    milliseconds,
    error,
    resent,
  })),
})
