import { readFileSync } from 'node:fs'
import { dayText, lagosDay, lagosMoment } from '../../../kernel/dates.ts'
import { invariant } from '../../../kernel/errors.ts'

/** When collections are settled: INSTANT, or daily at a time in Lagos such as 22:00. */
export type SettlementCycle = string

/** How money arrived. Customers choose from the contract's `PAYMENT_METHODS`; cash is collected by agents. */
export type ReceivedBy = 'ACCOUNT_TRANSFER' | 'CARD' | 'DIRECT_DEBIT' | 'CASH'

/** Each transaction is settled at once and separately. */
export const INSTANT = 'INSTANT'
/** The settlement time of a merchant whose contract names no other. */
export const STANDARD_TIME = '22:00'
const TIME_OF_DAY = /^([01]\d|2[0-3]):([0-5]\d)$/

export const isTimeOfDay = (text: string): boolean => TIME_OF_DAY.test(text)

/** The weekday of January 1, 1970, a Thursday, counted from Sunday as 0. */
const FIRST_WEEKDAY = 4
const SATURDAY = 6
const SUNDAY = 0
/** The longest possible run of days without a working day. */
const CLOSED_DAYS_MAX = 31

/** Bank holidays: yearly ones as 12-25, single ones as 2026-04-03. */
const HOLIDAYS: ReadonlySet<string> = new Set(
  readFileSync(new URL('holidays.csv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [day = ''] = line.split(',')
      invariant(/^(\d{4}-)?\d{2}-\d{2}$/.test(day), `${day} in holidays.csv is a day`)
      return day
    }),
)

/** Computes when a payment is due for settlement: cards on the next working day, all others in the next cycle. */
export function settlementDue(cycle: SettlementCycle, method: ReceivedBy | null, completedAt: Date): Date {
  if (cycle === INSTANT) return completedAt
  const minutes = minutesOf(cycle)
  const today = lagosDay(completedAt)
  if (method === 'CARD') return lagosMoment(nextWorkingDay(today), minutes)
  const due = lagosMoment(today, minutes)
  return due > completedAt ? due : lagosMoment(today + 1, minutes)
}

/** Computes the next settlement time, at which a failed payout is retried. For INSTANT it is the standard time. */
export const nextCycle = (cycle: SettlementCycle, after: Date): Date =>
  settlementDue(cycle === INSTANT ? STANDARD_TIME : cycle, null, after)

function minutesOf(cycle: SettlementCycle): number {
  const [, hours, minutes] = TIME_OF_DAY.exec(cycle) ?? []
  invariant(hours !== undefined && minutes !== undefined, `${cycle} is a time of the day`)
  return Number(hours) * 60 + Number(minutes)
}

/** Finds the first working day after a day, both in days since 1970. */
function nextWorkingDay(day: number): number {
  for (let next = day + 1; next <= day + CLOSED_DAYS_MAX; next++) if (isWorkingDay(next)) return next
  invariant(false, 'there is a working day within a month')
}

function isWorkingDay(day: number): boolean {
  const weekday = (day + FIRST_WEEKDAY) % 7
  if (weekday === SATURDAY || weekday === SUNDAY) return false
  const text = dayText(day)
  return !HOLIDAYS.has(text) && !HOLIDAYS.has(text.slice(5))
}
