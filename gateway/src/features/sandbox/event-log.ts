import type * as contract from '@kobo/contract'
import { type Reply, toPage } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import {
  type AttemptRow,
  countEvents,
  type EventRow,
  requeueEvents,
  selectAttempts,
  selectEvents,
} from '../../core/messages/outbox/index.ts'
import { audit } from '../../core/security/audit.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { zoned } from '../../kernel/dates.ts'
import type { Db } from '../../platform/db.ts'

type EventRecord = Reply<typeof contract.resendEvent>

/** A page of a merchant's events with every attempt, newest first. */
export async function listEvents(
  db: Db,
  merchantId: bigint,
  filter: { eventType?: string | undefined; reference?: string | undefined },
  page: number,
  size: number,
): Promise<Reply<typeof contract.listEvents>> {
  const [rows, total] = await Promise.all([
    selectEvents(db, merchantId, filter, size, page * size),
    countEvents(db, merchantId, filter),
  ])
  return toPage(await withAttempts(db, merchantId, rows), total, page, size)
}

export async function showEvent(db: Db, merchantId: bigint, id: bigint): Promise<EventRecord | undefined> {
  const rows = await selectEvents(db, merchantId, { id }, 1, 0)
  return (await withAttempts(db, merchantId, rows))[0]
}

/** Sends events again, all since a time or one; answers how many. */
export const resendEvents = (
  core: Core,
  merchantId: bigint,
  which: { readonly id: bigint } | { readonly since: Date },
): Promise<number> =>
  unitOfWork(core, async (unit) => {
    const requeued = await requeueEvents(unit, merchantId, which)
    const reference = 'id' in which ? String(which.id) : which.since.toISOString()
    if (requeued > 0) audit(unit, { merchantId, act: 'event.resend', actor: 'api', reference })
    return requeued
  })

async function withAttempts(db: Db, merchantId: bigint, rows: readonly EventRow[]): Promise<EventRecord[]> {
  const attempts = await selectAttempts(
    db,
    merchantId,
    rows.map(({ id }) => id),
  )
  const attemptsOf = Map.groupBy(attempts, ({ eventId }) => eventId)
  return rows.map((row) => show(row, attemptsOf.get(row.id) ?? []))
}

const show = (event: EventRow, attempts: readonly AttemptRow[]): EventRecord => ({
  id: String(event.id),
  eventType: event.eventType,
  reference: event.refs[0] ?? '',
  status: event.status,
  url: event.url ?? attempts.at(-1)?.url ?? null,
  createdOn: zoned(event.createdAt),
  nextAttemptOn: event.status === 'PENDING' && event.nextAttemptAt !== null ? zoned(event.nextAttemptAt) : null,
  body: event.body,
  attempts: attempts.map(({ at, status, bodyExcerpt, milliseconds, error, resent }) => ({
    at: zoned(at),
    status,
    bodyExcerpt,
    milliseconds,
    error,
    resent,
  })),
})
