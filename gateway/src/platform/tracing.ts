import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { monotonic } from '../kernel/clock.ts'
import { Refusal } from '../kernel/errors.ts'
import type { Log } from './log.ts'
import { type EndedSpan, openSpanExport, type SpanContext, type SpanKind } from './trace-export.ts'

/** All that a span may say beside its name and times. What is not on this list does not compile, so that nothing secret can be said. */
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

/** Some work of which it is told when it began and ended, and within which other work it stood. */
export interface Span extends SpanContext {
  readonly beganAt: number
  readonly note: (fact: Fact, value: string | number | undefined) => void
  /** Says that it has to do with another, of whatever trace. */
  readonly link: (other: SpanContext) => void
  /** Begins one below it; none once it is over: what goes on then is not its work. */
  readonly begin: (name: string, kind?: SpanKind) => Span | undefined
  readonly end: (isFailed?: boolean) => void
}

/** Makes the first span of a trace, or of our part of a caller's; none where the trace is not among those that are told. */
export interface Tracing {
  readonly root: (name: string, kind: SpanKind, caller?: SpanContext) => Span | undefined
  readonly close: () => Promise<void>
}

/** The span within which the present work is done. Undefined while nobody traces, which is all that hot paths look at. */
let carried: AsyncLocalStorage<Span | undefined> | undefined

/** Whether anything is traced in this process. */
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
      return isAmong(traceId, traceShare)
        ? newSpan(add, { name, kind, traceId, parentSpanId: caller?.spanId })
        : undefined
    },
    close,
  }
}

/** By the trace's own id, so that whoever has a part of a trace decides alike. */
const isAmong = (traceId: string, share: number): boolean => Number.parseInt(traceId.slice(-8), 16) < share * 2 ** 32

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

/** The span within which the present work is done. */
export const currentSpan = (): Span | undefined => carried?.getStore()

/** Does work within a span, or within none whatever was current. */
export const within = <T>(span: Span | undefined, work: () => T): T =>
  carried === undefined ? work() : carried.run(span, work)

/** Ends a span when an answer arrives. Of a failure no more is told than its code: a message may hold anything. */
export function endWith(span: Span, answer: Promise<unknown>): void {
  answer.then(
    () => span.end(),
    (error: unknown) => {
      if (error instanceof Refusal) span.note('kobo.refusal', error.code)
      else span.note('error.type', codeOf(error))
      span.end(!(error instanceof Refusal))
    },
  )
}

/** Does work within a span that lasts as long as it. */
export function spanning<T>(span: Span, work: () => Promise<T>): Promise<T> {
  const answer = within(span, work)
  endWith(span, answer)
  return answer
}

const CODE = /^[A-Z0-9_]{1,40}$/

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && CODE.test(code) ? code : 'failed'
}
