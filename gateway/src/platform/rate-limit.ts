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

/** Counts something per address in windows of a minute. */
export interface Counter {
  readonly count: (address: string) => void
  /** The seconds to wait where an address has used up its share. */
  readonly usedUp: (address: string) => number | undefined
}

export function counter(wall: Clock, { perMinute, sparesLoopback }: RateLimit): Counter {
  const counts = new Map<string, number>()
  let windowEnds = 0
  const isSpared = (address: string): boolean => perMinute === 0 || (sparesLoopback && isLoopback(address))
  const startWindow = (now: number): void => {
    if (now < windowEnds && counts.size < CALLERS_MAX) return
    counts.clear()
    windowEnds = now + WINDOW_SECONDS * 1_000
  }
  return {
    count: (address) => {
      if (isSpared(address)) return
      startWindow(wall.now().getTime())
      counts.set(address, (counts.get(address) ?? 0) + 1)
    },
    usedUp: (address) => {
      if (isSpared(address)) return undefined
      const now = wall.now().getTime()
      startWindow(now)
      return (counts.get(address) ?? 0) >= perMinute ? Math.ceil((windowEnds - now) / 1_000) : undefined
    },
  }
}

/** Counts requests per address; answers the seconds to wait once an address has used up its share. */
export function rateLimit(wall: Clock, limit: RateLimit): (address: string) => number | undefined {
  const requests = counter(wall, limit)
  return (address) => {
    const waitSeconds = requests.usedUp(address)
    if (waitSeconds === undefined) requests.count(address)
    return waitSeconds
  }
}
