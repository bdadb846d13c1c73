import type { Clock } from '../../kernel/clock.ts'
import { isLoopback, networkOf } from './ip-addresses.ts'

const WINDOW_SECONDS = 60
const CALLERS_MAX = 100_000

export interface RateLimit {
  /** The allowed requests per minute; zero for no limit. */
  readonly perMinute: number
  readonly sparesLoopback: boolean
}

/** Whether an address is exempt from the limit. */
export const isSpared = ({ perMinute, sparesLoopback }: RateLimit, address: string): boolean =>
  perMinute === 0 || (sparesLoopback && isLoopback(address))

/** Counts calls per network, in windows of a minute and in this process only. */
export interface Counter {
  readonly count: (address: string) => void
  /** Returns the seconds to wait if a caller has used up its quota. */
  readonly usedUp: (address: string) => number | undefined
}

export function counter(wall: Clock, limit: RateLimit, callersMax = CALLERS_MAX): Counter {
  const counts = new Map<string, number>()
  let windowEnds = 0
  const startWindow = (now: number): void => {
    if (now < windowEnds) return
    counts.clear()
    windowEnds = now + WINDOW_SECONDS * 1_000
  }
  return {
    count: (address) => {
      if (isSpared(limit, address)) return
      startWindow(wall.now().getTime())
      const network = networkOf(address)
      const before = counts.get(network)
      // Only the oldest entry is dropped, so a caller with many addresses cannot reset everyone's counts.
      if (before === undefined && counts.size >= callersMax) counts.delete(counts.keys().next().value ?? '')
      counts.set(network, (before ?? 0) + 1)
    },
    usedUp: (address) => {
      if (isSpared(limit, address)) return undefined
      const now = wall.now().getTime()
      startWindow(now)
      return (counts.get(networkOf(address)) ?? 0) >= limit.perMinute
        ? Math.ceil((windowEnds - now) / 1_000)
        : undefined
    },
  }
}

/** Creates a function that counts a caller's requests and returns the seconds to wait once its quota is used up. */
export function rateLimit(wall: Clock, limit: RateLimit): (address: string) => number | undefined {
  const requests = counter(wall, limit)
  return (address) => {
    const waitSeconds = requests.usedUp(address)
    if (waitSeconds === undefined) requests.count(address)
    return waitSeconds
  }
}
