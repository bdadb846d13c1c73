import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { secondsAfter } from '../kernel/clock.ts'
import type { Failures } from '../platform/lanes/failures.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import type { Db } from '../platform/postgres/db.ts'
import type { BusinessClock } from './business-clock.ts'
import { type Election, standForElection } from './election.ts'
import type { Shard, Shards } from './shards/index.ts'

/** Scheduled work. */
export type Sweep = Schedule & (RunsOnShards | RunsOnce)

interface Schedule {
  readonly name: string
  /** When the next item is due. Absent if the work may run late. */
  readonly nextDue?: () => Promise<Date | undefined>
  /** How often to look for due items, if not every second. */
  readonly everySeconds?: number
  /** How long the sweep pauses, in business time, once everything due is done. */
  readonly restSeconds?: number
}

interface RunsOnShards {
  /** Processes up to `limit` due items of a shard; returns how many. Without Citus there is one shard. */
  readonly runShard: (shard: Shard, at: Date, limit: number) => Promise<number>
}

interface RunsOnce {
  /** Processes up to `limit` due items of work that is not spread over shards; returns how many. */
  readonly run: (at: Date, limit: number) => Promise<number>
}

/** How often to look for data to delete. */
export const DELETION_SECONDS = 60

const BATCH_MAX = 500
const BATCHES_MAX = 10_000
const PAUSE_SECONDS = 1
const STEP_MILLISECONDS = 1_000
const STEPS_MAX = 1_000_000

/**
 * One elected process runs the sweeps. If it dies, another one continues within seconds. A sweep locks the rows that it
 * processes, so nothing is done twice even if two processes run it at once.
 */
export interface Sweeps {
  readonly start: () => void
  readonly stop: () => Promise<void>
  /** Advances business time. At each due time on the way, the due work runs first. */
  readonly advanceTo: (moment: Date) => Promise<void>
}

interface Deps {
  readonly core: {
    readonly db: Db
    readonly clock: BusinessClock
    readonly nodeLease: { readonly whyUnhealthy: () => string | undefined }
    readonly shards: Shards
  }
  readonly failures: Failures
  readonly metrics: Metrics
  readonly sweeps: readonly Sweep[]
  /** Workers that run before the sweeps when the clock advances; they also have their own loops. */
  readonly before: readonly Sweep[]
  /** Workers that run after the sweeps when the clock advances. */
  readonly after: readonly Sweep[]
}

export function openSweeps(deps: Deps): Sweeps {
  const { clock, nodeLease, shards } = deps.core
  const all: readonly Sweep[] = [...deps.before, ...deps.sweeps, ...deps.after]
  // Sweeps without a due time may be late: they run once, after the clock has advanced.
  const timely = all.filter(({ nextDue }) => nextDue !== undefined)
  const stopping = new AbortController()
  const mayGoOn = (): boolean => !stopping.signal.aborted && nodeLease.whyUnhealthy() === undefined
  const runToEnd = runner(clock, shards, mayGoOn)
  const { start, ended } = openLoops(deps, deps.sweeps, stopping.signal, mayGoOn, async (sweep) => {
    await advancing
    await runToEnd(sweep)
  })

  async function runEach(sweeps: readonly Sweep[]): Promise<number> {
    let total = 0
    for (const sweep of sweeps) total += await runToEnd(sweep)
    return total
  }

  /** The advance in progress. Loops wait for it, so that due work runs only here and in order. */
  let advancing: Promise<void> = Promise.resolve()

  async function advance(moment: Date): Promise<void> {
    let leftUndone: number | undefined
    for (let step = 0; step < STEPS_MAX; step++) {
      const due = await earliestDue(timely)
      // If a step leaves overdue work behind, another node has leased that work.
      if (due === undefined || due > moment || due.getTime() === leftUndone) break
      const behind = due <= clock.now()
      if (!behind) await clock.moveTo(new Date(Math.min(due.getTime() + STEP_MILLISECONDS, moment.getTime())))
      leftUndone = (await runEach(timely)) === 0 && behind ? due.getTime() : undefined
    }
    await clock.moveTo(moment)
    await runEach(all)
  }

  return {
    start,
    stop: () => {
      stopping.abort()
      return ended()
    },
    advanceTo: (moment) => {
      const advanced = advancing.then(() => advance(moment))
      advancing = advanced.catch(() => {})
      return advanced
    },
  }
}

