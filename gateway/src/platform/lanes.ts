import { requestRefusals } from '@kobo/contract'
import { monotonic } from '../kernel/clock.ts'
import { invariant, Refusal, refusal } from '../kernel/errors.ts'
import { openApart } from './apart.ts'
import { isLockTimeout, isServerError } from './db.ts'
import { currentSpan, endWith, isTracing, type Span, spanning, within } from './tracing.ts'

/**
 * A lane carries out many requests as one set: those that arrive while a set is under way form the next one, so one
 * commit serves them all. Each caller gets its own answer, or its own refusal.
 */
export interface Lane<Request, Answer> {
  (request: Request): Promise<Answer>
  readonly lane: string
  /** How many requests wait or are under way. */
  readonly depth: () => number
  /** Resolves when nothing is under way. */
  readonly drained: () => Promise<void>
}

export interface LaneOptions<Request, Answer> {
  readonly name: string
  /** The most requests in one set. */
  readonly setMax?: number
  /** How many sets may be under way at once: with two, the database works on one while we prepare the next. */
  readonly setsMax?: number
  /** The most requests that may wait; beyond it the answer is 503 at once. */
  readonly waitingMax?: number
  /** For how long one may wait before its set begins; beyond it the answer is 503. */
  readonly waitMillisecondsMax?: number
  /** So long after a set began the next one does: for what nobody waits for, so that few commits serve many. */
  readonly gatherMilliseconds?: number
  /** Carries out a set in one database transaction. Answers stand in the order of the requests. */
  readonly run: (requests: readonly Request[]) => Promise<readonly (Answer | Refusal)[]>
  /**
   * What requests have in common that want the same rows, as their merchant: where somebody holds those, these wait by
   * themselves. Each by itself where it is left out.
   */
  readonly apartBy?: (request: Request) => unknown
  /**
   * On which shard its rows are: requests of one make a set, so that none of its statements needs rows of two. One shard for
   * all where it is left out.
   */
  readonly shardOf?: (request: Request) => number
  /** Told the size of every set. */
  readonly onSet?: (size: number) => void
}

const SET_MAX = 256
const SETS_MAX = 2
const WAITING_MAX = 4_096
/** Sets before have then met a database that does not answer. */
const WAIT_MILLISECONDS_MAX = 10_000

const laneFull = refusal(requestRefusals.busy)

/** Whether a lane was too full, or somebody held for too long what it wanted: nothing was done. */
export const isBusy = (error: unknown): boolean =>
  isLockTimeout(error) || (error instanceof Refusal && error.code === requestRefusals.busy.code)

interface Waiting<Request, Answer> {
  readonly request: Request
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
  readonly enteredAt: number
  /** From when it entered until it is answered, where it is traced. */
  readonly span: Span | undefined
}

