import type { Clock } from '../kernel/clock.ts'
import type { IdSource } from '../kernel/ids.ts'
import { type Db, inTransaction, type Tx } from '../platform/postgres/db.ts'
import type { EventSender } from './event-sender.ts'

/**
 * One database transaction and what its writes need. Functions that write take it as their first argument; repositories
 * take only its `tx`.
 */
export interface UnitOfWork {
  readonly tx: Tx
  readonly ids: IdSource
  /** The time of the transaction, in business time. */
  readonly at: Date
  readonly wake: (work: BackgroundWork) => void
  /** Runs a function after the commit. */
  readonly committed: (then: () => void) => void
  /** Sends the transaction's events right after its commit; undefined if this process sends none. */
  readonly sender: EventSender | undefined
  /** Defers a write until just before the commit, because other transactions wait for its rows. */
  readonly last: (write: () => void) => void
  /** Counts a payment after the commit. */
  readonly countPayment: (method: string, status: string) => void
  /** Whether a merchant may have additional webhook endpoints. True if the merchant is not cached. */
  readonly mayHaveEndpoints: (merchantId: bigint) => boolean
}

/** Background work that can be woken: event delivery, also to additional endpoints, and orders. */
export type BackgroundWork = 'events' | 'additional deliveries' | 'orders'

export interface Wakeups {
  readonly onWake: (work: BackgroundWork, wake: () => void) => void
  readonly wake: (work: BackgroundWork) => void
  /** Sets the sender of this process's events. */
  readonly sendBy: (sender: EventSender) => void
  readonly sender: () => EventSender | undefined
}

export function openWakeups(): Wakeups {
  const wakers = new Map<BackgroundWork, () => void>()
  let sender: EventSender | undefined
  return {
    onWake: (work, wake) => void wakers.set(work, wake),
    wake: (work) => wakers.get(work)?.(),
    sendBy: (one) => {
      sender = one
    },
    sender: () => sender,
  }
}

/** Payments committed in this process, by method and status. */
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

/** The part of `Core` that a unit of work needs. */
export interface UnitOfWorkDeps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: IdSource
  readonly wakeups: Wakeups
  readonly paymentCounts: PaymentCounts
  /** The cached merchants. */
  readonly directory: {
    readonly known: (id: bigint) => { readonly endpoints: { readonly size: number } } | undefined
  }
}

/** Runs a unit of work: all of it is committed, or nothing. Then wakes background work. */
export async function unitOfWork<T>(
  { db, clock, ids, wakeups, paymentCounts, directory }: UnitOfWorkDeps,
  work: (unit: UnitOfWork) => Promise<T>,
): Promise<T> {
  let woken = new Set<BackgroundWork>()
  let counted: (readonly [method: string, status: string])[] = []
  let followUps: (() => void)[] = []
  const result = await inTransaction(db, async (tx) => {
    // An earlier attempt may have been rolled back, so its results are dropped.
    woken = new Set()
    counted = []
    followUps = []
    const last: (() => void)[] = []
    const done = await work({
      tx,
      ids,
      at: clock.now(),
      wake: (one) => void woken.add(one),
      committed: (then) => void followUps.push(then),
      sender: wakeups.sender(),
      last: (write) => void last.push(write),
      countPayment: (method, status) => void counted.push([method, status]),
      mayHaveEndpoints: (merchantId) => directory.known(merchantId)?.endpoints.size !== 0,
    })
    for (const write of last) write()
    return done
  })
  for (const follow of followUps) follow()
  for (const one of woken) wakeups.wake(one)
  for (const [method, status] of counted) paymentCounts.count(method, status)
  return result
}
