import type { Core } from '../../../core/core.ts'
import { forgetMarks } from '../../../core/list-index/index.ts'
import type { Merchant } from '../../../core/merchants/index.ts'
import { deleteCheckpoints } from '../../../core/money/ledger/index.ts'
import { openHistoryWallet } from '../../../core/money/wallet-balances/index.ts'
import {
  beginHistory,
  type History,
  openHistoryWriter,
  readHistory,
  setDone,
  withoutTimeouts,
} from '../../../core/sandbox-history/index.ts'
import { audit } from '../../../core/security/audit.ts'
import { unitOfWork } from '../../../core/unit-of-work.ts'
import { secondsAfter } from '../../../kernel/clock.ts'
import { lagosDay, lagosMoment } from '../../../kernel/dates.ts'
import { invariant } from '../../../kernel/errors.ts'
import { deleteSums, sumUpNow } from '../../dashboard/index.ts'
import { seededRandom } from '../random.ts'
import { EVENING_SECONDS, simulateDay } from './day.ts'
import { deliveriesBy } from './deliveries.ts'

export interface HistoryRequest {
  readonly seed: number
  readonly payments: number
  readonly days: number
  readonly referencePrefix: string
}

export interface HistoryProgress {
  readonly paymentsDone: number
  readonly payments: number
}

export interface HistoryResult {
  readonly merchant: string
  readonly seed: number
  readonly payments: number
  readonly days: number
  /** The number of days left out because the merchant itself was active on them. */
  readonly daysLeftOut: number
}

/** The number of days whose events keep their bodies. Older bodies count as deleted by retention, to save space. */
const BODY_DAYS = 14
const DAY_SECONDS = 86_400
/** How long before now the history ends. */
const END_GAP_SECONDS = 5

/**
 * Creates a history for a sandbox merchant: payments, refunds, transfers, settlements and events of the last days, made
 * by the production functions. One day is one database transaction, so an interrupted run can resume. Each day leaves
 * the wallet balance unchanged, so later activity stays correct.
 */
export async function seedHistory(
  core: Core,
  merchant: Merchant,
  requested: HistoryRequest,
  onProgress: (progress: HistoryProgress) => void,
): Promise<HistoryResult> {
  const { seed } = requested
  const history = await unitOfWork(core, async ({ tx, at, ids }) => {
    const known = await readHistory(tx, merchant.id, seed)
    if (known !== undefined) return known
    const { payments, days } = requested
    audit(
      { tx, at, ids },
      { merchantId: merchant.id, act: 'history.seed', actor: 'command line', details: { seed, payments, days } },
    )
    const endsAt = secondsAfter(at, -END_GAP_SECONDS)
    return beginHistory(tx, { merchantId: merchant.id, seed, payments, days, endsAt, daysDone: 0 })
  })
  const counts = paymentsOfDays(history)
  let done = sum(counts.slice(0, history.daysDone))
  let daysLeftOut = 0
  for (let number = history.daysDone; number < history.days; number++) {
    onProgress({ paymentsDone: done, payments: history.payments })
    const payments = counts[number] ?? 0
    const isFree = await seedDay(core, merchant, history, number, payments, requested.referencePrefix)
    if (!isFree) daysLeftOut++
    done += payments
  }
  await sumUpNow(core, merchant.id)
  onProgress({ paymentsDone: done, payments: history.payments })
  return { merchant: merchant.code, seed, payments: history.payments, days: history.days, daysLeftOut }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

/** Returns the number of payments of each day. They grow over time, drop on Sundays, and add up to the total. */
function paymentsOfDays({ seed, payments, days, endsAt }: History): readonly number[] {
  const chance = seededRandom(seed)
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

/** 1 January 1970 was a Thursday; weekdays are counted from Sunday. */
const THURSDAY = 4
const WEEKDAYS = [0.45, 1, 1, 1.05, 1.1, 1.25, 0.8] as const

/** Stores a day, unless the wallet was used on that day; returns whether it was stored. */
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
    await withoutTimeouts(tx)
    const key = { merchantId: merchant.id, accountNumber: merchant.walletAccountNumber }
    const wallet = isOver ? await openHistoryWallet(tx, key, from, secondsAfter(to, EVENING_SECONDS)) : undefined
    const isFree = !isOver || wallet !== undefined
    const chance = seededRandom(history.seed * 100_003 + number)
    const past = openHistoryWriter({
      from,
      referencePrefix,
      wallet,
      deliveriesOf: deliveriesBy(chance),
      textsSince: secondsAfter(history.endsAt, -BODY_DAYS * DAY_SECONDS),
    })
    const label = `H${history.seed}-${String(number + 1).padStart(3, '0')}`
    if (isFree && to > from) simulateDay(tx, { past, merchant, chance, label, payments, from, to, isOver })
    deleteCheckpoints(tx, merchant.id)
    deleteSums(tx, merchant.id)
    forgetMarks(tx, merchant.id)
    setDone(tx, { ...history, daysDone: number + 1 })
    return isFree
  })
}

const TIME_OF_DAY = /^(\d{2}):(\d{2})$/

/** Returns the start and end of a day: a day lasts from one settlement to the next. The last day is not over yet. */
function boundsOf(merchant: Merchant, { days, endsAt }: History, number: number) {
  const [contract] = merchant.contracts.values()
  const [, hours, minutes] = TIME_OF_DAY.exec(contract?.settlementTime ?? '') ?? []
  invariant(hours !== undefined && minutes !== undefined, 'a contract has a settlement time')
  const evening = (day: number): Date => lagosMoment(day, Number(hours) * 60 + Number(minutes))
  const today = lagosDay(endsAt)
  const current = evening(today) > endsAt ? today : today + 1
  const day = current - (days - 1 - number)
  const isOver = day < current
  const from = secondsAfter(evening(day - 1), EVENING_SECONDS)
  return { from, to: isOver ? evening(day) : endsAt, isOver }
}
