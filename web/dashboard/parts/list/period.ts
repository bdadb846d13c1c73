import { now } from '../../api/call.ts'

/** Days in Lagos, both included. */
export interface Period {
  readonly from: string
  readonly to: string
}

const LAGOS_MILLISECONDS = 3_600_000

/** Today's date in Lagos, and a function that returns a day of a later or earlier month. */
function calendar() {
  const lagos = new Date(now().getTime() + LAGOS_MILLISECONDS)
  const [year, month, date] = [lagos.getUTCFullYear(), lagos.getUTCMonth(), lagos.getUTCDate()]
  const day = (months: number, dayOfMonth: number): string =>
    new Date(Date.UTC(year, month + months, dayOfMonth)).toISOString().slice(0, 10)
  return { date, day }
}

/** Returns the day before today's date in a later month; if that month is too short, the day before its last day. */
export function dayAhead(months: number): string {
  const { date, day } = calendar()
  const lastDate = Number(day(months + 1, 0).slice(-2))
  return day(months, Math.min(date, lastDate) - 1)
}

/** The periods of a list's filter by their name in the URL, seen from today in Lagos. */
export function periods(): Readonly<Record<string, Period>> {
  const { date, day } = calendar()
  const today = day(0, date)
  return {
    today: { from: today, to: today },
    yesterday: { from: day(0, date - 1), to: day(0, date - 1) },
    'last-7-days': { from: day(0, date - 6), to: today },
    'last-30-days': { from: day(0, date - 29), to: today },
    'this-month': { from: day(0, 1), to: today },
    'last-month': { from: day(-1, 1), to: day(0, 0) },
  }
}

/** Returns the days that a page's URL asks for: those of a named period, counted from today, or fixed ones. */
export function daysOf(parameters: URLSearchParams): Period {
  const get = (name: string): string => parameters.get(name)?.trim() ?? ''
  return periods()[get('period')] ?? { from: get('from'), to: get('to') }
}
