import { forgetMarks } from '../../core/list-marks/index.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { forgetProof } from '../../core/money/ledger/index.ts'
import { openPastWallet } from '../../core/money/wallet-balances/index.ts'
import { beginHistory, type History, openPast, readHistory, setDone } from '../../core/past/index.ts'
import { audit } from '../../core/security/audit.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { forgetSums, sumUpNow } from '../../features/overview/index.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { lagosDay, lagosMoment } from '../../kernel/dates.ts'
import { invariant } from '../../kernel/errors.ts'
import type { Core } from '../core.ts'
import { chanceOf } from './chance.ts'
import { EVENING_SECONDS, liveThrough } from './day.ts'
import { deliveriesBy } from './deliveries.ts'

/** A history that is to be made up. */
export interface WantedHistory {
  readonly seed: number
  readonly payments: number
  readonly days: number
  readonly referencePrefix: string
}

export interface HistoryProgress {
  readonly paymentsDone: number
  readonly payments: number
}

/** What came of it. */
export interface HistoryVerdict {
  readonly merchant: string
  readonly seed: number
  readonly payments: number
  readonly days: number
  /** Days that were left out, because the merchant's own acts are in them. */
  readonly daysLeftOut: number
}

/** The newest texts of events are kept; the rest count as dropped by retention, which saves most of the space. */
const TEXTS_DAYS = 14
const DAY_SECONDS = 86_400
/** What is made up ends a moment ago. */
const AGO_SECONDS = 5

/**
 * Makes up a history for a merchant of the sandbox: payments, refunds, transfers, settlements and events of the last days,
 * made by the functions that make them in the present. One day is one database transaction, so it goes on where it was cut
 * off. Each day leaves the wallet as it was, so whatever has happened since stays right.
 */
export async function seedHistory(
  core: Core,
  merchant: Merchant,
  wanted: WantedHistory,
  onProgress: (progress: HistoryProgress) => void,
): Promise<HistoryVerdict> {
  const { seed } = wanted
  const history = await unitOfWork(core, async ({ tx, at, ids }) => {
    const known = await readHistory(tx, merchant.id, seed)
    if (known !== undefined) return known
    const { payments, days } = wanted
    audit(
      { tx, at, ids },
      { merchantId: merchant.id, act: 'history.seed', actor: 'command line', details: { seed, payments, days } },
    )
    const endsAt = secondsAfter(at, -AGO_SECONDS)
    return beginHistory(tx, { merchantId: merchant.id, seed, payments, days, endsAt, daysDone: 0 })
  })
  const counts = paymentsOfDays(history)
  let done = sum(counts.slice(0, history.daysDone))
  let daysLeftOut = 0
  for (let number = history.daysDone; number < history.days; number++) {
    onProgress({ paymentsDone: done, payments: history.payments })
    const payments = counts[number] ?? 0
    const isFree = await seedDay(core, merchant, history, number, payments, wanted.referencePrefix)
    if (!isFree) daysLeftOut++
    done += payments
  }
  await sumUpNow(core, merchant.id)
  onProgress({ paymentsDone: done, payments: history.payments })
  return { merchant: merchant.code, seed, payments: history.payments, days: history.days, daysLeftOut }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

/** How many payments each day has: business grows, and rests on Sundays. Together they are all. */
function paymentsOfDays({ seed, payments, days, endsAt }: History): readonly number[] {
  const chance = chanceOf(seed)
  const last = lagosDay(endsAt)
  const weights = Array.from({ length: days }, (_, index) => {
    const weekday = (last - days + 1 + index + THURSDAY) % 7
    return (1 + (0.6 * index) / days) * (WEEKDAYS[weekday] ?? 1) * (0.85 + 0.3 * chance.part())
  })
  const total = sum(weights)
  let reached = 0
  let given = 0
  return weights.map((weight) => {
    reached += weight
    const count = Math.round((reached / total) * payments) - given
    given += count
    return count
  })
}

/** The first of January 1970 was a Thursday; days are counted from Sunday. */
const THURSDAY = 4
const WEEKDAYS = [0.45, 1, 1, 1.05, 1.1, 1.25, 0.8] as const

/** Writes a day, unless something became of the wallet in it; answers whether it was written. */
async function seedDay(
  core: Core,
  merchant: Merchant,
  history: History,
  number: number,
  payments: number,
  referencePrefix: string,
): Promise<boolean> {
  const { from, to, isOver } = boundsOf(merchant, history, number)
  return unitOfWork(core, async ({ tx }) => {
    const key = { merchantId: merchant.id, accountNumber: merchant.walletAccountNumber }
    const wallet = isOver ? await openPastWallet(tx, key, from, secondsAfter(to, EVENING_SECONDS)) : undefined
    const isFree = !isOver || wallet !== undefined
    const chance = chanceOf(history.seed * 100_003 + number)
    const past = openPast({
      from,
      referencePrefix,
      wallet,
      deliveriesOf: deliveriesBy(chance),
      textsSince: secondsAfter(history.endsAt, -TEXTS_DAYS * DAY_SECONDS),
    })
    const label = `H${history.seed}-${String(number + 1).padStart(3, '0')}`
    if (isFree && to > from) liveThrough(tx, { past, merchant, chance, label, payments, from, to, isOver })
    forgetProof(tx, merchant.id)
    forgetSums(tx, merchant.id)
    forgetMarks(tx, merchant.id)
    setDone(tx, { ...history, daysDone: number + 1 })
    return isFree
  })
}

const TIME_OF_DAY = /^(\d{2}):(\d{2})$/

/** A day goes from one settlement to the next; the last one has just begun, or is under way. */
function boundsOf(merchant: Merchant, { days, endsAt }: History, number: number) {
  const [contract] = merchant.contracts.values()
  const [, hours, minutes] = TIME_OF_DAY.exec(contract?.settlementTime ?? '') ?? []
  invariant(hours !== undefined && minutes !== undefined, 'a contract settles at a time of the day')
  const evening = (day: number): Date => lagosMoment(day, Number(hours) * 60 + Number(minutes))
  const today = lagosDay(endsAt)
  const current = evening(today) > endsAt ? today : today + 1
  const day = current - (days - 1 - number)
  const isOver = day < current
  const from = secondsAfter(evening(day - 1), EVENING_SECONDS)
  return { from, to: isOver ? evening(day) : endsAt, isOver }
}
