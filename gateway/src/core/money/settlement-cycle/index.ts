import { readFileSync } from 'node:fs'
import { dayText, lagosDay, lagosMoment } from '../../../kernel/dates.ts'
import { invariant } from '../../../kernel/errors.ts'

/** When what was collected is settled: INSTANT, or each day at a time in Lagos, as 22:00. */
export type SettlementCycle = string

/** By what means money came. What a customer may choose is `PAYMENT_METHODS` of the contract: cash is collected by agents. */
export type ReceivedBy = 'ACCOUNT_TRANSFER' | 'CARD' | 'DIRECT_DEBIT' | 'CASH'

/** At once, and each transaction by itself. */
export const INSTANT = 'INSTANT'
/** When a contract settles that has no time of its own. */
export const STANDARD_TIME = '22:00'
const TIME_OF_DAY = /^([01]\d|2[0-3]):([0-5]\d)$/

export const isTimeOfDay = (text: string): boolean => TIME_OF_DAY.test(text)

/** The first of January 1970 was a Thursday; days of the week are counted from Sunday. */
const FIRST_WEEKDAY = 4
const SATURDAY = 6
const SUNDAY = 0
/** No run of holidays and weekends is longer. */
const CLOSED_DAYS_MAX = 31

/** Days on which banks are closed: of every year as 12-25, of one year as 2026-04-03. */
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

/** When money falls due to be settled that was completed at a time: cards on the next working day, all else at the next time of the cycle. */
export function settlementDue(cycle: SettlementCycle, method: ReceivedBy | null, completedAt: Date): Date {
  if (cycle === INSTANT) return completedAt
  const minutes = minutesOf(cycle)
  const today = lagosDay(completedAt)
  if (method === 'CARD') return lagosMoment(nextWorkingDay(today), minutes)
  const due = lagosMoment(today, minutes)
  return due > completedAt ? due : lagosMoment(today + 1, minutes)
}

/** The next time at which the cycle comes round; for INSTANT the standard's, so that what failed waits a while. */
export const nextCycle = (cycle: SettlementCycle, after: Date): Date =>
  settlementDue(cycle === INSTANT ? STANDARD_TIME : cycle, null, after)

function minutesOf(cycle: SettlementCycle): number {
  const [, hours, minutes] = TIME_OF_DAY.exec(cycle) ?? []
  invariant(hours !== undefined && minutes !== undefined, `${cycle} is a time of the day`)
  return Number(hours) * 60 + Number(minutes)
}

/** The first working day after a day, both counted from 1970. */
function nextWorkingDay(day: number): number {
  for (let next = day + 1; next <= day + CLOSED_DAYS_MAX; next++) if (isWorkingDay(next)) return next
  invariant(false, 'banks open once a month')
}

function isWorkingDay(day: number): boolean {
  const weekday = (day + FIRST_WEEKDAY) % 7
  if (weekday === SATURDAY || weekday === SUNDAY) return false
  const text = dayText(day)
  return !HOLIDAYS.has(text) && !HOLIDAYS.has(text.slice(5))
}
