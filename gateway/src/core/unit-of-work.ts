import type { Clock } from '../kernel/clock.ts'
import type { IdSource } from '../kernel/ids.ts'
import { type Db, inTransaction, type Tx } from '../platform/db.ts'

/** One database transaction, and what every write in it needs. All that writes takes it first. */
export interface UnitOfWork {
  readonly tx: Tx
  readonly ids: IdSource
  /** When it happens, in business time. */
  readonly at: Date
  /** Wakes what works in the background as soon as this is committed: there is something for it to do. */
  readonly wake: (work: BackgroundWork) => void
}

/** What works in the background and can be woken: events are sent, orders are carried out. */
export type BackgroundWork = 'events' | 'orders'

/** Who is woken when there is something to do. */
export interface Wakeups {
  readonly onWake: (work: BackgroundWork, wake: () => void) => void
  readonly wake: (work: BackgroundWork) => void
}

export function openWakeups(): Wakeups {
  const wakers = new Map<BackgroundWork, () => void>()
  return { onWake: (work, wake) => void wakers.set(work, wake), wake: (work) => wakers.get(work)?.() }
}

/** What a unit of work is opened with: a part of `Core`. */
export interface UnitOfWorkDeps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: IdSource
  readonly wakeups: Wakeups
}

/** Carries out a unit of work: all of it is committed, or nothing. Then wakes those for whom it left something to do. */
export async function unitOfWork<T>(
  { db, clock, ids, wakeups }: UnitOfWorkDeps,
  work: (unit: UnitOfWork) => Promise<T>,
): Promise<T> {
  let woken = new Set<BackgroundWork>()
  const result = await inTransaction(db, (tx) => {
    woken = new Set() // a try before this one may have been undone
    return work({ tx, ids, at: clock.now(), wake: (one) => void woken.add(one) })
  })
  for (const one of woken) wakeups.wake(one)
  return result
}
