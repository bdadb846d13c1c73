import type * as contract from '@kobo/contract'
import { type EventStatus, type Reply, toPage } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import {
  countAgain,
  countEvents,
  type EventFilter,
  requeueEvent,
  requeueEvents,
  selectAttempts,
  selectEvents,
  selectEventsBefore,
} from '../../core/messages/outbox/index.ts'
import { type AuditRecord, audit } from '../../core/security/audit.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { fromMoment } from '../../kernel/dates.ts'
import { invariant } from '../../kernel/errors.ts'
import { ID_MAX } from '../../kernel/ids.ts'
import type { Db } from '../../platform/db.ts'
import { eventLogErrors } from './errors.ts'
import { type EventRecord, showEvents } from './show.ts'

/** Who has events sent again, as the audit tells it. */
export type By = Pick<AuditRecord, 'actor' | 'name' | 'address'>

/** A page of a merchant's events with every attempt, newest first, by its number. */
export async function listEventPage(
  db: Db,
  merchantId: bigint,
  filter: EventFilter,
  page: number,
  size: number,
): Promise<Reply<typeof contract.listEvents>> {
  const [rows, total] = await Promise.all([
    selectEvents(db, merchantId, filter, size, page * size),
    countEvents(db, merchantId, filter),
  ])
  return toPage(await withAttempts(db, merchantId, rows), total, page, size)
}

/** The same before an id, which costs no more for old ones than for new ones. */
export async function listEventsBefore(
  db: Db,
  merchantId: bigint,
  filter: EventFilter,
  before: string | undefined,
  size: number,
): Promise<Reply<typeof contract.listMerchantEvents>> {
  const from = before === undefined ? ID_MAX : idOf(before)
  const { rows, lookedTo } = await selectEventsBefore(db, merchantId, from, filter, size)
  return {
    content: await withAttempts(db, merchantId, rows),
    next: lookedTo === undefined ? null : String(lookedTo),
  }
}

export async function showEvent(db: Db, merchantId: bigint, id: string): Promise<EventRecord> {
  const rows = await selectEvents(db, merchantId, { id: idOf(id) }, 1, 0)
  const [event] = await withAttempts(db, merchantId, rows)
  if (event === undefined) throw eventLogErrors.unknownEvent()
  return event
}

/** Has an event sent again; answers it as it is then. */
export async function resendEvent(core: Core, merchantId: bigint, id: string, by: By): Promise<EventRecord> {
  await unitOfWork(core, async (unit) => {
    if (!(await requeueEvent(unit, merchantId, idOf(id)))) throw eventLogErrors.unknownEvent()
    audit(unit, { merchantId, act: 'event.resend', ...by, reference: id })
  })
  return showEvent(core.db, merchantId, id)
}

/** The most events that one wish has sent again, and how many of them by one commit. */
const AGAIN_MAX = 100_000
const SET_MAX = 2_000

/** Has all events since a moment sent again, of one status where it is named; answers how many. */
export async function resendEvents(
  core: Core,
  merchantId: bigint,
  wanted: { readonly since: number | string; readonly status?: EventStatus | null | undefined },
  by: By,
): Promise<number> {
  const since = fromMoment(wanted.since)
  invariant(since !== undefined, 'a moment past the edge is a valid one')
  const which = { since, status: wanted.status ?? undefined }
  const due = await countAgain(core.db, merchantId, which, AGAIN_MAX + 1)
  if (due > AGAIN_MAX) throw eventLogErrors.tooMany(AGAIN_MAX)
  let sent = 0
  for (let after = 0n; sent < due; ) {
    const set = await unitOfWork(core, async (unit) => {
      const done = await requeueEvents(unit, merchantId, which, after, SET_MAX)
      const { status } = which
      const details = { count: done.count, ...(status === undefined ? {} : { status }) }
      const reference = since.toISOString()
      if (done.count > 0) audit(unit, { merchantId, act: 'event.resend', ...by, reference, details })
      return done
    })
    if (set.last === null) break
    sent += set.count
    after = set.last
  }
  return sent
}

async function withAttempts(
  db: Db,
  merchantId: bigint,
  rows: Parameters<typeof showEvents>[0],
): Promise<EventRecord[]> {
  const ids = rows.map(({ id }) => id)
  return showEvents(rows, await selectAttempts(db, merchantId, ids))
}

/** An id of the wire; one that no row can have is that of none. */
function idOf(text: string): bigint {
  const id = BigInt(text)
  return id > ID_MAX ? 0n : id
}
