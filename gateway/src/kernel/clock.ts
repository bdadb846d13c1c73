/** The source of time. Business code gets it as an argument and never reads the system's clock. */
export interface Clock {
  now(): Date
}

/** Real time, for leases, tokens and sessions. */
export const wallClock: Clock = { now: () => new Date() }

/** Returns the milliseconds of the monotonic clock, which measures durations and not the time of day. */
export const monotonic = (): number => performance.now()

/** The sandbox's business time: real time plus an offset that only grows. */
export interface OffsetClock extends Clock {
  readonly offsetMilliseconds: () => number
  /** Sets the offset; a smaller one is ignored, so time never goes back. */
  readonly setOffset: (milliseconds: number) => void
}

export function offsetClock(base: Clock): OffsetClock {
  let offset = 0
  return {
    now: () => new Date(base.now().getTime() + offset),
    offsetMilliseconds: () => offset,
    setOffset: (milliseconds) => {
      offset = Math.max(offset, milliseconds)
    },
  }
}

export const secondsAfter = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1_000)