export function lane<Request, Answer>(options: LaneOptions<Request, Answer>): Lane<Request, Answer> {
  const { name, shardOf } = options
  if (shardOf === undefined) return openQueue(options)
  const queues = new Map<number, Lane<Request, Answer>>()
  const queueOf = (shard: number): Lane<Request, Answer> => {
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

/** The requests of one shard. */
function openQueue<Request, Answer>(options: LaneOptions<Request, Answer>): Lane<Request, Answer> {
  const { name, onSet, apartBy = (request) => request } = options
  const { setMax = SET_MAX, setsMax = SETS_MAX, waitingMax = WAITING_MAX } = options
  const { waitMillisecondsMax = WAIT_MILLISECONDS_MAX, gatherMilliseconds = 0 } = options
  let waiting: Waiting<Request, Answer>[] = []
  let requestsUnderWay = 0
  let setsUnderWay = 0
  let idle: (() => void)[] = []
  const carryOut = (set: readonly Waiting<Request, Answer>[]) => carryOutSet(options, set)
  const apart = openApart<Waiting<Request, Answer>>({
    kindOf: ({ request }) => apartBy(request),
    setMax,
    carryOut,
    refuse: ({ reject }, reason) => reject(reason),
    busy: laneFull,
    onIdle: tellIdle,
  })
  const refuseLater = lateRefusals(() => waiting, waitMillisecondsMax, tellIdle)
  const depth = (): number => waiting.length + requestsUnderWay + apart.depth()
  const startLater = afterThisTurn(start, gatherMilliseconds)

  /** Starts a set once this turn of the event loop is over, so that the requests of the turn can join it. */
  function startSoon(): void {
    if (setsUnderWay < setsMax && waiting.length > 0) startLater()
  }

  async function start(): Promise<void> {
    const set = waiting.slice(0, setMax)
    waiting = waiting.slice(setMax)
    setsUnderWay++
    requestsUnderWay += set.length
    onSet?.(set.length)
    startSoon()
    const tooLate = await carryOut(set)
    if (tooLate !== undefined) apart.takeIn(set, tooLate)
    setsUnderWay--
    requestsUnderWay -= set.length
    startSoon()
    tellIdle()
  }

  function tellIdle(): void {
    if (depth() > 0) return
    for (const resolve of idle) resolve()
    idle = []
  }

  const enter = (request: Request): Promise<Answer> => {
    if (waiting.length + apart.depth() >= waitingMax) return Promise.reject(laneFull())
    const span = currentSpan()?.begin(`lane ${name}`)
    const answer = new Promise<Answer>((resolve, reject) => {
      const one = { request, resolve, reject, span, enteredAt: monotonic() }
      if (apart.takes(one)) return
      waiting.push(one)
      refuseLater()
      startSoon()
    })
    if (span !== undefined) endWith(span, answer)
    return answer
  }

  return Object.assign(enter, {
    lane: name,
    depth,
    drained: () => (depth() === 0 ? Promise.resolve() : new Promise<void>((resolve) => idle.push(resolve))),
  })
}

/** Makes what begins something when this turn of the event loop is over, and so long after it last began. */
function afterThisTurn(begin: () => void, apartMilliseconds: number): () => void {
  let isToCome = false
  let beganAt = Number.NEGATIVE_INFINITY
  const beginNow = (): void => {
    isToCome = false
    beganAt = monotonic()
    begin()
  }
  return () => {
    if (isToCome) return
    isToCome = true
    const early = beganAt + apartMilliseconds - monotonic()
    if (early > 0) setTimeout(beginNow, early)
    else setImmediate(beginNow)
  }
}

/** Refuses who has waited too long for its set to begin: nothing was done for it. To be called when somebody begins to wait. */
function lateRefusals(
  waiting: () => Pick<Waiting<unknown, unknown>, 'enteredAt' | 'reject'>[],
  waitMillisecondsMax: number,
  onRefused: () => void,
): () => void {
  let isWatching = false
  function watch(milliseconds: number): void {
    isWatching = true
    setTimeout(() => {
      const enteredBefore = monotonic() - waitMillisecondsMax
      const line = waiting()
      while (line[0] !== undefined && line[0].enteredAt <= enteredBefore) line.shift()?.reject(laneFull())
      isWatching = false
      if (line[0] !== undefined) watch(line[0].enteredAt - enteredBefore)
      onRefused()
    }, milliseconds).unref()
  }
  return () => {
    if (!isWatching) watch(waitMillisecondsMax)
  }
}

/** Carries out a set and answers each of it, but where somebody held their rows for too long: then answers that. */
async function carryOutSet<Request, Answer>(
  { name, run }: LaneOptions<Request, Answer>,
  set: readonly Waiting<Request, Answer>[],
): Promise<Error | undefined> {
  try {
    const requests = set.map(({ request }) => request)
    const answers = await (isTracing() ? traced(name, set, () => run(requests)) : run(requests))
    invariant(answers.length === set.length, `lane ${name} answers every request`)
    set.forEach(({ resolve, reject }, index) => {
      const answer = answers[index] as Answer | Refusal
      if (answer instanceof Refusal) reject(answer)
      else resolve(answer)
    })
  } catch (error) {
    if (isLockTimeout(error)) return error
    // PostgreSQL has undone the whole set, so it is safe to try each alone: only the guilty one fails.
    // After a lost connection nobody knows what was committed, so nothing is tried again.
    if (set.length > 1 && isServerError(error)) for (const one of set) await carryOutAlone({ name, run }, one)
    else for (const { reject } of set) reject(error)
  }
  return undefined
}

/**
 * Carries out a set in a span of its own: below that of its first, and linked with those of the others, each in its own trace.
 * Within none where none of it is traced: who happened to start this turn of the lane need not be who is served in it.
 */
function traced<T>(
  name: string,
  set: readonly { readonly span: Span | undefined }[],
  run: () => Promise<T>,
): Promise<T> {
  const spans = set.flatMap(({ span }) => span ?? [])
  const [first, ...others] = spans
  const work = first?.begin(`set of ${name}`)
  if (work === undefined) return within(undefined, run)
  work.note('kobo.set_size', set.length)
  for (const span of spans) span.note('kobo.lane.waited_ms', work.beganAt - span.beganAt)
  for (const span of others) {
    span.link(work)
    work.link(span)
  }
  return spanning(work, run)
}

async function carryOutAlone<Request, Answer>(
  options: LaneOptions<Request, Answer>,
  one: Waiting<Request, Answer>,
): Promise<void> {
  const tooLate = await carryOutSet(options, [one])
  if (tooLate !== undefined) one.reject(tooLate)
}
