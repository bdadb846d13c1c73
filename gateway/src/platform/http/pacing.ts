import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'

/**
 * How long long-running work waits per incoming request: five times what this process needs for a payment. From 500
 * requests a second it waits the longest pause. A shorter wait lets it keep half of a busy process, because the slower
 * payments then also shorten its pauses.
 */
const REQUEST_MILLISECONDS = 2
const PAUSE_MILLISECONDS_MAX = 250

let requests = 0

/** Counts an incoming request, so that long-running work slows down. */
export const noteRequest = (): void => void requests++

/**
 * Creates a function that pauses long-running work in proportion to the requests that arrived meanwhile. On an idle
 * process the work gets nearly all of the time, on a busy one almost none.
 */
export function openPace(pause: (milliseconds: number) => Promise<unknown> = wait): () => Promise<void> {
  let seen = requests
  return async () => {
    const came = requests - seen
    seen = requests
    if (came === 0) await turn()
    else await pause(Math.min(PAUSE_MILLISECONDS_MAX, came * REQUEST_MILLISECONDS))
  }
}
