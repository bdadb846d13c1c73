import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { monotonic } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/errors.ts'
import type { Log } from './log.ts'
import { type EndedSpan, openSpanExport, type SpanContext, type SpanKind } from './trace-export.ts'

/** All attributes that a span may have. Others do not compile, so nothing secret can be traced. */
export type Fact =
  | 'http.request.method'
  | 'http.route'
  | 'http.response.status_code'
  | 'server.address'
  | 'db.system.name'
  | 'db.operation.name'
  | 'db.collection.name'
  | 'error.type'
  | 'kobo.refusal'
  | 'kobo.merchant_id'
  | 'kobo.lane.waited_ms'
  | 'kobo.set_size'
  | 'kobo.partner'
  | 'kobo.operation'
  | 'kobo.outcome'
  | 'kobo.attempt'
  | 'kobo.event_kind'

/** A unit of work with a start, an end and a parent. */
export interface Span extends SpanContext {
  readonly beganAt: number
  readonly note: (fact: Fact, value: string | number | undefined) => void
  /** Links this span to another one, which may be of another trace. */
  readonly link: (other: SpanContext) => void
  /** Starts a child span; undefined once this span has ended. */
  readonly begin: (name: string, kind?: SpanKind) => Span | undefined
  readonly end: (isFailed?: boolean) => void
}

/** Starts a trace, or continues a caller's trace; undefined if it is not sampled. */
export interface Tracing {
  readonly root: (name: string, kind: SpanKind, caller?: SpanContext) => Span | undefined
  readonly close: () => Promise<void>
}

/** Carries the current span. Undefined while tracing is off, so that checking for a span costs nothing then. */
let carried: AsyncLocalStorage<Span | undefined> | undefined

export const isTracing = (): boolean => carried !== undefined

export function openTracing({
  otlpUrl,
  traceShare,
  log,
  count,
}: {
  readonly otlpUrl: string | undefined
  readonly traceShare: number
  readonly log: Log
  readonly count: (outcome: 'exported' | 'dropped', spans: number) => void
}): Tracing | undefined {
  if (otlpUrl === undefined || traceShare === 0) return undefined
  carried ??= new AsyncLocalStorage()
  const { add, close } = openSpanExport({ url: otlpUrl, log, count })
  return {
    root: (name, kind, caller) => {
      const traceId = caller?.traceId ?? randomBytes(16).toString('hex')
      return isSampled(traceId, traceShare)
        ? newSpan(add, { name, kind, traceId, parentSpanId: caller?.spanId })
        : undefined
    },
    close,
  }
}

/** Decides by the trace id whether a trace is sampled, so that all parts of a trace decide alike. */
const isSampled = (traceId: string, share: number): boolean => Number.parseInt(traceId.slice(-8), 16) < share * 2 ** 32

function newSpan(
  add: (span: EndedSpan) => void,
  named: Pick<EndedSpan, 'name' | 'kind' | 'traceId' | 'parentSpanId'>,
): Span {
  const { traceId } = named
  const spanId = randomBytes(8).toString('hex')
  const beganAt = monotonic()
  const facts = new Map<Fact, string | number>()
  const links: SpanContext[] = []
  let isOver = false
  return {
    traceId,
    spanId,
    beganAt,
    note: (fact, value) => {
      if (value !== undefined) facts.set(fact, value)
    },
    link: (other) => links.push({ traceId: other.traceId, spanId: other.spanId }),
    begin: (name, kind = 'internal') =>
      isOver ? undefined : newSpan(add, { name, kind, traceId, parentSpanId: spanId }),
    end: (isFailed = false) => {
      if (isOver) return
      isOver = true
      add({ ...named, spanId, beganAt, endedAt: monotonic(), facts, links, isFailed })
    },
  }
}

export const currentSpan = (): Span | undefined => carried?.getStore()

/** Runs work within a span, or without any. */
export const within = <T>(span: Span | undefined, work: () => T): T =>
  carried === undefined ? work() : carried.run(span, work)

/**
 * Ends a span when a promise settles. Records only the code of an error, because its message may contain secrets.
 */
export function endWith(span: Span, result: Promise<unknown>): void {
  result.then(
    () => span.end(),
    (error: unknown) => {
      if (error instanceof Refusal) span.note('kobo.refusal', error.code)
      else span.note('error.type', codeOf(error))
      span.end(!(error instanceof Refusal))
    },
  )
}

/** Runs work within a span that ends with the work. */
export function spanning<T>(span: Span, work: () => Promise<T>): Promise<T> {
  const result = within(span, work)
  endWith(span, result)
  return result
}

const CODE = /^[A-Z0-9_]{1,40}$/

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && CODE.test(code) ? code : 'failed'
}
