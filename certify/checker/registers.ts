import type { Check } from './check.ts'
import { byReference, type History, type Operation, type ReadPayment, type ReadTransfer } from './history.ts'

type Read = ReadPayment | ReadTransfer

/** The rank of each status. A payment or transfer never goes back to a lower rank. */
const RANKS: Readonly<Record<string, number>> = {
  PENDING: 1,
  IN_PROGRESS: 1,
  PARTIALLY_PAID: 2,
  PAID: 3,
  OVERPAID: 4,
  SUCCESS: 3,
  FAILED: 3,
}

const rankOf = ({ status }: Read): number => (status === undefined ? 0 : (RANKS[status] ?? 1))

const isRead = (one: Operation): one is Read => one.kind === 'readPayment' || one.kind === 'readTransfer'

/** Returns the successful reads of each reference, in the order in which they ended. */
const readsOf = ({ operations, finalReads }: History): Map<string, Read[]> =>
  byReference(
    [...operations.filter(isRead), ...finalReads]
      .filter(({ outcome }) => outcome === 'ok')
      .sort((one, other) => one.endedAt - other.endedAt),
  )

/**
 * Compares each read with the highest rank that any client had read before this read began. Overlapping reads may come
 * in either order.
 */
function findSteppedBack(history: History): readonly string[] {
  const found: string[] = []
  for (const [reference, reads] of readsOf(history)) {
    for (const read of reads) {
      const before = reads.filter(({ endedAt }) => endedAt < read.invokedAt)
      const furthest = before.reduce<Read | undefined>(
        (most, one) => (most === undefined || rankOf(one) > rankOf(most) ? one : most),
        undefined,
      )
      if (furthest !== undefined && rankOf(read) < rankOf(furthest))
        found.push(`${reference} was ${furthest.status}, and then ${read.status ?? 'not found'}`)
    }
  }
  return found
}

/** Finds references of more than one payment, and final statuses that changed. */
function findChanged(history: History): readonly string[] {
  const found: string[] = []
  for (const [reference, reads] of readsOf(history)) {
    const names = new Set(
      reads.flatMap((read) => (read.kind === 'readPayment' ? (read.transactionReference ?? []) : [])),
    )
    if (names.size > 1) found.push(`${reference} was ${[...names].join(' and ')}`)
    const ends = new Set(reads.flatMap(({ status }) => (status === 'SUCCESS' || status === 'FAILED' ? status : [])))
    if (ends.size > 1) found.push(`${reference} ended as ${[...ends].join(' and as ')}`)
  }
  return found
}

/** Finds reads that did not find a payment or transfer that was created before. */
function findUnread({ operations, finalReads }: History): readonly string[] {
  const writes = new Map<string, number>()
  for (const { kind, reference, outcome, endedAt } of operations)
    if ((kind === 'init' || kind === 'transfer') && outcome === 'ok')
      writes.set(reference, Math.min(endedAt, writes.get(reference) ?? endedAt))
  return [...operations.filter(isRead), ...finalReads]
    .filter(({ outcome, status }) => outcome === 'ok' && status === undefined)
    .filter(({ reference, invokedAt }) => (writes.get(reference) ?? Number.POSITIVE_INFINITY) < invokedAt)
    .map(({ reference }) => `${reference} was written, and a later read did not find it`)
}

export const REGISTERS: readonly Check[] = [
  { promise: 'A reference is found as soon as it was acknowledged', find: findUnread },
  { promise: 'Reads never go back in time', find: findSteppedBack },
  { promise: 'One reference is one thing, and ends once', find: findChanged },
]
