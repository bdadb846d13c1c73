import type { Clock } from '../../src/kernel/clock.ts'

let milliseconds = Date.now()

/**
 * Real time as the gateways of this process see it. It advances by a millisecond at each reading, so that order is kept
 * and a slow test is no closer to an expiry, a retry or the end of a lease than a fast one.
 */
export const testWall: Clock = { now: () => new Date(milliseconds++) }
