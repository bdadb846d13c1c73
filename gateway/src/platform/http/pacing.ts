import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'

/** Long work waits this long per incoming request: somewhat longer than a payment takes this process. */
const REQUEST_MILLISECONDS = 0.4
/** The longest pause. */
const PAUSE_MILLISECONDS_MAX = 250

let requests = 0

/** Records an incoming request, so that long work makes room. */
export const noteRequest = (): void => void requests++

/**
 * Creates a pause between parts of long work, in proportion to the requests that came in meanwhile. So it gets nearly
 * all of the time on an idle process, and almost none on a busy one.
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
