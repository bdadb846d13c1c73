import type * as contract from '@kobo/contract'
import { type EventKind, type EventStatus, type Reply, toPage } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import { selectAdditionalEndpoints } from '../../core/merchants/index.ts'
import {
  countEvents,
  countRequeueable,
  countRequeueableDeliveries,
  type EventFilter,
  emitTest,
  emitTestTo,
  requeueDeliveries,
  requeueDelivery,
  requeueEvent,
  requeueEvents,
  selectAttempts,
  selectDeliveries,
  selectDeliveriesBefore,
  selectEndpoints,
  selectEvents,
  selectEventsBefore,
} from '../../core/messages/outbox/index.ts'
import { type AuditRecord, audit } from '../../core/security/audit.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { fromMoment } from '../../kernel/dates.ts'
import { invariant } from '../../kernel/errors.ts'
import { ID_MAX } from '../../kernel/ids.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { eventLogErrors } from './errors.ts'
import { type EventRecord, showEvents } from './show.ts'

/** The actor of a resend, for the audit. */
export type By = Pick<AuditRecord, 'actor' | 'name' | 'address'>

/** Reads a page of a merchant's events with every attempt, newest first, by page number. */
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

/** Reads a page of a merchant's events before an id. Old events cost no more to read than new ones. */
export async function listEventsBefore(
  db: Db,
  merchantId: bigint,
  filter: EventFilter,
  before: string | undefined,
  size: number,
  endpoint?: string | undefined,
): Promise<Reply<typeof contract.listMerchantEvents>> {
  const from = before === undefined ? ID_MAX : idOf(before)
  const endpointId = endpoint === undefined ? undefined : await findEndpoint(db, merchantId, endpoint)
  const { rows, lookedTo } =
    endpointId === undefined
      ? await selectEventsBefore(db, merchantId, from, filter, size)
      : await selectDeliveriesBefore(db, merchantId, endpointId, from, filter, size)
  return {
    content: await withAttempts(db, merchantId, rows, endpointId),
    next: lookedTo === undefined ? null : String(lookedTo),
  }
}

export async function showEvent(db: Db, merchantId: bigint, id: string): Promise<EventRecord> {
  const rows = await selectEvents(db, merchantId, { id: idOf(id) }, 1, 0)
  const [event] = await withAttempts(db, merchantId, rows)
  if (event === undefined) throw eventLogErrors.unknownEvent()
  return event
}

/** Resends an event; returns its new state. */
export async function resendEvent(core: Core, merchantId: bigint, id: string, by: By): Promise<EventRecord> {
  await unitOfWork(core, async (unit) => {
    if (!(await requeueEvent(unit, merchantId, idOf(id)))) throw eventLogErrors.unknownEvent()
    audit(unit, { merchantId, act: 'event.resend', ...by, reference: id })
  })
  return showEvent(core.db, merchantId, id)
}

/** Resends an event to an additional endpoint; returns its new state. */
export async function resendEventTo(
  core: Core,
  merchantId: bigint,
  id: string,
  endpoint: string,
  by: By,
): Promise<EventRecord> {
  await unitOfWork(core, async (unit) => {
    const endpointId = await findEndpoint(unit.tx, merchantId, endpoint)
    if (!(await requeueDelivery(unit, merchantId, endpointId, idOf(id)))) throw eventLogErrors.unknownEvent()
    audit(unit, { merchantId, act: 'event.resend', ...by, reference: id, details: { endpointId: endpoint } })
  })
  return showEvent(core.db, merchantId, id)
}

export async function sendTestTo(core: Core, merchantId: bigint, endpoint: string, by: By): Promise<EventRecord> {
  const id = await unitOfWork(core, async (unit) => {
    const sent = emitTestTo(unit, merchantId, await findEndpoint(unit.tx, merchantId, endpoint))
    audit(unit, { merchantId, act: 'event.test', ...by, reference: String(sent), details: { endpointId: endpoint } })
    return sent
  })
  return showEvent(core.db, merchantId, String(id))
}

async function findEndpoint(db: Db | Tx, merchantId: bigint, text: string): Promise<bigint> {
  const found = (await selectAdditionalEndpoints(db, merchantId)).find(({ id }) => id === idOf(text))
  if (found === undefined) throw eventLogErrors.unknownEndpoint()
  return found.id
}

/** Sends a test event to the URL that receives a kind of events. */
export async function sendTest(core: Core, merchantId: bigint, kind: EventKind, by: By): Promise<EventRecord> {
  const id = await unitOfWork(core, async (unit) => {
    const endpoints = await selectEndpoints(unit.tx, merchantId)
    if (!endpoints.some((endpoint) => endpoint.kind === kind || endpoint.kind === 'default'))
      throw eventLogErrors.noWebhookUrl(kind)
    const sent = emitTest(unit, merchantId, kind)
    audit(unit, { merchantId, act: 'event.test', ...by, reference: String(sent) })
    return sent
  })
  return showEvent(core.db, merchantId, String(id))
}

/** The most events in one resend, and how many per commit. */
const RESEND_MAX = 100_000
const BATCH_MAX = 2_000

/**
 * Resends all events since a moment, or only those with the given status; returns how many. If an endpoint is given,
 * resends only the deliveries to it.
 */
export async function resendEvents(
  core: Core,
  merchantId: bigint,
  requested: {
    readonly since: number | string
    readonly status?: EventStatus | null | undefined
    readonly endpointId?: string | null | undefined
  },
  by: By,
): Promise<number> {
  const since = fromMoment(requested.since)
  invariant(since !== undefined, 'the time is valid')
  const which = { since, status: requested.status ?? undefined }
  const endpointId =
    requested.endpointId == null ? undefined : await findEndpoint(core.db, merchantId, requested.endpointId)
  const due =
    endpointId === undefined
      ? await countRequeueable(core.db, merchantId, which, RESEND_MAX + 1)
      : await countRequeueableDeliveries(core.db, merchantId, endpointId, which, RESEND_MAX + 1)
  if (due > RESEND_MAX) throw eventLogErrors.tooMany(RESEND_MAX)
  let sent = 0
  for (let after = 0n; sent < due; ) {
    const batch = await unitOfWork(core, async (unit) => {
      const done =
        endpointId === undefined
          ? await requeueEvents(unit, merchantId, which, after, BATCH_MAX)
          : await requeueDeliveries(unit, merchantId, endpointId, which, after, BATCH_MAX)
      const { status } = which
      const details = {
        count: done.count,
        ...(status === undefined ? {} : { status }),
        ...(endpointId === undefined ? {} : { endpointId: String(endpointId) }),
      }
      const reference = since.toISOString()
      if (done.count > 0) audit(unit, { merchantId, act: 'event.resend', ...by, reference, details })
      return done
    })
    if (batch.last === null) break
    sent += batch.count
    after = batch.last
  }
  return sent
}

async function withAttempts(
  db: Db,
  merchantId: bigint,
  rows: Parameters<typeof showEvents>[0],
  endpointId?: bigint,
): Promise<EventRecord[]> {
  const ids = rows.map(({ id }) => id)
  const [attempts, deliveries] = await Promise.all([
    selectAttempts(db, merchantId, ids, endpointId),
    selectDeliveries(db, merchantId, ids),
  ])
  return showEvents(rows, attempts, deliveries, endpointId)
}

/** Reads the id in a request. An impossible id becomes 0, which matches no row. */
function idOf(text: string): bigint {
  const id = BigInt(text)
  return id > ID_MAX ? 0n : id
}
