/**
 * A queue for requests whose rows are locked by another transaction, so that the lane can continue with other requests.
 */
export interface BlockedQueue<One> {
  /**
   * Takes a request and returns true if requests of its kind wait here. Queues it, or rejects it if its kind is blocked
   * and cannot be tried now. If false, the request may join the lane's next batch.
   */
  readonly takes: (one: One) => boolean
  /**
   * Queues a batch that timed out on locks. If all its requests are of one kind, they have waited long enough and are
   * rejected.
   */
  readonly add: (batch: readonly One[], timeout: Error) => void
  /** Returns how many requests wait here or run. */
  readonly depth: () => number
}

export interface BlockedQueueOptions<One> {
  /** Returns the kind of a request. Requests of the same kind need the same rows. */
  readonly kindOf: (one: One) => unknown
  readonly batchMax: number
  /** Runs a batch and completes each request, except on a lock timeout, which it returns. */
  readonly carryOut: (batch: readonly One[]) => Promise<Error | undefined>
  readonly reject: (one: One, reason: Error) => void
  /** Creates the error for a full queue. */
  readonly busy: () => Error
  readonly onIdle: () => void
}

/** How many batches run at once. Each holds a connection while it waits. */
const BATCHES_MAX = 2
/** At most this many blocked kinds are remembered. */
const BLOCKED_MAX = 1_024

interface Queue<One> {
  waiting: One[]
  isRunning: boolean
  /** Whether the last attempt timed out. Until an attempt succeeds, later requests of this kind queue here. */
  isBlocked: boolean
}

export function openBlockedQueue<One>(options: BlockedQueueOptions<One>): BlockedQueue<One> {
  const { kindOf, batchMax, carryOut, reject, busy, onIdle } = options
  /** The queues by kind. The least recently tried one comes first. */
  const queues = new Map<unknown, Queue<One>>()
  let running = 0
  let depth = 0

  function startNext(): void {
    for (const [kind, queue] of [...queues]) {
      if (running >= BATCHES_MAX) return
      if (!queue.isRunning && queue.waiting.length > 0) void start(kind, queue)
    }
  }

  async function start(kind: unknown, queue: Queue<One>): Promise<void> {
    queues.delete(kind)
    queues.set(kind, queue)
    const batch = queue.waiting.splice(0, batchMax)
    queue.isRunning = true
    running++
    const timeout = await carryOut(batch)
    if (timeout !== undefined) for (const one of batch) reject(one, timeout)
    running--
    depth -= batch.length
    queue.isRunning = false
    queue.isBlocked = timeout !== undefined
    dropFree(queues)
    startNext()
    if (depth === 0) onIdle()
  }

  return {
    takes: (one) => {
      const queue = queues.size === 0 ? undefined : queues.get(kindOf(one))
      if (queue === undefined) return false
      if (queue.isBlocked && !queue.isRunning && running >= BATCHES_MAX) reject(one, busy())
      else {
        queue.waiting.push(one)
        depth++
        startNext()
      }
      return true
    },
    add: (batch, timeout) => {
      const groups = Map.groupBy(batch, kindOf)
      for (const [kind, group] of groups) {
        const queue = queues.get(kind) ?? { waiting: [], isRunning: false, isBlocked: false }
        queues.set(kind, queue)
        if (groups.size === 1) {
          queue.isBlocked = true
          for (const one of group) reject(one, timeout)
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
  for (const [kind, { waiting, isRunning, isBlocked }] of queues)
    if (waiting.length === 0 && !isRunning && (!isBlocked || queues.size > BLOCKED_MAX)) queues.delete(kind)
}
