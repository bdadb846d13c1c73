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
  /** Has something written after all else, along with the commit: what locks rows that others wait for. */
  readonly last: (write: () => void) => void
  /** Counts a payment as soon as this is committed. */
  readonly countPayment: (method: string, status: string) => void
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

/** Payments that were committed in this process, by method and status. */
export interface PaymentCounts {
  readonly count: (method: string, status: string) => void
  readonly all: () => Iterable<readonly [method: string, status: string, count: number]>
}

export function openPaymentCounts(): PaymentCounts {
  const methods = new Map<string, Map<string, number>>()
  return {
    count: (method, status) => {
      const statuses = methods.get(method) ?? new Map<string, number>()
      methods.set(method, statuses.set(status, (statuses.get(status) ?? 0) + 1))
    },
    all: () =>
      [...methods].flatMap(([method, statuses]) => [...statuses].map(([status, n]) => [method, status, n] as const)),
  }
}

/** What a unit of work is opened with: a part of `Core`. */
export interface UnitOfWorkDeps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: IdSource
  readonly wakeups: Wakeups
  readonly paymentCounts: PaymentCounts
}

/** Carries out a unit of work: all of it is committed, or nothing. Then wakes those for whom it left something to do. */
export async function unitOfWork<T>(
  { db, clock, ids, wakeups, paymentCounts }: UnitOfWorkDeps,
  work: (unit: UnitOfWork) => Promise<T>,
): Promise<T> {
  let woken = new Set<BackgroundWork>()
  let counted: (readonly [method: string, status: string])[] = []
  const result = await inTransaction(db, async (tx) => {
    // A try before this one may have been undone.
    woken = new Set()
    counted = []
    const last: (() => void)[] = []
    const done = await work({
      tx,
      ids,
      at: clock.now(),
      wake: (one) => void woken.add(one),
      last: (write) => void last.push(write),
      countPayment: (method, status) => void counted.push([method, status]),
    })
    for (const write of last) write()
    return done
  })
  for (const one of woken) wakeups.wake(one)
  for (const [method, status] of counted) paymentCounts.count(method, status)
  return result
}
