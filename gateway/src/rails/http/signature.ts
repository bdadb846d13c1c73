import type { Clock } from '../../kernel/clock.ts'
import { equalSecrets, hmacSha256Hex } from '../../platform/crypto.ts'

/** A message whose time differs by more than this from ours is rejected, so that no one can replay an old message. */
const AGE_SECONDS_MAX = 300

export const TIMESTAMP_HEADER = 'kobo-timestamp'
export const SIGNATURE_HEADER = 'kobo-signature'

/** Signs the time, the operation and the exact body. */
const signature = (secret: string, timestamp: string, operation: string, body: string): string =>
  hmacSha256Hex(secret, `${timestamp}.${operation}.${body}`)

const secondsNow = (wall: Clock): number => Math.floor(wall.now().getTime() / 1_000)

/** Returns the signature headers, which are the same for both sides. */
export function signedHeaders(secret: string, wall: Clock, operation: string, body: string): Record<string, string> {
  const timestamp = String(secondsNow(wall))
  return { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: signature(secret, timestamp, operation, body) }
}

/** Whether a message has a valid, recent signature. */
export function isSigned(
  secret: string,
  wall: Clock,
  operation: string,
  body: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): boolean {
  const [timestamp, given] = [headers[TIMESTAMP_HEADER], headers[SIGNATURE_HEADER]]
  if (typeof timestamp !== 'string' || typeof given !== 'string' || !/^\d{1,15}$/.test(timestamp)) return false
  const isFresh = Math.abs(secondsNow(wall) - Number(timestamp)) <= AGE_SECONDS_MAX
  return equalSecrets(signature(secret, timestamp, operation, body), given) && isFresh
}
