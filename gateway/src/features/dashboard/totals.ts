import type { COLLECTED_BY } from '@kobo/contract'
import { type HourOfMoves, ID_MAX, sumHours } from '../../core/money/ledger/index.ts'
import { monotonic } from '../../kernel/clock.ts'
import { dayText, lagosDay, startOfDay } from '../../kernel/dates.ts'
import { firstIdAt } from '../../kernel/ids.ts'
import { type Kobo, kobo } from '../../kernel/money.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { transactionReads } from '../transactions/index.ts'
import {
  type HourOfTransactions,
  type Outcomes,
  readSummed,
  selectDays,
  selectTotalsOfAll,
  sumOutcomesBetween,
} from './repository.ts'
import { finalBefore } from './sweeps.ts'

/** The sums of hours that are not stored yet. */
interface LiveHours {
  readonly moves: readonly HourOfMoves[]
  readonly outcomes: readonly HourOfTransactions[]
}

/** How long live sums are cached: this factor times the time that computing them took, up to a limit. */
const CACHE_FACTOR = 10
const CACHE_MILLISECONDS_MAX = 15_000
const CACHED_MAX = 1_000
const DAY_MILLISECONDS = 86_400_000
/** Without stored sums, at most this many days are summed on request. */
const LIVE_DAYS_MAX = 2

/** Counts a merchant's transactions by status, for each hour from `from` on. */
export type ReadOutcomes = (merchantId: bigint, from: Date, at: Date) => Promise<readonly Outcomes[]>

/** Reads the money moved between the start of the day `from` and the moment `to`, with one sum per day. */
export type ReadDays = (merchantId: bigint, from: Date, to: Date, at: Date) => Promise<readonly HourOfMoves[]>

export interface Hours {
  readonly readDays: ReadDays
  readonly readOutcomes: ReadOutcomes
}

/** The cached sums of a merchant, computed for the business time `at`. They expire `milliseconds` after `began`. */
interface CachedHour {
  readonly at: number
  readonly began: number
  milliseconds: number
  readonly hours: Promise<LiveHours>
}

/** Opens the reader of hours. Callers shortly after each other share the sums of hours that are not stored yet. */
export function openHours(db: Db): Hours {
  const live = new Map<bigint, CachedHour>()

  async function sumLive(merchantId: bigint, through: Date, at: Date): Promise<LiveHours> {
    const [moves, outcomes] = await Promise.all([
      sumHours(db, [{ merchantId, after: firstIdAt(through) - 1n, upTo: ID_MAX }]),
      transactionReads.outcomes(db, [{ merchantId, from: through, to: new Date(at.getTime() + DAY_MILLISECONDS) }]),
    ])
    return { moves, outcomes }
  }

  function readLive(merchantId: bigint, through: Date, at: Date): Promise<LiveHours> {
    const began = monotonic()
    const cached = live.get(merchantId)
    const isNear = cached !== undefined && Math.abs(at.getTime() - cached.at) < CACHE_MILLISECONDS_MAX
    if (isNear && began - cached.began < cached.milliseconds) return cached.hours
    const hours = sumLive(merchantId, through, at)
    const keeping: CachedHour = { at: at.getTime(), began, milliseconds: CACHE_MILLISECONDS_MAX, hours }
    live.delete(merchantId)
    live.set(merchantId, keeping)
    hours.then(
      () => {
        keeping.milliseconds = Math.min(CACHE_MILLISECONDS_MAX, CACHE_FACTOR * (monotonic() - began))
      },
      () => live.delete(merchantId),
    )
    const [oldest] = live.keys()
    if (live.size > CACHED_MAX && oldest !== undefined) live.delete(oldest)
    return hours
  }

  /** Returns the time up to which stored sums are used. Later hours are summed on request. */
  async function storedThrough(merchantId: bigint, at: Date): Promise<Date> {
    const [summed] = await readSummed(db, [merchantId])
    const earliest = new Date(at.getTime() - LIVE_DAYS_MAX * DAY_MILLISECONDS)
    return summed === undefined || summed.through < earliest ? earliest : summed.through
  }

  const readDays: ReadDays = async (merchantId, from, to, at) => {
    const through = await storedThrough(merchantId, at)
    // An hour is included as a whole if its start is in the period.
    const before = to < through ? new Date(to.getTime() + 1) : through
    const [days, since] = await Promise.all([
      selectDays(db, merchantId, from, before),
      readLive(merchantId, through, at),
    ])
    return [...days, ...since.moves.filter(({ hour }) => hour >= through && hour >= from && hour <= to)]
  }

  const readOutcomes: ReadOutcomes = async (merchantId, from, at) => {
    const through = await storedThrough(merchantId, at)
    const [outcomes, since] = await Promise.all([
      sumOutcomesBetween(db, merchantId, from, through),
      readLive(merchantId, through, at),
    ])
    return [...outcomes, ...since.outcomes.filter(({ hour }) => hour >= through && hour >= from)]
  }
  return { readDays, readOutcomes }
}

export type CollectedBy = (typeof COLLECTED_BY)[number]

/** The payment method of each clearing account. */
const RAILS: Readonly<Record<string, CollectedBy>> = {
  'clearing/bank-transfer': 'ACCOUNT_TRANSFER',
  'clearing/card': 'CARD',
  'clearing/direct-debit': 'DIRECT_DEBIT',
  'clearing/cash': 'CASH',
}

/** The amount collected by one payment method. */
export interface Collected {
  readonly method: CollectedBy
  readonly hour: Date
  readonly amount: Kobo
  readonly fee: Kobo
  readonly payments: number
}

/** Returns the collections: all money from a rail to the merchant, its sub accounts or our fees. */
export function collectedIn(moves: readonly HourOfMoves[]): readonly Collected[] {
  return moves.flatMap(({ hour, source, target, count, amount }) => {
    const method = RAILS[source]
    const isFee = target === 'fees/collection'
    if (method === undefined || !(isFee || target === 'payable')) return []
    return {
      method,
      hour,
      amount: kobo(amount),
      fee: kobo(isFee ? amount : 0n),
      payments: isFee ? 0 : Number(count),
    }
  })
}

export const sumCollected = (all: readonly Collected[]) => ({
  amount: kobo(all.reduce((sum, { amount }) => sum + amount, 0n)),
  fee: kobo(all.reduce((sum, { fee }) => sum + fee, 0n)),
  payments: all.reduce((sum, { payments }) => sum + payments, 0),
})

export const dayOf = ({ hour }: { readonly hour: Date }): string => dayText(lagosDay(hour))

export const collectedSince = async (db: Db, merchantId: bigint, from: Date, at: Date) =>
  sumCollected(collectedIn(await openHours(db).readDays(merchantId, from, at, at)))

/** Returns today's collections of all merchants, up to the last hour that is summed. */
export async function collectedToday(db: Db, at: Date) {
  const from = startOfDay(at)
  const moves = await selectTotalsOfAll(db, from)
  const through = finalBefore(at)
  return {
    ...sumCollected(collectedIn(moves.map((move) => ({ ...move, merchantId: 0n, hour: from })))),
    through: through > from ? through : from,
  }
}
