import { hostname } from 'node:os'
import process from 'node:process'
import { monotonic, wallClock } from '../kernel/clock.ts'
import type { Log } from './log.ts'
import { openPost } from './post.ts'

/** What names a span: its trace, and itself in it. */
export interface SpanContext {
  readonly traceId: string
  readonly spanId: string
}

/** A span that is over, as it is told to the collector. Its times are those of the clock that only runs forward. */
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

/** By OpenTelemetry's numbers. */
const KINDS = { internal: 1, server: 2, client: 3 } as const
export type SpanKind = keyof typeof KINDS
const FAILED = 2

/** Takes spans that are over, and tells them to a collector in the background. */
export interface SpanExport {
  readonly add: (span: EndedSpan) => void
  /** Tells what is left, as far as that goes quickly, and drops the rest. */
  readonly close: () => Promise<void>
}

interface Options {
  /** The collector's address, to which OpenTelemetry's own path is added. */
  readonly url: string
  readonly log: Log
  readonly count: (outcome: 'exported' | 'dropped', spans: number) => void
}

const QUEUE_MAX = 8_192
const BATCH_MAX = 256
const INTERVAL_MILLISECONDS = 2_000
const ANSWER_MILLISECONDS_MAX = 3_000
const CLOSE_MILLISECONDS_MAX = 3_000

/** Nothing waits for it. What finds no place, or a collector that is away, is dropped and counted. */
export function openSpanExport({ url, log, count }: Options): SpanExport {
  // The operator names the address, so it may be a private one.
  const { post, close: closePost } = openPost({ allowPrivate: true, timeoutMilliseconds: ANSWER_MILLISECONDS_MAX })
  const address = `${url}/v1/traces`
  let queue: EndedSpan[] = []
  let isAway = false
  let sending: Promise<void> | undefined

  async function sendBatch(): Promise<void> {
    const batch = queue.slice(0, BATCH_MAX)
    queue = queue.slice(BATCH_MAX)
    const { status, error } = await post(address, exportText(batch), {})
    const isTaken = status !== null && status >= 200 && status < 300
    count(isTaken ? 'exported' : 'dropped', batch.length)
    if (!isTaken && !isAway) log.warn({ status, error }, 'the collector does not take traces; they are dropped')
    if (isTaken && isAway) log.info('the collector takes traces again')
    isAway = !isTaken
  }

  async function sendAll(until: number): Promise<void> {
    do await sendBatch()
    while (queue.length > 0 && !isAway && monotonic() < until)
  }

  function flush(): void {
    if (sending !== undefined || queue.length === 0) return
    sending = sendAll(Number.POSITIVE_INFINITY).finally(() => {
      sending = undefined
    })
  }

  const timer = setInterval(flush, INTERVAL_MILLISECONDS).unref()
  return {
    add: (span) => {
      if (queue.length >= QUEUE_MAX) return count('dropped', 1)
      queue.push(span)
      // One that is away is tried again in its time, not with every span.
      if (queue.length >= BATCH_MAX && !isAway) flush()
    },
    close: async () => {
      clearInterval(timer)
      const until = monotonic() + CLOSE_MILLISECONDS_MAX
      await sending
      if (queue.length > 0 && !isAway) await sendAll(until)
      count('dropped', queue.length)
      queue = []
      closePost()
    },
  }
}

/** Spans as OTLP has them in JSON. */
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

/** Beyond so much the machine's clock was set, or has drifted. */
const DRIFT_MILLISECONDS_MAX = 10
let knownStart = 0

/** When the clock that only runs forward began, by the wall: the same for all spans as long as that holds, so that they stand in order. */
function clockStart(): number {
  const start = wallClock.now().getTime() - monotonic()
  if (Math.abs(start - knownStart) > DRIFT_MILLISECONDS_MAX) knownStart = start
  return knownStart
}
