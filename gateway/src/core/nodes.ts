import { randomUUID } from 'node:crypto'
import { type Clock, monotonic } from '../kernel/clock.ts'
import { NODES_MAX, type NodeNumber, type NodeNumbers } from '../kernel/ids.ts'
import { type ClockSkew, openClockSkew } from '../platform/postgres/clock-skew.ts'
import { type Db, inTransaction, waitForLocks } from '../platform/postgres/db.ts'
import type { Acknowledged, TimelineFence } from '../platform/postgres/timeline.ts'

/** The length of a lease, by the database's clock. */
const NODE_LEASE_SECONDS = 60
/**
 * The holder acts only for this share of its lease. The rest of the lease is longer than clocks may differ, so two
 * processes never act under one number.
 */
const HELD_SHARE = 5 / 6
const RENEWALS_PER_LEASE = 4
/** How often an unhealthy process checks whether it has recovered. */
const UNHEALTHY_MILLISECONDS = 1_000
/**
 * The largest allowed difference between this machine's clock and the database's. It is much shorter than any business
 * deadline, and much larger than the error of a clock that NTP sets.
 */
export const SKEW_SECONDS_MAX = 2

/** Thrown at startup if this machine's clock is wrong. */
export class WrongClock extends Error {}

/** This process's node number, held until released or expired. */
export interface NodeLease {
  readonly node: NodeNumber
  /** Why this process must not act now; undefined if it may. It needs no query, so it can be called at every step. */
  readonly whyUnhealthy: () => string | undefined
  /** How far this machine's clock is ahead of the database's. */
  readonly skewMilliseconds: () => number
  /** Gives the number back. The next holder creates ids only after `lastSecond`, the last one that we used. */
  readonly release: (lastSecond: number) => Promise<void>
}

export interface NodeOptions {
  readonly db: Db
  /** Business time, from which ids are made. */
  readonly clock: Clock
  /** This machine's clock, which is compared with the database's. */
  readonly machine: Clock
  /** The numbers to choose from; all by default. */
  readonly numbers?: NodeNumbers | undefined
  readonly leaseSeconds?: number | undefined
  /** Called when the lease expired: the process must stop. */
  readonly onLost: () => void
  /** Receives the database's timeline and WAL position at each renewal. */
  readonly fence?: Pick<TimelineFence, 'acknowledge'> | undefined
  /** Called when the process becomes unhealthy, with the reason. */
  readonly onUnhealthy?: ((why: string) => void) | undefined
}

