import { randomUUID } from 'node:crypto'
import { type Clock, monotonic } from '../kernel/clock.ts'
import { NODES_MAX, type NodeNumber } from '../kernel/ids.ts'
import { type ClockSkew, openClockSkew } from '../platform/clock-skew.ts'
import { type Db, inTransaction } from '../platform/db.ts'

/** By the database's clock, as all leases. */
const NODE_LEASE_SECONDS = 60
/** Its holder takes it for lost sooner, by more than two clocks may differ: so the next holder is never beside it. */
const HELD_SHARE = 5 / 6
const RENEWALS_PER_LEASE = 4
/** While a process is not fit to act it looks more often whether it is again. */
const UNFIT_MILLISECONDS = 1_000
/** How far a machine's clock may be from the database's: far less than any term of business, far more than NTP leaves. */
export const SKEW_SECONDS_MAX = 2

/** This machine's clock is so wrong that a process must not begin. */
export class WrongClock extends Error {}

/** This process's place among the nodes: its number, held until it is released or could not be renewed in time. */
export interface NodeLease {
  readonly node: NodeNumber
  /** Why this process must not act now; undefined where it may. Asks nobody, so it may be asked at every step. */
  readonly whyUnfit: () => string | undefined
  /** How far this machine's clock is ahead of the database's. */
  readonly skewMilliseconds: () => number
  /** Gives the number back; whoever takes it next begins after the last second that was used. */
  readonly release: (lastSecond: number) => Promise<void>
}

export interface NodeOptions {
  readonly db: Db
  /** Business time. */
  readonly clock: Clock
  /** This machine's own clock. */
  readonly machine: Clock
  readonly leaseSeconds?: number | undefined
  /** Called when the lease ran out: the process must then stop. */
  readonly onLost: () => void
  /** Told when the process is no longer fit to act, and why. */
  readonly onUnfit?: ((why: string) => void) | undefined
}

/** Takes a free node number, unless this machine's clock is wrong. */
export async function takeNodeNumber(options: NodeOptions): Promise<NodeLease> {
  const { db, machine, leaseSeconds = NODE_LEASE_SECONDS } = options
  const skew = await openClockSkew(machine, () => databaseTime(db))
  const wrong = whyWrong(skew)
  if (wrong !== undefined) throw new WrongClock(`${wrong}. Set this machine’s clock (NTP) and start again.`)

  const holder = randomUUID()
  const heldFor = leaseSeconds * HELD_SHARE * 1_000
  // Counted from before the database was asked, on a clock that nobody sets.
  let goodUntil = monotonic() + heldFor
  const node = await takeFree(options, holder, leaseSeconds, told(skew))
  const { whyUnfit, lose, isLost } = watchFitness(skew, () => goodUntil, options)

  let lost = setTimeout(lose, heldFor).unref()
  async function renew(): Promise<void> {
    const askedAt = monotonic()
    const { count } = await db`
      update node
         set leased_until = clock_timestamp() + ${leaseSeconds} * interval '1 second',
             skew_milliseconds = ${told(skew)}::integer
       where number = ${node.number} and holder = ${holder}`
    if (count === 0) return lose()
    goodUntil = askedAt + heldFor
    clearTimeout(lost)
    lost = setTimeout(lose, goodUntil - monotonic()).unref()
    // After the number, not before: a machine that slept has its clock right again, and perhaps no number any more.
    await skew.measure(() => databaseTime(db))
  }
  let stopped = false
  let next: NodeJS.Timeout
  function renewLater(): void {
    const pause = whyUnfit() === undefined ? (leaseSeconds * 1_000) / RENEWALS_PER_LEASE : UNFIT_MILLISECONDS
    next = setTimeout(async () => {
      await renew().catch(() => {}) // the database may be away for a moment; what counts is whether the lease is still good
      if (!stopped && !isLost()) renewLater()
    }, pause).unref()
  }
  renewLater()

  return {
    node,
    whyUnfit,
    skewMilliseconds: skew.milliseconds,
    release: async (lastSecond) => {
      stopped = true
      clearTimeout(next)
      clearTimeout(lost)
      await db`
        update node set leased_until = clock_timestamp(), first_second = greatest(first_second, ${lastSecond})
         where number = ${node.number} and holder = ${holder}`
    },
  }
}

