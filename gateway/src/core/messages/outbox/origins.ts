import { currentSpan, type Span } from '../../../platform/tracing.ts'

const KEPT_MAX = 10_000
/** The span in which an event was written, of those that this process wrote lately; the oldest is first. */
const origins = new Map<bigint, Span>()

/** Keeps where an event came from, so that its delivery can name it. In memory alone: no payment writes a byte more for it. */
export function keepOrigin(eventId: bigint): void {
  const span = currentSpan()
  if (span === undefined) return
  const [oldest] = origins.keys()
  if (origins.size >= KEPT_MAX && oldest !== undefined) origins.delete(oldest)
  origins.set(eventId, span)
}

/** Undefined where another process wrote it, or too long ago. */
export const originOf = (eventId: bigint): Span | undefined => origins.get(eventId)
