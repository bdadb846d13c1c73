import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'

/** So long it is watched whether anybody else has something to do. */
const LOOK_MILLISECONDS = 5
/** Above this share of it somebody has; sending what was made takes less. */
const BUSY_SHARE = 0.5
/** Beside others, long work takes so much of the time, and they the rest. */
const OWN_SHARE = 0.04
/** However busy it is, work goes on after this. */
const PAUSE_MILLISECONDS_MAX = 1_000

/** What this thread has worked in all; what other programs of the machine do is not in it. */
const workedMilliseconds = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/**
 * Lets others go first between two parts of long work: alone it goes on at once; where requests keep the process busy, it
 * waits, by how long the part took, so that it has a small share of the time and nobody notices it.
 */
export async function letOthersGo(tookMilliseconds: number): Promise<void> {
  const before = workedMilliseconds()
  await wait(LOOK_MILLISECONDS)
  if (workedMilliseconds() - before > LOOK_MILLISECONDS * BUSY_SHARE)
    await wait(Math.min(PAUSE_MILLISECONDS_MAX, tookMilliseconds / OWN_SHARE))
}
