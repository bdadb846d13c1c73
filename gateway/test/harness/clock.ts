import type { Clock } from '../../src/kernel/clock.ts'

let milliseconds = Date.now()

/**
 * Real time as the gateways of this process see it. It goes on by a millisecond with each look, so that what was later is
 * later, and a test that is slow is no nearer to an expiry, a retry or the end of a lease than one that is fast.
 */
export const testWall: Clock = { now: () => new Date(milliseconds++) }
