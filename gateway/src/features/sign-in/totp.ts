import { createHmac, timingSafeEqual } from 'node:crypto'

const STEP_SECONDS = 30
const DIGITS = 6
/** The user's clock may be this many steps early or late. */
const STEPS_APART_MAX = 1
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
export const SECRET_BYTES = 20

export const stepAt = (at: Date): number => Math.floor(at.getTime() / 1_000 / STEP_SECONDS)

/** Returns the code of a time step, by RFC 6238. */
export function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', secret).update(counter).digest()
  const offset = (hash.at(-1) ?? 0) & 0xf
  return String((hash.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** Finds the time step of a code, among those valid at a moment. All are compared, so that timing reveals nothing. */
export function stepOf(secret: Buffer, code: string, at: Date): number | undefined {
  const shown = Buffer.from(code.padEnd(DIGITS).slice(0, DIGITS))
  let found: number | undefined
  for (let apart = -STEPS_APART_MAX; apart <= STEPS_APART_MAX; apart++) {
    const step = stepAt(at) + apart
    if (timingSafeEqual(Buffer.from(codeOf(secret, step)), shown) && code.length === DIGITS) found = step
  }
  return found
}

export function base32(bytes: Buffer): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  return (bits.match(/.{1,5}/g) ?? []).map((part) => BASE32[Number.parseInt(part.padEnd(5, '0'), 2)]).join('')
}

/** Returns the URL in the QR code for an authenticator app. */
export const totpAddress = (secret: Buffer, email: string): string =>
  `otpauth://totp/${encodeURIComponent(`Kobo:${email}`)}?${new URLSearchParams({ secret: base32(secret), issuer: 'Kobo' })}`