async function databaseTime(db: Db): Promise<Date> {
  const [row] = await db<{ now: Date }[]>`select clock_timestamp() as now`
  return row?.now ?? new Date(Number.NaN)
}

/** A clock that is further off is told to be as far off as this. */
const SKEW_TOLD_MAX = 1_000_000_000

/** How far a clock is ahead, as the operator is told it. Never in the way of what it is written with. */
function told(skew: ClockSkew): number | null {
  const milliseconds = Math.round(skew.milliseconds())
  return Number.isNaN(milliseconds) ? null : Math.max(-SKEW_TOLD_MAX, Math.min(SKEW_TOLD_MAX, milliseconds))
}

function takeFree(
  { db, clock }: NodeOptions,
  holder: string,
  leaseSeconds: number,
  skewMilliseconds: number | null,
): Promise<NodeNumber> {
  return inTransaction(db, async (tx) => {
    await tx`lock table node in exclusive mode`
    const second = Math.floor(clock.now().getTime() / 1_000)
    const [taken] = await tx<{ number: number; firstSecond: bigint }[]>`
      insert into node (number, holder, leased_until, first_second, skew_milliseconds)
      select min(number), ${holder}, clock_timestamp() + ${leaseSeconds} * interval '1 second', ${second + 1}, ${skewMilliseconds}::integer
        from generate_series(0, ${NODES_MAX - 1}) as free (number)
       where not exists (select from node where node.number = free.number and leased_until > clock_timestamp())
      having min(number) is not null
          on conflict (number) do update
         set holder = excluded.holder,
             leased_until = excluded.leased_until,
             first_second = greatest(node.first_second + 1, excluded.first_second),
             skew_milliseconds = excluded.skew_milliseconds
      returning number, first_second`
    if (taken === undefined) throw new Error(`All ${NODES_MAX} node numbers are in use`)
    return { number: taken.number, firstSecond: Number(taken.firstSecond) }
  })
}

/** For a tenth of a millisecond what was found stands: a payment asks a dozen times, and two clocks are read for each. */
const FIT_MILLISECONDS = 0.1

/** Says whether this process may act: while its number is its own and its machine's clock is right. */
function watchFitness(skew: ClockSkew, goodUntil: () => number, { onLost, onUnfit }: NodeOptions) {
  let isLost = false
  let isTold = false
  let fitUntil = 0
  const find = (now: number): string | undefined =>
    isLost || now >= goodUntil() ? 'This process could not renew its node number in time' : whyWrong(skew)
  return {
    whyUnfit: (): string | undefined => {
      const now = monotonic()
      if (now < fitUntil) return undefined
      const why = find(now)
      if (why !== undefined && !isTold) onUnfit?.(why)
      isTold = why !== undefined
      fitUntil = isTold ? 0 : now + FIT_MILLISECONDS
      return why
    },
    lose: (): void => {
      if (isLost) return
      isLost = true
      fitUntil = 0
      onLost()
    },
    isLost: () => isLost,
  }
}

function whyWrong(skew: ClockSkew): string | undefined {
  if (!skew.exceeds(SKEW_SECONDS_MAX * 1_000)) return undefined
  const seconds = skew.milliseconds() / 1_000
  const direction = seconds > 0 ? 'ahead of' : 'behind'
  return `This machine’s clock is ${Math.abs(seconds).toFixed(1)} s ${direction} the database’s, and ${SKEW_SECONDS_MAX} s are the most that may be`
}

/** The same clock, but it tells no time while this process must not act: so nothing is decided or numbered by a wrong one. */
export const whileFit = <C extends Clock>(clock: C, { whyUnfit }: Pick<NodeLease, 'whyUnfit'>): C => ({
  ...clock,
  now: () => {
    const why = whyUnfit()
    if (why !== undefined) throw new Error(why)
    return clock.now()
  },
})

/** A node that runs. */
export interface RunningNode {
  readonly number: number
  readonly leasedUntil: Date
  /** How far its clock was ahead of the database's when it last told; null where it never did. */
  readonly skewMilliseconds: number | null
}

/** The nodes that run, by their numbers. */
export const selectNodes = (db: Db): Promise<RunningNode[]> =>
  db<RunningNode[]>`
    select number, leased_until, skew_milliseconds from node
     where leased_until > clock_timestamp() order by number limit ${NODES_MAX}`
