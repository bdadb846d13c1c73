/** The browser's time in Unix milliseconds. Business time comes from the gateway; this only counts on from it. */
export const browserNow = (): number => Date.now()

const LAGOS_OFFSET_MILLISECONDS = 3_600_000 // UTC+1, no daylight saving
const two = (n: number): string => String(n).padStart(2, '0')

/** 01/03/2026, 10:30 in Lagos, which reads alike in every language. */
export function lagosTime(unixMilliseconds: number): string {
  const local = new Date(unixMilliseconds + LAGOS_OFFSET_MILLISECONDS)
  const day = `${two(local.getUTCDate())}/${two(local.getUTCMonth() + 1)}/${local.getUTCFullYear()}`
  return `${day}, ${two(local.getUTCHours())}:${two(local.getUTCMinutes())}`
}

/** Time that is left, as 39:58, or 26:05:00 where it is more than an hour. Never below zero. */
export function timeLeft(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000))
  const hours = Math.floor(seconds / 3_600)
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}
