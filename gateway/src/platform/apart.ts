/** Those whose rows somebody else holds: they wait by themselves, so that a lane goes on for all others. */
export interface Apart<One> {
  /** Takes one in if others of its kind are here; else it may join a set. */
  readonly takes: (one: One) => boolean
  /** Takes in a set that got its rows too late. Where all of it want the same, they have waited enough and are refused. */
  readonly takeIn: (set: readonly One[], tooLate: Error) => void
  /** How many wait here or are under way. */
  readonly depth: () => number
}

export interface ApartOptions<One> {
  /** Those of one kind want the same rows. */
  readonly kindOf: (one: One) => unknown
  readonly setMax: number
  /** Carries out a set and answers each of it, but where the rows came too late: then answers why. */
  readonly carryOut: (set: readonly One[]) => Promise<Error | undefined>
  readonly refuse: (one: One, reason: Error) => void
  /** How one is refused for whom there is no place. */
  readonly busy: () => Error
  readonly onIdle: () => void
}

/** Each holds a connection while it waits. */
const SETS_MAX = 2
/** So many kinds are remembered whose rows were held at the last try. */
const STUCK_MAX = 1_024

interface Queue<One> {
  waiting: One[]
  isUnderWay: boolean
  /** Whether the last try came too late: until one does not, what comes later is kept here. */
  isStuck: boolean
}

export function openApart<One>(options: ApartOptions<One>): Apart<One> {
  const { kindOf, setMax, carryOut, refuse, busy, onIdle } = options
  /** The one that was tried longest ago is first. */
  const queues = new Map<unknown, Queue<One>>()
  let setsUnderWay = 0
  let depth = 0

  function startNext(): void {
    for (const [kind, queue] of [...queues]) {
      if (setsUnderWay >= SETS_MAX) return
      if (!queue.isUnderWay && queue.waiting.length > 0) void start(kind, queue)
    }
  }

  async function start(kind: unknown, queue: Queue<One>): Promise<void> {
    queues.delete(kind)
    queues.set(kind, queue)
    const set = queue.waiting.splice(0, setMax)
    queue.isUnderWay = true
    setsUnderWay++
    const tooLate = await carryOut(set)
    if (tooLate !== undefined) for (const one of set) refuse(one, tooLate)
    setsUnderWay--
    depth -= set.length
    queue.isUnderWay = false
    queue.isStuck = tooLate !== undefined
    forgetFree(queues)
    startNext()
    if (depth === 0) onIdle()
  }

  return {
    takes: (one) => {
      const queue = queues.size === 0 ? undefined : queues.get(kindOf(one))
      if (queue === undefined) return false
      if (queue.isStuck && !queue.isUnderWay && setsUnderWay >= SETS_MAX) refuse(one, busy())
      else {
        queue.waiting.push(one)
        depth++
        startNext()
      }
      return true
    },
    takeIn: (set, tooLate) => {
      const groups = Map.groupBy(set, kindOf)
      for (const [kind, group] of groups) {
        const queue = queues.get(kind) ?? { waiting: [], isUnderWay: false, isStuck: false }
        queues.set(kind, queue)
        if (groups.size === 1) {
          queue.isStuck = true
          for (const one of group) refuse(one, tooLate)
        } else {
          queue.waiting.push(...group)
          depth += group.length
        }
      }
      forgetFree(queues)
      startNext()
    },
    depth: () => depth,
  }
}

/** Forgets those whose rows are free, and the oldest of too many. */
function forgetFree(queues: Map<unknown, Queue<unknown>>): void {
  for (const [kind, { waiting, isUnderWay, isStuck }] of queues)
    if (waiting.length === 0 && !isUnderWay && (!isStuck || queues.size > STUCK_MAX)) queues.delete(kind)
}
