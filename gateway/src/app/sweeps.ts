import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { BusinessClock } from '../core/business-clock.ts'
import type { Core } from '../core/core.ts'
import { forgetOldKeys } from '../core/edge/idempotency.ts'
import { type Election, standForElection } from '../core/election.ts'
import { type Delivery, nextEventDue } from '../core/messages/outbox/index.ts'
import { forgetOldCounts } from '../core/security/limits.ts'
import { FORGETTING_SECONDS, type Sweep } from '../core/sweep.ts'
import { refreshStatistics } from '../platform/db.ts'
import type { Failures } from '../platform/failures.ts'
import type { Metrics } from '../platform/metrics.ts'

const SET_MAX = 500
const SETS_MAX = 10_000
const PAUSE_SECONDS = 1
const STEP_MILLISECONDS = 1_000
const STEPS_MAX = 1_000_000
/** A new database grows faster than PostgreSQL looks at it by itself. */
const STATISTICS_SECONDS = 5

/**
 * What falls due is looked for by one process of all, which they elect; where that dies, another goes on within seconds. All
 * rows that a sweep takes are locked, so that nothing is done twice even where two look at once.
 */
export interface Sweeps {
  readonly start: () => void
  readonly stop: () => Promise<void>
  /** Moves business time ahead to a moment: stops at each time something falls due, and does it, before it moves on. */
  readonly advanceTo: (moment: Date) => Promise<void>
}

interface Deps {
  readonly core: Core
  readonly failures: Failures
  readonly metrics: Metrics
  readonly delivery: Delivery
  /** What falls due in core and in the features. */
  readonly sweeps: readonly Sweep[]
  /** What has a loop of its own, and takes part when time is moved ahead. */
  readonly workers: readonly Sweep[]
}

export function openSweeps(deps: Deps): Sweeps {
  const { clock, fitness } = deps.core
  const { background, all, timely } = orderSweeps(deps)
  const stopping = new AbortController()
  const mayGoOn = (): boolean => !stopping.signal.aborted && fitness.whyUnfit() === undefined
  const runToEnd = runner(clock, mayGoOn)
  const { start, ended } = openLoops(deps, background, stopping.signal, mayGoOn, async (sweep) => {
    await advancing
    await runToEnd(sweep)
  })

  async function runEach(sweeps: readonly Sweep[]): Promise<number> {
    let total = 0
    for (const sweep of sweeps) total += await runToEnd(sweep)
    return total
  }

  /** Loops wait while somebody moves time ahead: what falls due is done in its order then, and by nobody else here. */
  let advancing: Promise<void> = Promise.resolve()

  async function advance(moment: Date): Promise<void> {
    let leftUndone: number | undefined
    for (let step = 0; step < STEPS_MAX; step++) {
      const due = await earliestDue(timely)
      // What is overdue and was left undone a step ago is held by another node, which will do it.
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

/** Looks for what is due in the background, while this process is elected. */
function openLoops(
  { core: { db }, failures, metrics }: Deps,
  sweeps: readonly Sweep[],
  stopping: AbortSignal,
  mayStand: () => boolean,
  run: (sweep: Sweep) => Promise<void>,
) {
  let election: Election | undefined
  let loops: readonly Promise<void>[] = []
  // Every loop listens to it.
  setMaxListeners(sweeps.length, stopping)
  const isElected = (): boolean => election?.isElected() === true
  metrics.gauge('kobo_elected', 'Whether this process does what one does for all', 'task', async () => [
    ['sweeps', isElected() ? 1 : 0],
  ])
  const pause = (seconds: number): Promise<void> =>
    wait(seconds * 1_000, undefined, { signal: stopping }).catch(() => {})

  /** Each sweep has a loop of its own, so that one that waits for a rail holds up no other; they take turns to begin. */
  async function work(sweep: Sweep, turn: number): Promise<void> {
    await pause((PAUSE_SECONDS * (turn + 1)) / sweeps.length)
    while (!stopping.aborted) {
      const isOurs = isElected()
      if (isOurs)
        await run(sweep).catch((error: unknown) =>
          failures.tell({ error, sweep: sweep.name }, 'a sweep failed; trying again'),
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

/** What has a loop here, all that takes part when time is moved ahead, in its order, and what of it has its moment. */
function orderSweeps({ core: { db, wall, shards }, delivery, sweeps, workers }: Deps) {
  const background: readonly Sweep[] = [
    ...sweeps,
    {
      name: 'forget idempotency keys',
      run: (at, limit) => shards.each((shard) => forgetOldKeys(db, shard, at, limit)),
      everySeconds: FORGETTING_SECONDS,
    },
    { name: 'forget counts', run: (_, limit) => forgetOldCounts(db, wall, limit), everySeconds: FORGETTING_SECONDS },
    { name: 'refresh statistics', run: (_, limit) => refreshStatistics(db, limit), everySeconds: STATISTICS_SECONDS },
  ]
  // What workers carry out comes before what tells of it.
  const all: readonly Sweep[] = [
    ...workers,
    ...background,
    { name: 'send events', run: () => delivery.workDue(), nextDue: () => nextEventDue(db) },
  ]
  // All others may be late, and are done once, when time has moved ahead.
  const timely = all.filter(({ nextDue }) => nextDue !== undefined)
  return { background, all, timely }
}

/** Makes what does all of a sweep that is due now. What is already being done of it is waited for: whoever moves the clock sees it done. */
function runner({ now }: BusinessClock, mayGoOn: () => boolean): (sweep: Sweep) => Promise<number> {
  const underWay = new Map<Sweep, Promise<unknown>>()

  /** In sets, so that none holds its locks for long. */
  async function runSets({ run }: Sweep): Promise<number> {
    let total = 0
    for (let set = 0; set < SETS_MAX && mayGoOn(); set++) {
      const done = await run(now(), SET_MAX)
      total += done
      if (done < SET_MAX) break
    }
    return total
  }

  return (sweep) => {
    const before = underWay.get(sweep) ?? Promise.resolve()
    const work = before.catch(() => {}).then(() => runSets(sweep))
    underWay.set(sweep, work)
    return work
  }
}

/** When the next of all that is waited for falls due. */
async function earliestDue(sweeps: readonly Sweep[]): Promise<Date | undefined> {
  const dues = await Promise.all(sweeps.map(({ nextDue }) => nextDue?.()))
  return dues.reduce(
    (earliest, due) => (due !== undefined && (earliest === undefined || due < earliest) ? due : earliest),
    undefined,
  )
}
