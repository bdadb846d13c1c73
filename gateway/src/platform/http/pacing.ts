import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'

/**
 * How long long-running work pauses per incoming request: five times what a payment takes this process. At 500 requests
 * a second, the pause reaches its maximum. With shorter pauses, the work would take half of a busy process: it would
 * slow down the payments, and fewer requests would then mean even shorter pauses.
 */
const REQUEST_MILLISECONDS = 2
const PAUSE_MILLISECONDS_MAX = 500

let requests = 0

/** Counts an incoming request, so that long-running work slows down. */
export const noteRequest = (): void => void requests++

/**
 * Creates a function that pauses long-running work in proportion to the requests that arrived since its last pause. On
 * an idle process the work gets nearly all of the time, on a busy one almost none.
 */
export function openPace(pause: (milliseconds: number) => Promise<unknown> = wait): () => Promise<void> {
  let seen = requests
  return async () => {
    const arrived = requests - seen
    seen = requests
    if (arrived === 0) await turn()
    else await pause(Math.min(PAUSE_MILLISECONDS_MAX, arrived * REQUEST_MILLISECONDS))
  }
}
