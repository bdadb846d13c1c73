import type { Clock } from '../kernel/clock.ts'

const WINDOW_SECONDS = 60
const CALLERS_MAX = 100_000

/** Counts requests per caller in windows of a minute; answers the seconds to wait once a caller has used up its share. */
export function rateLimit(wall: Clock, perMinute: number | undefined): (caller: string) => number | undefined {
  if (perMinute === undefined) return () => undefined
  const counts = new Map<string, number>()
  let windowEnds = 0
  return (caller) => {
    const now = wall.now().getTime()
    if (now >= windowEnds || counts.size >= CALLERS_MAX) {
      counts.clear()
      windowEnds = now + WINDOW_SECONDS * 1_000
    }
    const count = (counts.get(caller) ?? 0) + 1
    counts.set(caller, count)
    return count > perMinute ? Math.ceil((windowEnds - now) / 1_000) : undefined
  }
}
