import { setTimeout as wait } from 'node:timers/promises'
import { monotonic } from '../kernel/clock.ts'
import type { Failures } from './failures.ts'

/** Work that several processes share: tasks are leased, carried out with no transaction open, and concluded by the task itself. */
export interface Worker {
  /** Works in the background until stopped. */
  readonly start: () => void
  /** Something may have fallen due just now. */
  readonly wake: () => void
  /** Does all that is due at this moment, and waits for the outcome. Answers how many it did. */
  readonly workDue: () => Promise<number>
  /** Takes nothing new and waits for what is under way. */
  readonly stop: () => Promise<void>
}

export interface WorkerOptions<Task> {
  /** As `events to send`. */
  readonly tasks: string
  readonly failures: Failures
  readonly underWayMax: number
  /** Whether anything may be taken now. */
  readonly mayTake: () => boolean
  /** Takes up to so many tasks that are due; nobody else gets them while the lease lasts. */
  readonly lease: (limit: number) => Promise<readonly Task[]>
  /** Carries out a task. Where it fails, the lease runs out and the task is taken again. */
  readonly carryOut: (task: Task) => Promise<void>
  /** So long after a look the next one comes: with many small tasks, few looks serve all of them. */
  readonly gatherMilliseconds?: number
  /** Whether more may be taken once this one is done. Always where left out. */
  readonly makesRoom?: (task: Task) => boolean
}

const POLL_MILLISECONDS = 200
const AFTER_FAILURE_MILLISECONDS = 1_000
const pauseAfter = (taken: number): number => (taken === 0 ? POLL_MILLISECONDS : 0)

export function worker<Task>(options: WorkerOptions<Task>): Worker {
  const { tasks, failures, underWayMax, mayTake, lease, carryOut, makesRoom = () => true } = options
  const underWay = new Set<Promise<void>>()
  const isFull = (): boolean => underWay.size >= underWayMax
  let leasing = 0
  let running = false
  let loop: Promise<void> | undefined
  const { rest, wake } = openRest()

  /** Leases what is due and begins it. Answers how much that is. */
  async function take(): Promise<number> {
    if (isFull() || !mayTake()) return 0
    leasing++
    try {
      const leased = await lease(underWayMax - underWay.size)
      for (const task of leased) begin(task)
      return leased.length
    } finally {
      leasing--
    }
  }

  function begin(task: Task): void {
    const work = carryOut(task)
      .catch((error) => failures.tell({ error, tasks }, 'a task failed; it is taken again when its lease is over'))
      .finally(() => {
        const wasFull = isFull()
        underWay.delete(work)
        if (wasFull || makesRoom(task)) wake()
      })
    underWay.add(work)
  }

  async function work(): Promise<void> {
    while (running) {
      const lookedAt = monotonic()
      const pause = await take().then(pauseAfter, async (error) => {
        await failures.tell({ error, tasks }, 'looking for tasks failed; trying again')
        return AFTER_FAILURE_MILLISECONDS
      })
      if (pause > 0 && running) await rest(pause)
      await waitUntil(lookedAt + (options.gatherMilliseconds ?? 0))
    }
  }

  async function workDue(): Promise<number> {
    for (let done = 0; ; ) {
      await Promise.all(underWay)
      const taken = await take()
      // What the background has taken, or is about to, is part of what is due.
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
    workDue,
    stop: async () => {
      running = false
      wake()
      await loop
      await Promise.all(underWay)
    },
  }
}

async function waitUntil(moment: number): Promise<void> {
  const early = moment - monotonic()
  if (early > 0) await wait(early)
}

/** A rest that can be cut short. */
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
