import { now } from '../../api/call.ts'

/** Days in Lagos, both included. */
export interface Period {
  readonly from: string
  readonly to: string
}

const LAGOS_MILLISECONDS = 3_600_000

/** The periods of a list's filter, by name, seen from today in Lagos. */
export function periods(): Readonly<Record<string, Period>> {
  const lagos = new Date(now().getTime() + LAGOS_MILLISECONDS)
  const [year, month, date] = [lagos.getUTCFullYear(), lagos.getUTCMonth(), lagos.getUTCDate()]
  const day = (months: number, dayOfMonth: number): string =>
    new Date(Date.UTC(year, month + months, dayOfMonth)).toISOString().slice(0, 10)
  const today = day(0, date)
  return {
    Today: { from: today, to: today },
    Yesterday: { from: day(0, date - 1), to: day(0, date - 1) },
    'Last 7 days': { from: day(0, date - 6), to: today },
    'Last 30 days': { from: day(0, date - 29), to: today },
    'This month': { from: day(0, 1), to: today },
    'Last month': { from: day(-1, 1), to: day(0, 0) },
  }
}
