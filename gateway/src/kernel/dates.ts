/** Every date format of the API, by name. Nothing else formats a date. */

const LAGOS_OFFSET_MILLISECONDS = 3_600_000 // UTC+1, no daylight saving
const DAY_MILLISECONDS = 86_400_000

const two = (n: number): string => (n < 10 ? `0${n}` : `${n}`)
const three = (n: number): string => `${n}`.padStart(3, '0')

/** Returns a date whose UTC fields show Lagos time. */
const lagos = (d: Date): Date => new Date(d.getTime() + LAGOS_OFFSET_MILLISECONDS)

const day = (d: Date): string => `${d.getUTCFullYear()}-${two(d.getUTCMonth() + 1)}-${two(d.getUTCDate())}`
const time = (d: Date): string => `${two(d.getUTCHours())}:${two(d.getUTCMinutes())}:${two(d.getUTCSeconds())}`
const halfDayTime = (d: Date): string =>
  `${two(d.getUTCHours() % 12 === 0 ? 12 : d.getUTCHours() % 12)}:${two(d.getUTCMinutes())}:${two(d.getUTCSeconds())} ${d.getUTCHours() < 12 ? 'AM' : 'PM'}`

/** Formats as 01/03/2026 10:30:00 AM, in Lagos time, for status records. */
export function slashed(d: Date): string {
  const local = lagos(d)
  return `${two(local.getUTCDate())}/${two(local.getUTCMonth() + 1)}/${local.getUTCFullYear()} ${halfDayTime(local)}`
}

/** Formats as 2026-03-01 10:30:00, in Lagos time, for invoices. */
export function spaced(d: Date): string {
  const local = lagos(d)
  return `${day(local)} ${time(local)}`
}

/** Formats as 2026-03-01 10:30:00.000, in Lagos time, for collection events and reserved accounts. */
export function spacedMilliseconds(d: Date): string {
  return `${spaced(d)}.${three(d.getUTCMilliseconds())}`
}

/** Formats as 2026-03-01 10:30:00.0, in Lagos time, for rejected payments and mandate events. */
export const spacedTenth = (d: Date): string => `${spaced(d)}.0`

/** Formats as 2026-03-01 10:30:00 AM, in Lagos time, for wallet activity. */
export function spacedHalfDay(d: Date): string {
  const local = lagos(d)
  return `${day(local)} ${halfDayTime(local)}`
}

const MONTH_NAMES = 'January February March April May June July August September October November December'.split(' ')

/** Formats as 1 March 2026, in Lagos time, for people. */
export function displayDay(d: Date, language = 'en'): string {
  const local = lagos(d)
  if (language !== 'en') return `${two(local.getUTCDate())}/${two(local.getUTCMonth() + 1)}/${local.getUTCFullYear()}`
  return `${local.getUTCDate()} ${MONTH_NAMES[local.getUTCMonth()]} ${local.getUTCFullYear()}`
}

/** Formats as 1 March 2026, 10:30 WAT, for people. */
export const displayMoment = (d: Date, language = 'en'): string =>
  `${displayDay(d, language)}, ${time(lagos(d)).slice(0, 5)} WAT`

/** Formats as 01/03/2026, 10:30 WAT, for people of any language. */
export const displayNumeric = (d: Date): string => displayMoment(d, 'any')

/** Formats as 2026-03-01T10:30:00, in Lagos time, for bank transfer accounts. */
export function plain(d: Date): string {
  const local = lagos(d)
  return `${day(local)}T${time(local)}`
}

/** The last formatted day. It is cached, because consecutive times are mostly of the same day. */
let lastDay = { number: Number.NaN, text: '' }

/**
 * Formats as 2026-03-01T09:30:00.000Z, in UTC, for the database. The result equals that of `toISOString`, which is
 * several times slower, and every row contains times.
 */
export function iso(d: Date): string {
  const milliseconds = d.getTime()
  const number = Math.floor(milliseconds / DAY_MILLISECONDS)
  if (number !== lastDay.number) lastDay = { number, text: d.toISOString().slice(0, -'00:00:00.000Z'.length) }
  let rest = milliseconds - number * DAY_MILLISECONDS
  const thousandths = rest % 1_000
  rest = (rest - thousandths) / 1_000
  const seconds = rest % 60
  rest = (rest - seconds) / 60
  const minutes = rest % 60
  return `${lastDay.text}${two((rest - minutes) / 60)}:${two(minutes)}:${two(seconds)}.${thousandths < 100 ? three(thousandths) : thousandths}Z`
}

/** Formats as 2026-03-01T09:30:00.000+0000, in UTC, for transaction lists and transfers. */
export const zoned = (d: Date): string => `${day(d)}T${time(d)}.${three(d.getUTCMilliseconds())}+0000`

