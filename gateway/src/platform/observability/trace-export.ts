import { hostname } from 'node:os'
import process from 'node:process'
import { monotonic, wallClock } from '../../kernel/clock.ts'
import type { Log } from './log.ts'

export interface SpanContext {
  readonly traceId: string
  readonly spanId: string
}

/** A finished span for the collector, with monotonic times. */
export interface EndedSpan extends SpanContext {
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: SpanKind
  readonly beganAt: number
  readonly endedAt: number
  readonly facts: ReadonlyMap<string, string | number>
  readonly links: readonly SpanContext[]
  readonly isFailed: boolean
}

/** OpenTelemetry's numbers of span kinds. */
const KINDS = { internal: 1, server: 2, client: 3 } as const
export type SpanKind = keyof typeof KINDS
const FAILED = 2

/** Exports finished spans to a collector in the background. */
export interface SpanExport {
  readonly add: (span: EndedSpan) => void
  /** Exports the remaining spans until a time limit, and drops the rest. */
  readonly close: () => Promise<void>
}

interface Options {
  /** The collector's base URL. */
  readonly url: string
  readonly log: Log
  readonly count: (outcome: 'exported' | 'dropped', spans: number) => void
}

const QUEUE_MAX = 8_192
const BATCH_MAX = 256
const INTERVAL_MILLISECONDS = 2_000
const RESPONSE_MILLISECONDS_MAX = 3_000
const CLOSE_MILLISECONDS_MAX = 3_000

/**
 * Opens the export. Nothing waits for it: spans that do not fit, or that the collector does not accept, are dropped and
 * counted.
 */
export function openSpanExport({ url, log, count }: Options): SpanExport {
  const address = `${url}/v1/traces`
  let queue: EndedSpan[] = []
  let isUnavailable = false
  let sending: Promise<void> | undefined
  let endsAt = Number.POSITIVE_INFINITY

  async function sendBatch(): Promise<void> {
    const batch = queue.slice(0, BATCH_MAX)
    queue = queue.slice(BATCH_MAX)
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: exportText(batch),
      signal: AbortSignal.timeout(RESPONSE_MILLISECONDS_MAX),
    }).catch((error: Error) => error)
    const isExported = response instanceof Response && response.ok
    if (response instanceof Response) await response.body?.cancel().catch(() => {})
    count(isExported ? 'exported' : 'dropped', batch.length)
    if (!isExported && !isUnavailable)
      log.warn(
        response instanceof Response ? { status: response.status } : { error: response },
        'trace export failed; traces are dropped',
      )
    if (isExported && isUnavailable) log.info('trace export recovered')
    isUnavailable = !isExported
  }

  async function sendAll(): Promise<void> {
    do await sendBatch()
    while (queue.length > 0 && !isUnavailable && monotonic() < endsAt)
  }

  function flush(): void {
    if (sending !== undefined || queue.length === 0) return
    sending = sendAll().finally(() => {
      sending = undefined
    })
  }

  const timer = setInterval(flush, INTERVAL_MILLISECONDS).unref()
  return {
    add: (span) => {
      if (queue.length >= QUEUE_MAX) return count('dropped', 1)
      queue.push(span)
      // An unavailable collector is retried on schedule, not with every span.
      if (queue.length >= BATCH_MAX && !isUnavailable) flush()
    },
    close: async () => {
      clearInterval(timer)
      endsAt = monotonic() + CLOSE_MILLISECONDS_MAX
      await sending
      if (queue.length > 0 && !isUnavailable && monotonic() < endsAt) await sendAll()
      count('dropped', queue.length)
      queue = []
    },
  }
}

/** Spans as OTLP JSON. */
const exportText = (spans: readonly EndedSpan[]): string => {
  const startsAt = clockStart()
  const resource = {
    attributes: attributesOf([
      ['service.name', 'kobo'],
      ['service.instance.id', `${hostname()}/${process.pid}`],
    ]),
  }
  return JSON.stringify({
    resourceSpans: [
      { resource, scopeSpans: [{ scope: { name: 'kobo' }, spans: spans.map((span) => spanRecord(span, startsAt)) }] },
    ],
  })
}

const spanRecord = (span: EndedSpan, startsAt: number): object => ({
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId,
  name: span.name,
  kind: KINDS[span.kind],
  startTimeUnixNano: nanoseconds(startsAt + span.beganAt),
  endTimeUnixNano: nanoseconds(startsAt + span.endedAt),
  attributes: attributesOf(span.facts),
  links: span.links.map(({ traceId, spanId }) => ({ traceId, spanId })),
  status: span.isFailed ? { code: FAILED } : {},
})

const attributesOf = (facts: Iterable<readonly [string, string | number]>): readonly object[] =>
  [...facts].map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(Math.round(value)) } : { stringValue: value },
  }))

const nanoseconds = (milliseconds: number): string => `${Math.round(milliseconds * 1_000)}000`

/** If the start of the monotonic clock moves by more than this, the machine's clock was changed. */
const DRIFT_MILLISECONDS_MAX = 10
let knownStart = 0

/** Returns when the monotonic clock started, in real time. Ignores small changes, so that spans stay in order. */
function clockStart(): number {
  const start = wallClock.now().getTime() - monotonic()
  if (Math.abs(start - knownStart) > DRIFT_MILLISECONDS_MAX) knownStart = start
  return knownStart
}
