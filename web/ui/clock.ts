/** The browser's time in Unix milliseconds. Use it only to measure how much time has passed. */
export const browserNow = (): number => Date.now()

const LAGOS_OFFSET_MILLISECONDS = 3_600_000 // UTC+1, no daylight saving
const twoDigits = (n: number): string => String(n).padStart(2, '0')

/** Lagos time as 01/03/2026, 10:30, the same in every language. */
export function lagosTime(unixMilliseconds: number): string {
  const local = new Date(unixMilliseconds + LAGOS_OFFSET_MILLISECONDS)
  const day = `${twoDigits(local.getUTCDate())}/${twoDigits(local.getUTCMonth() + 1)}/${local.getUTCFullYear()}`
  return `${day}, ${twoDigits(local.getUTCHours())}:${twoDigits(local.getUTCMinutes())}`
}

const DAY_SECONDS = 86_400

/** Formats the remaining time: 39:58 below an hour, 26:05:00 below two days, else 12 d 4 h. Never negative. */
export function timeLeft(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000))
  const hours = Math.floor(seconds / 3_600)
  if (seconds >= 2 * DAY_SECONDS) return `${Math.floor(hours / 24)} d ${hours % 24} h`
  const rest = `${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}
