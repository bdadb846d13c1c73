import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'

/** For each request that came in meanwhile, long work waits so long: somewhat longer than a payment takes this process. */
const REQUEST_MILLISECONDS = 0.4
/** However busy it is, work goes on after this. */
const PAUSE_MILLISECONDS_MAX = 250

let requests = 0

/** Tells that a request has come in: long work makes room for it. */
export const noteRequest = (): void => void requests++

/**
 * Makes what lets others go first between two parts of long work. Where no request has come in since the part before, work
 * goes on at once; where some have, it waits by how many. So it has what they leave: nearly all of the time beside a few
 * requests a second, and next to nothing beside as many as this process can take.
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
