import { setTimeout as wait } from 'node:timers/promises'
import { monotonic } from '../../kernel/clock.ts'
import type { Failures } from './failures.ts'

/** Runs tasks that several processes share. A task is leased, runs outside a transaction, and stores its outcome. */
export interface Worker {
  /** Works in the background until stopped. */
  readonly start: () => void
  /** Checks for due tasks now instead of at the next poll. */
  readonly wake: () => void
  /** Runs all tasks that are due now and waits for them. Returns how many there were. */
  readonly workDue: () => Promise<number>
  /** Leases no more tasks and waits for running ones. */
  readonly stop: () => Promise<void>
}

/** A worker that also counts tasks which other code of this process has leased. */
export interface OpenWorker<Task> extends Worker {
  /** Counts a task as running until it is carried out. */
  readonly follow: (task: Task, carriedOut: Promise<void>) => void
  /** Whether the worker runs and has room for more tasks. */
  readonly hasRoom: () => boolean
}

export interface WorkerOptions<Task> {
  /** The name of the tasks in log lines, such as `events to send`. */
  readonly tasks: string
  readonly failures: Failures
  readonly underWayMax: number
  /** Whether this process may lease tasks now. */
  readonly mayTake: () => boolean
  /** Leases at most `limit` due tasks. */
  readonly lease: (limit: number) => Promise<readonly Task[]>
  /** Runs a task. If it fails, its lease expires and the task is leased again. */
  readonly carryOut: (task: Task) => Promise<void>
  /** The minimum time between polls. With many small tasks, fewer polls lease more tasks each. */
  readonly gatherMilliseconds?: number
  /** Whether the end of this task may make room for others. True by default. */
  readonly makesRoom?: (task: Task) => boolean
}

/** A worker that finds nothing waits this much longer each time, up to the maximum. */
const POLL_STEP_MILLISECONDS = 200
const POLL_MILLISECONDS_MAX = 1_000
const AFTER_FAILURE_MILLISECONDS = 1_000
const pauseAfter =
  (pause: number) =>
  (taken: number): number =>
    taken === 0 ? Math.min(pause + POLL_STEP_MILLISECONDS, POLL_MILLISECONDS_MAX) : 0

export function worker<Task>(options: WorkerOptions<Task>): OpenWorker<Task> {
  const { tasks, failures, underWayMax, mayTake, lease, carryOut, makesRoom = () => true } = options
  const underWay = new Set<Promise<void>>()
  const isFull = (): boolean => underWay.size >= underWayMax
  let leasing = 0
  let running = false
  let loop: Promise<void> | undefined
  const { rest, wake } = openRest()

  /** Leases and starts due tasks. Returns how many. */
  async function take(): Promise<number> {
    if (isFull() || !mayTake()) return 0
    leasing++
    try {
      const leased = await lease(underWayMax - underWay.size)
      for (const task of leased) follow(task, carryOut(task))
      return leased.length
    } finally {
      leasing--
    }
  }

  function follow(task: Task, carriedOut: Promise<void>): void {
    const work = carriedOut
      .catch((error) => failures.report({ error, tasks }, 'task failed; it will be retried when its lease expires'))
      .finally(() => {
        const wasFull = isFull()
        underWay.delete(work)
        if (wasFull || makesRoom(task)) wake()
      })
    underWay.add(work)
  }

  async function work(): Promise<void> {
    let pause = 0
    while (running) {
      const polledAt = monotonic()
      pause = await take().then(pauseAfter(pause), (error) => reported(options, error))
      if (pause > 0 && running) await rest(pause)
      await waitUntil(polledAt + (options.gatherMilliseconds ?? 0))
    }
  }

  async function workDue(): Promise<number> {
    for (let done = 0; ; ) {
      await Promise.all(underWay)
      const taken = await take()
      // Tasks that the background loop has leased, or is leasing, count as due.
      if (taken === 0 && underWay.size === 0 && leasing === 0) return done
      done += taken
    }
  }

  return {
    start: () => {
      running = true
      loop = work()
    },
    wake,
    follow,
    hasRoom: () => running && !isFull() && mayTake(),
    workDue,
    stop: async () => {
      running = false
      wake()
      await loop
      await Promise.all(underWay)
    },
  }
}

/** Reports a failed lookup; returns how long to pause. */
async function reported(
  { failures, tasks }: Pick<WorkerOptions<unknown>, 'failures' | 'tasks'>,
  error: unknown,
): Promise<number> {
  await failures.report({ error, tasks }, 'task lookup failed; retrying')
  return AFTER_FAILURE_MILLISECONDS
}

async function waitUntil(moment: number): Promise<void> {
  const left = moment - monotonic()
  if (left > 0) await wait(left)
}

/** Creates a wait that `wake` can end early. */
function openRest(): { readonly rest: (milliseconds: number) => Promise<void>; readonly wake: () => void } {
  let end: () => void = () => {}
  return {
    rest: (milliseconds) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, milliseconds)
      end = resolve
      return promise.finally(() => clearTimeout(timer))
    },
    wake: () => end(),
  }
}
