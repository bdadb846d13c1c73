import { requestRefusals } from '@kobo/contract'
import { monotonic } from '../../kernel/clock.ts'
import { invariant, Refusal, refusal } from '../../kernel/errors.ts'
import { currentSpan, endWith, isTracing, type Span, spanning, within } from '../observability/tracing.ts'
import { isLockTimeout, isRolledBack } from '../postgres/db.ts'
import { openBlockedQueue } from './blocked-queue.ts'

/**
 * A lane runs many requests as one batch. Requests that arrive while a batch runs form the next one, and one commit
 * serves them all. Each caller gets its own response or error.
 */
export interface Lane<Request, Result> {
  (request: Request): Promise<Result>
  readonly lane: string
  /** Returns how many requests wait or run. */
  readonly depth: () => number
  /** Resolves when no request waits or runs. */
  readonly drained: () => Promise<void>
}

export interface LaneOptions<Request, Result> {
  readonly name: string
  /** The maximum number of requests in a batch. */
  readonly batchMax?: number
  /** How many batches may run at once. With two, the database works on one batch while we prepare the next. */
  readonly batchesMax?: number
  /** How many requests may wait; beyond it the response is 503. */
  readonly waitingMax?: number
  /** How long a request may wait for its batch; after that the response is 503. */
  readonly waitMillisecondsMax?: number
  /** The delay between batches, for work that no caller waits for: fewer commits then serve more requests. */
  readonly gatherMilliseconds?: number
  /** Runs a batch in one database transaction. Results are in the order of the requests. */
  readonly run: (requests: readonly Request[]) => Promise<readonly (Result | Refusal)[]>
  /**
   * A key shared by requests that need the same rows, such as their merchant. If those rows are locked, these requests
   * wait together outside the lane. By default each request has its own key.
   */
  readonly blockedBy?: (request: Request) => unknown
  /** The shard of a request's rows. All rows of a batch are on one shard. By default there is only one. */
  readonly shardOf?: (request: Request) => number
  /** Receives the size of every batch. */
  readonly onBatch?: (size: number) => void
}

const BATCH_MAX = 256
const BATCHES_MAX = 2
const WAITING_MAX = 4_096
/** A request waits this long only if the database does not respond. */
const WAIT_MILLISECONDS_MAX = 10_000

const laneFull = refusal(requestRefusals.busy)

/** Whether an error means that a lane was full or a lock timed out: nothing was done. */
export const isBusy = (error: unknown): boolean =>
  isLockTimeout(error) || (error instanceof Refusal && error.code === requestRefusals.busy.code)

interface Waiting<Request, Result> {
  readonly request: Request
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
  readonly enteredAt: number
  /** The request's span, if traced. */
  readonly span: Span | undefined
}

export function lane<Request, Result>(options: LaneOptions<Request, Result>): Lane<Request, Result> {
  const { name, shardOf } = options
  if (shardOf === undefined) return openQueue(options)
  const queues = new Map<number, Lane<Request, Result>>()
  const queueOf = (shard: number): Lane<Request, Result> => {
    const queue = queues.get(shard) ?? openQueue(options)
    queues.set(shard, queue)
    return queue
  }
  return Object.assign((request: Request) => queueOf(shardOf(request))(request), {
    lane: name,
    depth: () => [...queues.values()].reduce((sum, queue) => sum + queue.depth(), 0),
    drained: async () => {
      for (const queue of queues.values()) await queue.drained()
    },
  })
}

/** Opens the lane of one shard. */
function openQueue<Request, Result>(options: LaneOptions<Request, Result>): Lane<Request, Result> {
  const { name, onBatch, blockedBy = (request) => request } = options
  const { batchMax = BATCH_MAX, batchesMax = BATCHES_MAX, waitingMax = WAITING_MAX } = options
  const { waitMillisecondsMax = WAIT_MILLISECONDS_MAX, gatherMilliseconds = 0 } = options
  let waiting: Waiting<Request, Result>[] = []
  let requestsRunning = 0
  let batchesRunning = 0
  let idle: (() => void)[] = []
  const carryOut = (batch: readonly Waiting<Request, Result>[]) => runBatch(options, batch)
  const blocked = openBlockedQueue<Waiting<Request, Result>>({
    kindOf: ({ request }) => blockedBy(request),
    batchMax,
    carryOut,
    reject: ({ reject }, reason) => reject(reason),
    busy: laneFull,
    onIdle: notifyIdle,
  })
  const rejectLater = rejectWhenLate(() => waiting, waitMillisecondsMax, notifyIdle)
  const depth = (): number => waiting.length + requestsRunning + blocked.depth()
  const startLater = afterThisTurn(start, gatherMilliseconds)

  /** Starts a batch after this turn of the event loop, so that all requests of this turn can join. */
  function startSoon(): void {
    if (batchesRunning < batchesMax && waiting.length > 0) startLater()
  }

  async function start(): Promise<void> {
    const batch = waiting.slice(0, batchMax)
    waiting = waiting.slice(batchMax)
    batchesRunning++
    requestsRunning += batch.length
    onBatch?.(batch.length)
    startSoon()
    const timeout = await carryOut(batch)
    if (timeout !== undefined) blocked.add(batch, timeout)
    batchesRunning--
    requestsRunning -= batch.length
    startSoon()
    notifyIdle()
  }

  function notifyIdle(): void {
    if (depth() > 0) return
    for (const resolve of idle) resolve()
    idle = []
  }

  const enter = (request: Request): Promise<Result> => {
    if (waiting.length + blocked.depth() >= waitingMax) return Promise.reject(laneFull())
    const span = currentSpan()?.begin(`lane ${name}`)
    const result = new Promise<Result>((resolve, reject) => {
      const one = { request, resolve, reject, span, enteredAt: monotonic() }
      if (blocked.takes(one)) return
      waiting.push(one)
      rejectLater()
      startSoon()
    })
    if (span !== undefined) endWith(span, result)
    return result
  }

  return Object.assign(enter, {
    lane: name,
    depth,
    drained: () => (depth() === 0 ? Promise.resolve() : new Promise<void>((resolve) => idle.push(resolve))),
  })
}