/** Formats as 20260301093000, in UTC, for references. */
export const compact = (d: Date): string =>
  `${d.getUTCFullYear()}${two(d.getUTCMonth() + 1)}${two(d.getUTCDate())}${two(d.getUTCHours())}${two(d.getUTCMinutes())}${two(d.getUTCSeconds())}`

/** Formats as 20260301103000, in Lagos time, for ids that banks create and read. */
export const lagosCompact = (d: Date): string => compact(lagos(d))

const UNIX_MILLISECONDS = /^-?\d{1,15}$/
/** PostgreSQL and JavaScript write years outside this range differently. */
const YEAR_MIN = 1
const YEAR_MAX = 9_999

const DAY = /^\d{4}-\d{2}-\d{2}$/
const DAY_AND_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?$/

/** Reads a time: Unix milliseconds, or any date text that JavaScript reads. Without a zone it is Lagos time. */
export function fromMoment(wire: number | string): Date | undefined {
  const text = String(wire).trim()
  const moment = new Date(UNIX_MILLISECONDS.test(text) ? Number(text) : withZone(text))
  const year = moment.getUTCFullYear()
  return year >= YEAR_MIN && year <= YEAR_MAX ? moment : undefined
}

/**
 * Reads the end of a period in a request, inclusive. A time is used unchanged; a day without a time means the last
 * millisecond of that day.
 */
export function throughMoment(wire: number | string): Date | undefined {
  const moment = fromMoment(wire)
  return moment === undefined || !DAY.test(String(wire).trim())
    ? moment
    : new Date(moment.getTime() + DAY_MILLISECONDS - 1)
}

function withZone(text: string): string {
  if (DAY.test(text)) return `${text}T00:00:00+01:00`
  return DAY_AND_TIME.test(text) ? `${text.replace(' ', 'T')}+01:00` : text
}

/** Reads a day such as 1994-09-07 as the start of that day in UTC; undefined for other texts. */
export function fromDay(wire: string): Date | undefined {
  const moment = DAY.test(wire) ? new Date(`${wire}T00:00:00Z`) : undefined
  return moment !== undefined && !Number.isNaN(moment.getTime()) && day(moment) === wire ? moment : undefined
}

const NAMED_DAY = /^(\d{2})-([a-z]{3})-(\d{4})$/i
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Reads a day such as 03-Oct-1993, in upper or lower case, as the start of that day in UTC. */
export function fromNamedDay(wire: string): Date | undefined {
  const [, date = '', month = '', year = ''] = NAMED_DAY.exec(wire) ?? []
  return fromDay(`${year}-${two(MONTHS.indexOf(month.toLowerCase()) + 1)}-${date}`)
}

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d{1,9})?(Z|[+-]\d{2}:?\d{2})?$/

/**
 * Reads a date and time such as 2026-03-01 10:30:00, also with a T: Lagos time unless a zone follows. Drops fractions
 * of a second. Undefined for other texts and impossible dates.
 */
export function fromDateTime(wire: string): Date | undefined {
  const [, date = '', time = '', zone = '+01:00'] = DATE_TIME.exec(wire) ?? []
  if (fromDay(date) === undefined) return undefined
  return fromMoment(`${date}T${time}${zone}`)
}

/** Returns the start of the day in Lagos that contains a moment. */
export const startOfDay = (d: Date): Date => new Date(`${day(lagos(d))}T00:00:00+01:00`)

const MINUTE_MILLISECONDS = 60_000

/** Returns the day in Lagos, counted from 1970. */
export const lagosDay = (d: Date): number => Math.floor((d.getTime() + LAGOS_OFFSET_MILLISECONDS) / DAY_MILLISECONDS)

/** Returns the moment of a time in Lagos: a day counted from 1970, and the minutes since its midnight. */
export const lagosMoment = (dayNumber: number, minutes: number): Date =>
  new Date(dayNumber * DAY_MILLISECONDS + minutes * MINUTE_MILLISECONDS - LAGOS_OFFSET_MILLISECONDS)

/** Formats a day that is counted from 1970 as 2026-03-01. */
export const dayText = (dayNumber: number): string => day(new Date(dayNumber * DAY_MILLISECONDS))

/** Returns the same day and time in Lagos some months later, or the last day of that month if it is too short. */
export function monthsAfter(d: Date, months: number): Date {
  const later = lagos(d)
  const dayOfMonth = later.getUTCDate()
  later.setUTCDate(1)
  later.setUTCMonth(later.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0)).getUTCDate()
  later.setUTCDate(Math.min(dayOfMonth, lastDay))
  return new Date(later.getTime() - LAGOS_OFFSET_MILLISECONDS)
}

/** Returns the end of a month (1 to 12) in Lagos. */
export const endOfMonth = (year: number, month: number): Date =>
  new Date(Date.UTC(year, month, 1) - LAGOS_OFFSET_MILLISECONDS)