/** Leases a free node number, unless this machine's clock is wrong. */
export async function takeNodeNumber(options: NodeOptions): Promise<NodeLease> {
  const { db, machine, leaseSeconds = NODE_LEASE_SECONDS } = options
  const skew = await openClockSkew(machine, () => databaseTime(db))
  const wrong = whyWrong(skew)
  if (wrong !== undefined) throw new WrongClock(`${wrong}. Set this machine’s clock (NTP) and start again.`)

  const holder = randomUUID()
  let stopped = false
  let next: NodeJS.Timeout | undefined
  const heldFor = leaseSeconds * HELD_SHARE * 1_000
  // Measured from before the query, by the monotonic clock, so that we stop before the lease ends.
  let goodUntil = monotonic() + heldFor
  const node = await takeFree(options, holder, leaseSeconds, shownSkew(skew))
  const { whyUnhealthy, lose, isLost } = watchHealth(skew, () => goodUntil, {
    onLost: options.onLost,
    onUnhealthy: (why) => {
      options.onUnhealthy?.(why)
      renewLater() // soon, because the clock may be corrected at any moment
    },
  })

  let lost = setTimeout(lose, heldFor).unref()
  async function renew(): Promise<void> {
    const askedAt = monotonic()
    const [renewed] = await db<Acknowledged[]>`
      update node
         set leased_until = clock_timestamp() + ${leaseSeconds} * interval '1 second',
             skew_milliseconds = ${shownSkew(skew)}::integer
       where number = ${node.number} and holder = ${holder}
      returning (select system_identifier::text from pg_control_system()) as system,
                ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer as timeline,
                (pg_current_wal_flush_lsn() - '0/0')::float8 as wal_bytes`
    if (renewed === undefined) return lose()
    options.fence?.acknowledge(renewed)
    goodUntil = askedAt + heldFor
    clearTimeout(lost)
    lost = setTimeout(lose, goodUntil - monotonic()).unref()
    // Measured after the renewal: when a machine wakes up, its clock may be right although its lease has expired.
    await skew.measure(() => databaseTime(db))
  }
  function renewLater(): void {
    if (stopped || isLost()) return
    clearTimeout(next)
    const pause = whyUnhealthy() === undefined ? (leaseSeconds * 1_000) / RENEWALS_PER_LEASE : UNHEALTHY_MILLISECONDS
    next = setTimeout(async () => {
      await renew().catch(() => {}) // the database may be away for a moment; the current lease still counts
      renewLater()
    }, pause).unref()
  }
  renewLater()

  return {
    node,
    whyUnhealthy,
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

/** A larger clock difference is reported as this value. */
const SKEW_SHOWN_MAX = 1_000_000_000

/** Returns the clock difference as it is reported to the operator, limited so that it fits the column. */
function shownSkew(skew: ClockSkew): number | null {
  const milliseconds = Math.round(skew.milliseconds())
  return Number.isNaN(milliseconds) ? null : Math.max(-SKEW_SHOWN_MAX, Math.min(SKEW_SHOWN_MAX, milliseconds))
}

function takeFree(
  { db, clock, numbers: { first, last } = { first: 0, last: NODES_MAX - 1 } }: NodeOptions,
  holder: string,
  leaseSeconds: number,
  skewMilliseconds: number | null,
): Promise<NodeNumber> {
  return inTransaction(db, async (tx) => {
    waitForLocks(tx) // many processes and commands may start at once
    await tx`lock table node in exclusive mode`
    const second = Math.floor(clock.now().getTime() / 1_000)
    const [taken] = await tx<{ number: number; firstSecond: bigint }[]>`
      insert into node (number, holder, leased_until, first_second, skew_milliseconds)
      select min(number), ${holder}, clock_timestamp() + ${leaseSeconds} * interval '1 second', ${second + 1}, ${skewMilliseconds}::integer
        from generate_series(${first}::integer, ${last}::integer) as free (number)
       where not exists (select from node where node.number = free.number and leased_until > clock_timestamp())
      having min(number) is not null
          on conflict (number) do update
         set holder = excluded.holder,
             leased_until = excluded.leased_until,
             first_second = greatest(node.first_second + 1, excluded.first_second),
             skew_milliseconds = excluded.skew_milliseconds
      returning number, first_second`
    if (taken === undefined) throw new Error(`All node numbers from ${first} to ${last} are in use`)
    return { number: taken.number, firstSecond: Number(taken.firstSecond) }
  })
}

/** How long a healthy result is reused: a payment needs about a dozen checks, and each one reads two clocks. */
const HEALTHY_MILLISECONDS = 0.1

/** Decides whether this process may act: only while its node number is valid and its clock is right. */
function watchHealth(
  skew: ClockSkew,
  goodUntil: () => number,
  { onLost, onUnhealthy }: Required<Pick<NodeOptions, 'onLost' | 'onUnhealthy'>>,
) {
  let isLost = false
  let isReported = false
  let healthyUntil = 0
  const find = (now: number): string | undefined =>
    isLost || now >= goodUntil() ? 'This process could not renew its node number in time' : whyWrong(skew)
  return {
    whyUnhealthy: (): string | undefined => {
      const now = monotonic()
      if (now < healthyUntil) return undefined
      const why = find(now)
      const isNew = why !== undefined && !isReported
      isReported = why !== undefined
      healthyUntil = isReported ? 0 : now + HEALTHY_MILLISECONDS
      if (isNew) onUnhealthy?.(why)
      return why
    },
    lose: (): void => {
      if (isLost) return
      isLost = true
      healthyUntil = 0
      onLost()
    },
    isLost: () => isLost,
  }
}

function whyWrong(skew: ClockSkew): string | undefined {
  if (!skew.exceeds(SKEW_SECONDS_MAX * 1_000)) return undefined
  const seconds = skew.milliseconds() / 1_000
  const direction = seconds > 0 ? 'ahead of' : 'behind'
  return `This machine’s clock is ${Math.abs(seconds).toFixed(1)} s ${direction} the database’s; at most ${SKEW_SECONDS_MAX} s are allowed`
}

/** Returns a clock that throws while this process is unhealthy, so that no decision or id depends on a wrong clock. */
export const whileHealthy = <C extends Clock>(clock: C, { whyUnhealthy }: Pick<NodeLease, 'whyUnhealthy'>): C => ({
  ...clock,
  now: () => {
    const why = whyUnhealthy()
    if (why !== undefined) throw new Error(why)
    return clock.now()
  },
})

export interface RunningNode {
  readonly number: number
  readonly leasedUntil: Date
  /** How far its clock was ahead of the database's when last reported; null if never reported. */
  readonly skewMilliseconds: number | null
}

export const selectNodes = (db: Db): Promise<RunningNode[]> =>
  db<RunningNode[]>`
    select number, leased_until, skew_milliseconds from node
     where leased_until > clock_timestamp() order by number limit ${NODES_MAX}`
