import { secondsAfter } from '../../kernel/clock.ts'

/**
 * Seconds between queries of an order with an unknown outcome. The last value repeats until the order is unresolved.
 */
export const QUERY_AFTER_SECONDS = [30, 30, 60, 120, 300, 900, 3_600] as const
/** After this many queries, about three days, the order is unresolved. */
export const QUERIES_MAX = 75
/** The most attempts to send an order; then it is unresolved. */
export const ATTEMPTS_MAX = 20

/** When to query an order that was sent now. */
export const firstQueryAt = (at: Date): Date => secondsAfter(at, QUERY_AFTER_SECONDS[0])

/**
 * When to query an order next. Counted from when it was due, so a late query does not delay later ones. Undefined if it
 * becomes unresolved.
 */
export function nextQueryAt(unknownAnswers: number, dueAt: Date | null, at: Date): Date | undefined {
  if (unknownAnswers >= QUERIES_MAX) return undefined
  if (dueAt !== null && dueAt > at) return dueAt
  const seconds = QUERY_AFTER_SECONDS[unknownAnswers - 1] ?? (QUERY_AFTER_SECONDS.at(-1) as number)
  const onTime = secondsAfter(dueAt ?? at, seconds)
  return onTime > at ? onTime : secondsAfter(at, seconds)
}
