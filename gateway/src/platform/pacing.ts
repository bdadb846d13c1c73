import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { monotonic } from '../kernel/clock.ts'

/** Beside others, long work takes so much of the time, and they the rest. */
const OWN_SHARE = 0.04
/** However busy it is, work goes on after this. */
const PAUSE_MILLISECONDS_MAX = 1_000
/** Requests come in bursts, as those before them are answered in sets: for so long after one, others are taken to be there. */
const BUSY_MILLISECONDS = 200

let requests = 0

/** Tells that a request has come in: long work makes room for it. */
export const noteRequest = (): void => void requests++

/**
 * Makes what lets others go first between two parts of long work. Where no request has come in for a while, work goes on at
 * once; where some have, it waits by how long the part took, so that it has a small share of the time and nobody notices it.
 */
export function openPace(
  pause: (milliseconds: number) => Promise<unknown> = wait,
): (tookMilliseconds: number) => Promise<void> {
  let seen = requests
  let busyUntil = 0
  return async (tookMilliseconds) => {
    const now = monotonic()
    if (requests !== seen) busyUntil = now + BUSY_MILLISECONDS
    seen = requests
    if (now >= busyUntil) await turn()
    else await pause(Math.min(PAUSE_MILLISECONDS_MAX, tookMilliseconds / OWN_SHARE))
  }
}
