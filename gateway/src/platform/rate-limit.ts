import type { Clock } from '../kernel/clock.ts'
import { addressSet } from './addresses.ts'

const WINDOW_SECONDS = 60
const CALLERS_MAX = 100_000
const isLoopback = addressSet(['127.0.0.0/8', '::1'])

export interface RateLimit {
  /** Zero for none. */
  readonly perMinute: number
  readonly sparesLoopback: boolean
}

/** Counts requests per address in windows of a minute; answers the seconds to wait once an address has used up its share. */
export function rateLimit(
  wall: Clock,
  { perMinute, sparesLoopback }: RateLimit,
): (address: string) => number | undefined {
  const counts = new Map<string, number>()
  let windowEnds = 0
  return (address) => {
    if (perMinute === 0 || (sparesLoopback && isLoopback(address))) return undefined
    const now = wall.now().getTime()
    if (now >= windowEnds || counts.size >= CALLERS_MAX) {
      counts.clear()
      windowEnds = now + WINDOW_SECONDS * 1_000
    }
    const count = (counts.get(address) ?? 0) + 1
    counts.set(address, count)
    return count > perMinute ? Math.ceil((windowEnds - now) / 1_000) : undefined
  }
}
