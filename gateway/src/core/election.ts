import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { monotonic } from '../kernel/clock.ts'
import type { Db } from '../platform/db.ts'

/** By the database's clock, as all leases. So soon after its holder died, another has it. */
const TERM_SECONDS = 6
/** Its holder takes it for over sooner, by more than two clocks may differ: so two have it only where one of them stood still. */
const HELD_SHARE = 5 / 6
const LOOKS_PER_TERM = 3

/** What one process does for all: by a row that it renews, so that it works through a pooler too. */
export interface Election {
  /** Whether it is for this process to do. Asks nobody, so it may be asked at every step. */
  readonly isElected: () => boolean
  /** Lets another have it. */
  readonly stop: () => Promise<void>
}

export interface ElectionOptions {
  readonly db: Db
  /** What is to be done: it has a row in `elected`. */
  readonly task: 'sweeps'
  /** Whether this process may do it at all. One that may not lets its time run out. */
  readonly mayStand: () => boolean
  readonly termSeconds?: number | undefined
}

/**
 * Stands for election until stopped. It spares work and is no lock: for a moment two may think that they are elected, as when a
 * machine slept, so what they do still locks its rows.
 */
export function standForElection({ db, task, mayStand, termSeconds = TERM_SECONDS }: ElectionOptions): Election {
  const holder = randomUUID()
  const stopping = new AbortController()
  /** On a clock that nobody sets. */
  let electedUntil = 0

  async function stand(): Promise<void> {
    const askedAt = monotonic()
    const { count } = await db`
      update elected
         set holder = ${holder}, leased_until = clock_timestamp() + ${termSeconds} * interval '1 second'
       where task = ${task} and (holder = ${holder} or leased_until < clock_timestamp())`
    electedUntil = count === 0 ? 0 : askedAt + termSeconds * HELD_SHARE * 1_000
  }

  async function standAgainAndAgain(): Promise<void> {
    const pause = (termSeconds * 1_000) / LOOKS_PER_TERM
    while (!stopping.signal.aborted) {
      if (mayStand()) await stand().catch(() => {}) // the database may be away for a moment; what counts is whether the term still lasts
      await wait(pause, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const ended = standAgainAndAgain()

  return {
    isElected: () => monotonic() < electedUntil,
    stop: async () => {
      stopping.abort()
      await ended
      electedUntil = 0
      await db`
        update elected set leased_until = clock_timestamp() where task = ${task} and holder = ${holder}`.catch(() => {}) // with the database gone, its time runs out by itself
    },
  }
}
