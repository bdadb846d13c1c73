/** The browser's time in Unix milliseconds. Use it only to measure how much time has passed. */
export const browserNow = (): number => Date.now()

const LAGOS_OFFSET_MILLISECONDS = 3_600_000 // UTC+1, no daylight saving
const two = (n: number): string => String(n).padStart(2, '0')

/** Lagos time as 01/03/2026, 10:30, the same in every language. */
export function lagosTime(unixMilliseconds: number): string {
  const local = new Date(unixMilliseconds + LAGOS_OFFSET_MILLISECONDS)
  const day = `${two(local.getUTCDate())}/${two(local.getUTCMonth() + 1)}/${local.getUTCFullYear()}`
  return `${day}, ${two(local.getUTCHours())}:${two(local.getUTCMinutes())}`
}

const DAY_SECONDS = 86_400

/** Remaining time: 39:58, 26:05:00 over an hour, 12 d 4 h over two days. Never negative. */
export function timeLeft(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000))
  const hours = Math.floor(seconds / 3_600)
  if (seconds >= 2 * DAY_SECONDS) return `${Math.floor(hours / 24)} d ${hours % 24} h`
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}
