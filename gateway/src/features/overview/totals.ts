import type { COLLECTED_BY } from '@kobo/contract'
import { type HourOfMoves, ID_MAX, sumHours } from '../../core/money/ledger/index.ts'
import { monotonic } from '../../kernel/clock.ts'
import { dayText, lagosDay } from '../../kernel/dates.ts'
import { firstIdAt } from '../../kernel/ids.ts'
import { type Kobo, kobo } from '../../kernel/money.ts'
import type { Db } from '../../platform/db.ts'
import { type HourOfTransactions, sumOutcomes } from '../transactions/index.ts'
import { type Outcomes, readSummed, selectDays, sumOutcomesBetween } from './repository.ts'

/** What the hours brought that are not summed up yet. */
interface LiveHours {
  readonly moves: readonly HourOfMoves[]
  readonly outcomes: readonly HourOfTransactions[]
}

/** What a running hour brought is kept for so many times as long as it took to sum it up, and for so long at the most. */
const KEPT_TIMES = 10
const KEPT_MILLISECONDS_MAX = 15_000
const KEPT_MAX = 1_000
const DAY_MILLISECONDS = 86_400_000
/** Where nothing is summed up yet, so far back it is done at once. */
const LIVE_DAYS_MAX = 2

/** Reads what became of the transactions that were asked for in the hours since a moment. */
export type ReadOutcomes = (merchantId: bigint, from: Date, at: Date) => Promise<readonly Outcomes[]>

/** Reads what moved from the beginning of a day up to a moment, as sums of days. */
export type ReadDays = (merchantId: bigint, from: Date, to: Date, at: Date) => Promise<readonly HourOfMoves[]>

export interface Hours {
  readonly readDays: ReadDays
  readonly readOutcomes: ReadOutcomes
}

/** The sums of a running hour, as they were at a business time; they are kept by real time. */
interface Kept {
  readonly at: number
  readonly began: number
  milliseconds: number
  readonly hours: Promise<LiveHours>
}

/** Makes what reads hours; the running one is summed up for all who ask within a while. */
export function openHours(db: Db): Hours {
  const live = new Map<bigint, Kept>()

  async function sumLive(merchantId: bigint, through: Date, at: Date): Promise<LiveHours> {
    const [moves, outcomes] = await Promise.all([
      sumHours(db, [{ merchantId, after: firstIdAt(through) - 1n, upTo: ID_MAX }]),
      sumOutcomes(db, [{ merchantId, from: through, to: new Date(at.getTime() + DAY_MILLISECONDS) }]),
    ])
    return { moves, outcomes }
  }

  function readLive(merchantId: bigint, through: Date, at: Date): Promise<LiveHours> {
    const began = monotonic()
    const kept = live.get(merchantId)
    const isNear = kept !== undefined && Math.abs(at.getTime() - kept.at) < KEPT_MILLISECONDS_MAX
    if (isNear && began - kept.began < kept.milliseconds) return kept.hours
    const hours = sumLive(merchantId, through, at)
    const keeping: Kept = { at: at.getTime(), began, milliseconds: KEPT_MILLISECONDS_MAX, hours }
    live.delete(merchantId)
    live.set(merchantId, keeping)
    hours.then(
      () => {
        keeping.milliseconds = Math.min(KEPT_MILLISECONDS_MAX, KEPT_TIMES * (monotonic() - began))
      },
      () => live.delete(merchantId),
    )
    const [oldest] = live.keys()
    if (live.size > KEPT_MAX && oldest !== undefined) live.delete(oldest)
    return hours
  }

  /** Up to when the hours are at rest and summed up. */
  async function restOf(merchantId: bigint, at: Date): Promise<Date> {
    const [summed] = await readSummed(db, [merchantId])
    const earliest = new Date(at.getTime() - LIVE_DAYS_MAX * DAY_MILLISECONDS)
    return summed === undefined || summed.through < earliest ? earliest : summed.through
  }

  const readDays: ReadDays = async (merchantId, from, to, at) => {
    const through = await restOf(merchantId, at)
    // An hour counts as a whole, by its beginning.
    const before = to < through ? new Date(to.getTime() + 1) : through
    const [days, since] = await Promise.all([
      selectDays(db, merchantId, from, before),
      readLive(merchantId, through, at),
    ])
    return [...days, ...since.moves.filter(({ hour }) => hour >= through && hour >= from && hour <= to)]
  }

  const readOutcomes: ReadOutcomes = async (merchantId, from, at) => {
    const through = await restOf(merchantId, at)
    const [outcomes, since] = await Promise.all([
      sumOutcomesBetween(db, merchantId, from, through),
      readLive(merchantId, through, at),
    ])
    return [...outcomes, ...since.outcomes.filter(({ hour }) => hour >= through && hour >= from)]
  }
  return { readDays, readOutcomes }
}

export type CollectedBy = (typeof COLLECTED_BY)[number]

/** Where money that came by each means is held. */
const RAILS: Readonly<Record<string, CollectedBy>> = {
  'clearing/bank-transfer': 'ACCOUNT_TRANSFER',
  'clearing/card': 'CARD',
  'clearing/direct-debit': 'DIRECT_DEBIT',
  'clearing/cash': 'CASH',
}

/** What was collected by one means. */
export interface Collected {
  readonly method: CollectedBy
  readonly hour: Date
  readonly amount: Kobo
  readonly fee: Kobo
  readonly payments: number
}

/** What was collected: all that came from a rail and became the merchant's, its sub accounts' or our fee. */
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

/** The sum of what was collected. */
export const sumCollected = (all: readonly Collected[]) => ({
  amount: kobo(all.reduce((sum, { amount }) => sum + amount, 0n)),
  fee: kobo(all.reduce((sum, { fee }) => sum + fee, 0n)),
  payments: all.reduce((sum, { payments }) => sum + payments, 0),
})

/** The day of an hour in Lagos. */
export const dayOf = ({ hour }: { readonly hour: Date }): string => dayText(lagosDay(hour))
