import type { changeWebhookEndpoint, Reply } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { AdditionalEndpointRow } from '../../core/merchants/index.ts'
import { healthOf, selectBacklog, selectEndpointAttempts } from '../../core/messages/outbox/index.ts'

/** The number of an endpoint's newest events from which its health is calculated. */
const EVENTS_MAX = 100
/** Waiting events are counted up to this number. */
const WAITING_MAX = 10_000

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

export async function readEndpoint(
  { db, clock }: Core,
  row: AdditionalEndpointRow,
): Promise<Reply<typeof changeWebhookEndpoint>> {
  const { merchantId, id, previousSecretUntil } = row
  const [newest, backlog] = await Promise.all([
    selectEndpointAttempts(db, merchantId, id, EVENTS_MAX),
    selectBacklog(db, merchantId, id, WAITING_MAX),
  ])
  const { attempts, delivered, medianMilliseconds, failures } = healthOf(newest)
  return {
    id: String(id),
    url: row.url,
    description: row.description,
    eventTypes: row.eventTypes === null ? null : [...row.eventTypes],
    isPaused: row.pausedAt !== null,
    pausedOn: iso(row.pausedAt),
    createdOn: row.createdAt.toISOString(),
    oldSecretValidUntil:
      previousSecretUntil !== null && previousSecretUntil > clock.now() ? previousSecretUntil.toISOString() : null,
    lastDeliveredOn: iso(row.lastDeliveredAt),
    waiting: backlog.waiting,
    oldestWaitingOn: iso(backlog.oldest),
    attemptCount: attempts,
    deliveredCount: delivered,
    medianMilliseconds,
    failures,
  }
}
