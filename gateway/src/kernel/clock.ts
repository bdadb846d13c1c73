/** Where time comes from. Business code takes it as an argument and never asks the system. */
export interface Clock {
  now(): Date
}

/** Real time: leases, tokens and people's sessions live by it. */
export const wallClock: Clock = { now: () => new Date() }

/** Milliseconds on a clock that only runs forward, whatever is done to the machine's own: it tells how long, not when. */
export const monotonic = (): number => performance.now()

/** Real time moved ahead by an offset that may only grow: the sandbox's business time. */
export interface OffsetClock extends Clock {
  readonly offsetMilliseconds: () => number
  /** Sets the offset; a smaller one than before is ignored, so time never runs backwards. */
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
