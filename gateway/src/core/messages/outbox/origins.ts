import { currentSpan, type Span } from '../../../platform/observability/tracing.ts'

const STORED_MAX = 10_000
/** The spans of events this process wrote recently, oldest first. */
const origins = new Map<bigint, Span>()

/**
 * Remembers an event's span, so that its delivery can link to it. It is kept in memory only, so that payments write
 * nothing more.
 */
export function rememberOrigin(eventId: bigint): void {
  const span = currentSpan()
  if (span === undefined) return
  const [oldest] = origins.keys()
  if (origins.size >= STORED_MAX && oldest !== undefined) origins.delete(oldest)
  origins.set(eventId, span)
}

/** Returns the span in which an event was written; undefined if another process wrote the event, or too long ago. */
export const originOf = (eventId: bigint): Span | undefined => origins.get(eventId)
