import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'

/** So long it is watched whether anybody else has something to do. */
const LOOK_MILLISECONDS = 4
/** Above this share of it somebody has. */
const BUSY_SHARE = 0.15
/** Beside others, long work takes so much of the time, and they the rest. */
const OWN_SHARE = 0.03
/** However busy it is, work goes on after this. */
const PAUSE_MILLISECONDS_MAX = 2_000

/** Lets others go first between two pieces of long work. */
export type LetOthersGo = () => Promise<void>

/**
 * Makes what a long piece of work calls between its parts: alone it goes on at once; where requests keep the process busy,
 * it waits, so that it takes a small share of the time and nobody notices it.
 */
export function openPacing(): LetOthersGo {
  let began = performance.eventLoopUtilization()
  return async () => {
    const ours = performance.eventLoopUtilization(began).active
    const before = performance.eventLoopUtilization()
    await wait(LOOK_MILLISECONDS)
    if (performance.eventLoopUtilization(before).utilization > BUSY_SHARE)
      await wait(Math.min(PAUSE_MILLISECONDS_MAX, ours / OWN_SHARE))
    began = performance.eventLoopUtilization()
  }
}
