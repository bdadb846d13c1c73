import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../src/platform/postgres/db.ts'

/**
 * How long a test waits for something. Waiting ends when it happens, so only something that never happens takes this
 * long: a slow or busy machine fails no test.
 */
export const WAIT_MILLISECONDS_MAX = 300_000
const POLL_MILLISECONDS = 20
/** A condition that does work itself is slow on a busy machine; it gets at least this many tries. */
const POLLS_MIN = 60

/** Polls until the condition is true, and fails if it never is. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WAIT_MILLISECONDS_MAX
  for (let polls = 1; !(await isSo()); polls++) {
    assert.ok(
      polls < POLLS_MIN || performance.now() < deadline,
      `not within ${WAIT_MILLISECONDS_MAX / 1_000} s: ${what}`,
    )
    await pause(POLL_MILLISECONDS)
  }
}

/** Waits until this many queries of a test's own database wait for a lock that the test holds. */
export const untilWaiting = (db: Db, queries: number): Promise<void> =>
  until(`${queries} queries wait for a lock`, async () => {
    const waiting = await db`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return waiting.count >= queries
  })
