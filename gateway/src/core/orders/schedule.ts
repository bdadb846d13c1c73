import { secondsAfter } from '../../kernel/clock.ts'

/**
 * Seconds between queries of an order with an unknown outcome. The last value repeats until the order is unresolved.
 */
export const QUERY_AFTER_SECONDS = [30, 30, 60, 120, 300, 900, 3_600] as const
/**
 * After this many queries, about three days, the order is unresolved. Queries that were missed while Kobo was down
 * count too.
 */
export const QUERIES_MAX = 75
/** The most attempts to send an order; then it is unresolved. */
export const ATTEMPTS_MAX = 20

/** From this age an order with an unknown outcome can be decided, while Kobo still queries it. */
export const DECIDABLE_AFTER_SECONDS = 86_400

/** Returns when to query an order that was sent now. */
export const firstQueryAt = (at: Date): Date => secondsAfter(at, QUERY_AFTER_SECONDS[0])

/** Returns the seconds between a query and the next one. */
const secondsAfterQuery = (unknownAnswers: number): number =>
  QUERY_AFTER_SECONDS[unknownAnswers - 1] ?? (QUERY_AFTER_SECONDS.at(-1) as number)

/** Counts the queries that were due up to now, at least one, including those missed while Kobo was down. */
export function queriesUpTo(unknownAnswers: number, dueAt: Date | null, at: Date): number {
  let count = 1
  for (let due = dueAt; due !== null && unknownAnswers + count < QUERIES_MAX; count++) {
    due = secondsAfter(due, secondsAfterQuery(unknownAnswers + count))
    if (due > at) break
  }
  return count
}

/**
 * Returns when to query an order next. It is counted from the due time, so a late query does not delay later ones.
 * Undefined if the order becomes unresolved.
 */
export function nextQueryAt(unknownAnswers: number, dueAt: Date | null, at: Date): Date | undefined {
  if (unknownAnswers >= QUERIES_MAX) return undefined
  if (dueAt !== null && dueAt > at) return dueAt
  const seconds = secondsAfterQuery(unknownAnswers)
  const onTime = secondsAfter(dueAt ?? at, seconds)
  return onTime > at ? onTime : secondsAfter(at, seconds)
}