/**
 * Returns a function that calls `begin` after this turn of the event loop, with at least `gapMilliseconds` between
 * two calls.
 */
function afterThisTurn(begin: () => void, gapMilliseconds: number): () => void {
  let isScheduled = false
  let beganAt = Number.NEGATIVE_INFINITY
  const beginNow = (): void => {
    isScheduled = false
    beganAt = monotonic()
    begin()
  }
  return () => {
    if (isScheduled) return
    isScheduled = true
    const early = beganAt + gapMilliseconds - monotonic()
    if (early > 0) setTimeout(beginNow, early)
    else setImmediate(beginNow)
  }
}

/** Returns a function to call when a request starts to wait. It rejects requests that wait too long for a batch. */
function rejectWhenLate(
  waiting: () => Pick<Waiting<unknown, unknown>, 'enteredAt' | 'reject'>[],
  waitMillisecondsMax: number,
  onRejected: () => void,
): () => void {
  let isWatching = false
  function watch(milliseconds: number): void {
    isWatching = true
    setTimeout(() => {
      const enteredBefore = monotonic() - waitMillisecondsMax
      const queue = waiting()
      while (queue[0] !== undefined && queue[0].enteredAt <= enteredBefore) queue.shift()?.reject(laneFull())
      isWatching = false
      if (queue[0] !== undefined) watch(queue[0].enteredAt - enteredBefore)
      onRejected()
    }, milliseconds).unref()
  }
  return () => {
    if (!isWatching) watch(waitMillisecondsMax)
  }
}

/** Runs a batch and completes each request, except on a lock timeout, which it returns. */
async function runBatch<Request, Result>(
  { name, run }: LaneOptions<Request, Result>,
  batch: readonly Waiting<Request, Result>[],
): Promise<Error | undefined> {
  try {
    const requests = batch.map(({ request }) => request)
    const results = await (isTracing() ? traced(name, batch, () => run(requests)) : run(requests))
    invariant(results.length === batch.length, `lane ${name} returns a result for every request`)
    batch.forEach(({ resolve, reject }, index) => {
      const result = results[index] as Result | Refusal
      if (result instanceof Refusal) reject(result)
      else resolve(result)
    })
  } catch (error) {
    if (isLockTimeout(error)) return error
    // The batch was rolled back, so each request is retried alone. Then only the faulty request fails, whether
    // PostgreSQL or our own code rejected it. After a lost connection nothing is retried, because the batch may have
    // been committed.
    if (batch.length > 1 && isRolledBack(error)) for (const one of batch) await runAlone({ name, run }, one)
    else for (const { reject } of batch) reject(error)
  }
  return undefined
}

/**
 * Runs a batch in its own span: a child of the first traced request's span, linked to the others. Without a traced
 * request it runs without a span, because the current context may belong to an unrelated request.
 */
function traced<T>(
  name: string,
  batch: readonly { readonly span: Span | undefined }[],
  run: () => Promise<T>,
): Promise<T> {
  const spans = batch.flatMap(({ span }) => span ?? [])
  const [first, ...others] = spans
  const work = first?.begin(`set of ${name}`)
  if (work === undefined) return within(undefined, run)
  work.note('kobo.set_size', batch.length)
  for (const span of spans) span.note('kobo.lane.waited_ms', work.beganAt - span.beganAt)
  for (const span of others) {
    span.link(work)
    work.link(span)
  }
  return spanning(work, run)
}

async function runAlone<Request, Result>(
  options: LaneOptions<Request, Result>,
  one: Waiting<Request, Result>,
): Promise<void> {
  const timeout = await runBatch(options, [one])
  if (timeout !== undefined) one.reject(timeout)
}
