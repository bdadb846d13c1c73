import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { monotonic } from '../kernel/clock.ts'
import type { Db } from '../platform/postgres/db.ts'

/**
 * The length of a term, by the database's clock. If the elected process dies, a successor takes over when its term
 * ends.
 */
const TERM_SECONDS = 6
/**
 * The elected process works only for this share of its term. The rest covers differences between clocks, so two
 * processes work at once only if one was frozen.
 */
const HELD_SHARE = 5 / 6
const ATTEMPTS_PER_TERM = 3

/**
 * Elects one process to do work for all. The elected process renews a row in the database, so this also works through a
 * connection pooler.
 */
export interface Election {
  /** Whether this process is elected. It needs no query, so it can be called at every step. */
  readonly isElected: () => boolean
  /** Resigns, so that another process can be elected at once. */
  readonly stop: () => Promise<void>
}

export interface ElectionOptions {
  readonly db: Db
  /** The task, which has a row in `elected`. */
  readonly task: 'sweeps'
  /** Whether this process may be elected. If not, its current term runs out. */
  readonly mayStand: () => boolean
  readonly termSeconds?: number | undefined
}

/**
 * Stands for election until stopped. The election avoids duplicate work but is not a lock. For a moment two
 * processes may be elected, for example after a machine slept, so their work still locks rows.
 */
export function standForElection({ db, task, mayStand, termSeconds = TERM_SECONDS }: ElectionOptions): Election {
  const holder = randomUUID()
  const stopping = new AbortController()
  /** The end of our term, by the monotonic clock. */
  let electedUntil = 0

  async function stand(): Promise<void> {
    const askedAt = monotonic()
    const { count } = await db`
      update elected
         set holder = ${holder}, leased_until = clock_timestamp() + ${termSeconds} * interval '1 second'
       where task = ${task} and (holder = ${holder} or leased_until < clock_timestamp())`
    electedUntil = count === 0 ? 0 : askedAt + termSeconds * HELD_SHARE * 1_000
  }

  async function keepStanding(): Promise<void> {
    const pause = (termSeconds * 1_000) / ATTEMPTS_PER_TERM
    while (!stopping.signal.aborted) {
      if (mayStand()) await stand().catch(() => {}) // the database may be away for a moment; the current term still counts
      await wait(pause, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const ended = keepStanding()

  return {
    isElected: () => monotonic() < electedUntil,
    stop: async () => {
      stopping.abort()
      await ended
      electedUntil = 0
      await db`
        update elected set leased_until = clock_timestamp() where task = ${task} and holder = ${holder}`.catch(() => {}) // with the database gone, our term expires anyway
    },
  }
}
