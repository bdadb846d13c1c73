/**
 * A queue for requests whose rows are locked by another transaction, so that the lane can continue with other requests.
 */
export interface BlockedQueue<One> {
  /**
   * Queues a request and returns true if requests of its kind wait here. If false, the request may join the lane's next
   * batch.
   */
  readonly takes: (one: One) => boolean
  /**
   * Queues a batch that timed out on locks. If all its requests are of one kind, they have waited long enough and are
   * rejected.
   */
  readonly add: (set: readonly One[], tooLate: Error) => void
  /** How many requests wait here or run. */
  readonly depth: () => number
}

export interface BlockedQueueOptions<One> {
  /** Requests of the same kind need the same rows. */
  readonly kindOf: (one: One) => unknown
  readonly batchMax: number
  /** Runs a batch and completes each request, except on a lock timeout, which it returns. */
  readonly carryOut: (set: readonly One[]) => Promise<Error | undefined>
  readonly reject: (one: One, reason: Error) => void
  /** The error for a full queue. */
  readonly busy: () => Error
  readonly onIdle: () => void
}

/** How many batches run at once. Each holds a connection while it waits. */
const BATCHES_MAX = 2
/** The most kinds remembered as blocked. */
const STUCK_MAX = 1_024

interface Queue<One> {
  waiting: One[]
  isUnderWay: boolean
  /** Whether the last attempt timed out. Until an attempt succeeds, later requests of this kind queue here. */
  isStuck: boolean
}

export function openBlockedQueue<One>(options: BlockedQueueOptions<One>): BlockedQueue<One> {
  const { kindOf, batchMax, carryOut, reject, busy, onIdle } = options
  /** The queues by kind. The least recently tried one comes first. */
  const queues = new Map<unknown, Queue<One>>()
  let setsUnderWay = 0
  let depth = 0

  function startNext(): void {
    for (const [kind, queue] of [...queues]) {
      if (setsUnderWay >= BATCHES_MAX) return
      if (!queue.isUnderWay && queue.waiting.length > 0) void start(kind, queue)
    }
  }

  async function start(kind: unknown, queue: Queue<One>): Promise<void> {
    queues.delete(kind)
    queues.set(kind, queue)
    const set = queue.waiting.splice(0, batchMax)
    queue.isUnderWay = true
    setsUnderWay++
    const tooLate = await carryOut(set)
    if (tooLate !== undefined) for (const one of set) reject(one, tooLate)
    setsUnderWay--
    depth -= set.length
    queue.isUnderWay = false
    queue.isStuck = tooLate !== undefined
    dropFree(queues)
    startNext()
    if (depth === 0) onIdle()
  }

  return {
    takes: (one) => {
      const queue = queues.size === 0 ? undefined : queues.get(kindOf(one))
      if (queue === undefined) return false
      if (queue.isStuck && !queue.isUnderWay && setsUnderWay >= BATCHES_MAX) reject(one, busy())
      else {
        queue.waiting.push(one)
        depth++
        startNext()
      }
      return true
    },
    add: (set, tooLate) => {
      const groups = Map.groupBy(set, kindOf)
      for (const [kind, group] of groups) {
        const queue = queues.get(kind) ?? { waiting: [], isUnderWay: false, isStuck: false }
        queues.set(kind, queue)
        if (groups.size === 1) {
          queue.isStuck = true
          for (const one of group) reject(one, tooLate)
        } else {
          queue.waiting.push(...group)
          depth += group.length
        }
      }
      dropFree(queues)
      startNext()
    },
    depth: () => depth,
  }
}

/**
 * Drops empty queues of kinds that are not blocked. If there are too many queues, drops empty queues of blocked kinds,
 * too.
 */
function dropFree(queues: Map<unknown, Queue<unknown>>): void {
  for (const [kind, { waiting, isUnderWay, isStuck }] of queues)
    if (waiting.length === 0 && !isUnderWay && (!isStuck || queues.size > STUCK_MAX)) queues.delete(kind)
}
