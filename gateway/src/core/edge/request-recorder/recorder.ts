import { monotonic } from '../../../kernel/clock.ts'
import { startOf } from '../../../kernel/texts.ts'
import type { Environment } from '../../../platform/config/config.ts'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import type { Log } from '../../../platform/observability/log.ts'
import type { Core } from '../../core.ts'
import { masked, maskedText, maskedUrl } from './masking.ts'
import { dropExcess, insertRequests, type RequestRow, STORED_MAX } from './repository.ts'
import { openShares } from './shares.ts'

export interface ServedRequest {
  readonly merchantId: bigint
  readonly method: string
  readonly route: string
  readonly status: number
  readonly refusal: string | undefined
  readonly reference: string | undefined
  readonly milliseconds: number
  readonly requestId: string
  readonly address: string
  readonly url: string
  readonly requestBody: unknown
  /** The response body, if it was text. */
  readonly response: string | undefined
}

/**
 * Writes the request log without delaying requests. Requests that exceed the quota or the queue are skipped and
 * counted.
 */
export interface RequestLog {
  readonly storesBodies: boolean
  /**
   * Decides whether to record a request. Returns undefined to skip it, otherwise how many requests were skipped since
   * the last recorded one.
   */
  readonly admit: (merchantId: bigint, status: number) => number | undefined
  readonly note: (served: ServedRequest, leftOut: number) => void
  /** Writes the queued requests and stops. */
  readonly close: () => Promise<void>
}

/** How many requests are recorded per merchant: a burst, then a rate per second. Failed ones have a separate quota. */
const QUOTA = { burst: 300, perSecond: 10, ownersMax: 10_000 }
/** The maximum number of requests waiting to be written. */
const WAITING_MAX = 2_000
const BATCH_MAX = 500
const WRITE_EVERY_MILLISECONDS = 500
/** A merchant's excess rows are deleted after this many new ones. */
const CLEANED_UP_EVERY = STORED_MAX / 10

interface Deps {
  readonly core: Core
  readonly environment: Environment
  readonly log: Log
  readonly metrics: Metrics
}

export function openRequestLog({ core, environment, log, metrics }: Deps): RequestLog {
  const { db, ids, clock, nodeLease } = core
  const storesBodies = environment === 'sandbox'
  const succeeded = openShares(QUOTA, monotonic)
  const failed = openShares(QUOTA, monotonic)
  const missing = { held: 0, unwritten: 0 }
  metrics.gauge('kobo_requests_not_logged', 'Requests missing from the request log, by reason', 'reason', () =>
    Promise.resolve(Object.entries(missing)),
  )
  const newRows = new Map<bigint, number>()
  let waiting: RequestRow[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  const hasRoom = (): boolean => waiting.length < WAITING_MAX && nodeLease.whyUnhealthy() === undefined

  function writeSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      writing = writing.then(write)
    }, WRITE_EVERY_MILLISECONDS)
  }

  async function write(): Promise<void> {
    const rows = waiting.slice(0, BATCH_MAX)
    waiting = waiting.slice(BATCH_MAX)
    if (waiting.length > 0) writeSoon()
    try {
      if (rows.length > 0) await insertRequests(db, rows)
      for (const merchantId of dueForCleanUp(newRows, rows)) await dropExcess(db, merchantId)
    } catch (error) {
      missing.unwritten += rows.length
      log.warn({ error, requests: rows.length }, 'request log entries missing')
    }
  }

  return {
    storesBodies,
    admit: (merchantId, status) => {
      const leftOut = (status < 400 ? succeeded : failed).take(merchantId, hasRoom)
      if (leftOut === undefined) missing.held++
      return leftOut
    },
    note: (served, leftOut) => {
      waiting.push({ id: ids.id(), at: clock.now(), leftOut, ...rowOf(served, storesBodies) })
      writeSoon()
    },
    close: async () => {
      clearTimeout(timer)
      await writing
      while (waiting.length > 0) await write()
      clearTimeout(timer)
    },
  }
}

/** Returns the merchants to clean up: those not cleaned up since the start, or with CLEANED_UP_EVERY new rows. */
function dueForCleanUp(newRows: Map<bigint, number>, rows: readonly RequestRow[]): readonly bigint[] {
  const due: bigint[] = []
  for (const [merchantId, { length }] of Map.groupBy(rows, (row) => row.merchantId)) {
    const count = (newRows.get(merchantId) ?? CLEANED_UP_EVERY) + length
    if (count > CLEANED_UP_EVERY) due.push(merchantId)
    newRows.set(merchantId, count > CLEANED_UP_EVERY ? 0 : count)
  }
  const [oldest] = newRows.keys()
  if (newRows.size > QUOTA.ownersMax && oldest !== undefined) newRows.delete(oldest)
  return due
}

const REFERENCE_LENGTH_MAX = 128
const URL_LENGTH_MAX = 500
/** Longer responses are not parsed and not stored. */
const RESPONSE_READ_MAX = 64 * 1024
const BODY_STORED_MAX = 8 * 1024

function rowOf(
  { requestBody, response, url, reference, milliseconds, refusal, ...rest }: ServedRequest,
  storesBodies: boolean,
): Omit<RequestRow, 'id' | 'at' | 'leftOut'> {
  return {
    ...rest,
    outcome: rest.status < 400 ? 'SUCCEEDED' : rest.status < 500 ? 'REFUSED' : 'FAILED',
    refusal: refusal ?? null,
    reference: reference === undefined ? null : maskedText(startOf(reference, REFERENCE_LENGTH_MAX)),
    microseconds: Math.round(milliseconds * 1_000),
    url: storesBodies ? cut(maskedUrl(url), URL_LENGTH_MAX) : null,
    requestBody: storesBodies && isBody(requestBody) ? cut(JSON.stringify(masked(requestBody)), BODY_STORED_MAX) : null,
    answerBody: storesBodies && response !== undefined ? readResponse(response) : null,
  }
}

const isBody = (body: unknown): boolean => typeof body === 'object' && body !== null && Object.keys(body).length > 0

const cut = (text: string, max: number): string => (text.length <= max ? text : `${startOf(text, max)}…`)

function readResponse(response: string): string {
  if (response.length > RESPONSE_READ_MAX) return `… ${response.length} characters, too many to store`
  try {
    return cut(JSON.stringify(masked(JSON.parse(response))), BODY_STORED_MAX)
  } catch {
    return '… not JSON, so not stored'
  }
}