/** Runs due work in the background while this process is elected. */
function openLoops(
  { core: { db }, failures, metrics }: Deps,
  sweeps: readonly Sweep[],
  stopping: AbortSignal,
  mayStand: () => boolean,
  run: (sweep: Sweep) => Promise<void>,
) {
  let election: Election | undefined
  let loops: readonly Promise<void>[] = []
  // Every loop listens to this signal.
  setMaxListeners(sweeps.length, stopping)
  const isElected = (): boolean => election?.isElected() === true
  metrics.gauge('kobo_elected', 'Whether this process is elected to run a task for all processes', 'task', async () => [
    ['sweeps', isElected() ? 1 : 0],
  ])
  const pause = (seconds: number): Promise<void> =>
    wait(seconds * 1_000, undefined, { signal: stopping }).catch(() => {})

  /**
   * Each sweep has its own loop, so that a slow one does not delay the others. Within the first pause, the loops start
   * one after another.
   */
  async function work(sweep: Sweep, turn: number): Promise<void> {
    await pause((PAUSE_SECONDS * (turn + 1)) / sweeps.length)
    while (!stopping.aborted) {
      const isOurs = isElected()
      if (isOurs)
        await run(sweep).catch((error: unknown) =>
          failures.report({ error, sweep: sweep.name }, 'a sweep failed; trying again'),
        )
      await pause((isOurs && sweep.everySeconds) || PAUSE_SECONDS)
    }
  }

  return {
    start: () => {
      election = standForElection({ db, task: 'sweeps', mayStand })
      loops = sweeps.map(work)
    },
    ended: async () => {
      await Promise.all(loops)
      await election?.stop()
    },
  }
}

/**
 * Runs everything that is due in a sweep, after waiting for a run in progress: when an advance of the clock returns,
 * all due work must be done.
 */
function runner({ now }: BusinessClock, shards: Shards, mayGoOn: () => boolean): (sweep: Sweep) => Promise<number> {
  const underWay = new Map<Sweep, Promise<unknown>>()
  const restsUntil = new Map<Sweep, Date>()

  const runBatch = (sweep: Sweep, at: Date): Promise<number> =>
    'runShard' in sweep ? shards.each((shard) => sweep.runShard(shard, at, BATCH_MAX)) : sweep.run(at, BATCH_MAX)

  /** Runs due work in batches, so that no transaction holds its locks for long. */
  async function runBatches(sweep: Sweep): Promise<number> {
    let total = 0
    for (let batch = 0; batch < BATCHES_MAX && mayGoOn(); batch++) {
      const at = now()
      if (at < (restsUntil.get(sweep) ?? at)) break
      const done = await runBatch(sweep, at)
      total += done
      if (done >= BATCH_MAX) continue
      if (sweep.restSeconds !== undefined) restsUntil.set(sweep, secondsAfter(at, sweep.restSeconds))
      break
    }
    return total
  }

  return (sweep) => {
    const before = underWay.get(sweep) ?? Promise.resolve()
    const work = before.catch(() => {}).then(() => runBatches(sweep))
    underWay.set(sweep, work)
    return work
  }
}

/** Returns when the next item of any sweep is due. */
async function earliestDue(sweeps: readonly Sweep[]): Promise<Date | undefined> {
  const dues = await Promise.all(sweeps.map(({ nextDue }) => nextDue?.()))
  return dues.reduce(
    (earliest, due) => (due !== undefined && (earliest === undefined || due < earliest) ? due : earliest),
    undefined,
  )
}
