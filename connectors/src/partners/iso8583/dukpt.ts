import { createCipheriv } from 'node:crypto'

/**
 * Derived unique key per transaction (DUKPT, ANSI X9.24-1 with triple DES): every PIN is encrypted with its own key,
 * which reveals nothing about other keys. In live mode an HSM does this. This code is only for partners' test systems.
 */

const HALF = 8
const COUNTER_BITS = 21
const COUNTER_MASK = (1 << COUNTER_BITS) - 1
const MASK = Buffer.from('C0C0C0C000000000C0C0C0C000000000', 'hex')
const PIN_VARIANT = Buffer.from('00000000000000FF00000000000000FF', 'hex')

const xor = (a: Uint8Array, b: Uint8Array): Buffer => Buffer.from(a.map((byte, place) => byte ^ (b[place] ?? 0)))

/** Encrypts one block with a two-part key; with equal parts it is single DES. */
function encrypt(key: Uint8Array, block: Uint8Array): Buffer {
  const cipher = createCipheriv('des-ede', key, null).setAutoPadding(false)
  return Buffer.concat([cipher.update(block), cipher.final()])
}

const desBy = (half: Uint8Array, block: Uint8Array): Buffer => encrypt(Buffer.concat([half, half]), block)

/** The key serial number without its counter, and the counter. */
function partsOf(ksn: Buffer): { readonly register: Buffer; readonly counter: number } {
  const register = Buffer.from(ksn.subarray(-HALF))
  const last = register.readUInt32BE(HALF - 4)
  register.writeUInt32BE((last & ~COUNTER_MASK) >>> 0, HALF - 4)
  return { register, counter: last & COUNTER_MASK }
}

/** A device's initial key, derived from the base key. Only a device manufacturer needs it. */
export function initialKey(base: Buffer, ksn: Buffer): Buffer {
  const start = Buffer.from(ksn)
  start.writeUInt32BE((start.readUInt32BE(start.length - 4) & ~COUNTER_MASK) >>> 0, start.length - 4)
  const block = start.subarray(0, HALF)
  return Buffer.concat([encrypt(base, block), encrypt(xor(base, MASK), block)])
}

function next(key: Buffer, register: Buffer): Buffer {
  const half = (of: Buffer): Buffer => {
    const [left, right] = [of.subarray(0, HALF), of.subarray(HALF)]
    return xor(desBy(left, xor(register, right)), right)
  }
  return Buffer.concat([half(xor(key, MASK)), half(key)])
}

/** The PIN encryption key of one transaction. */
export function pinKey(first: Buffer, ksn: Buffer): Buffer {
  const { register, counter } = partsOf(ksn)
  let key = first
  for (let bit = 1 << (COUNTER_BITS - 1); bit > 0; bit >>= 1) {
    if ((counter & bit) === 0) continue
    register.writeUInt32BE((register.readUInt32BE(HALF - 4) | bit) >>> 0, HALF - 4)
    key = next(key, register)
  }
  return xor(key, PIN_VARIANT)
}

/** An encrypted PIN block in ISO 9564 format 0. */
export function pinBlock(key: Buffer, pin: string, number: string): string {
  const first = Buffer.from(`0${pin.length.toString(16)}${pin}`.padEnd(HALF * 2, 'F'), 'hex')
  const second = Buffer.from(number.slice(-13, -1).padStart(HALF * 2, '0'), 'hex')
  return encrypt(key, xor(first, second)).toString('hex').toUpperCase()
}
