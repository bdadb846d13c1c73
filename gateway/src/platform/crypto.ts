import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { invariant } from '../kernel/errors.ts'

const CIPHER = 'aes-256-gcm'
const NONCE_LENGTH = 12
const TAG_LENGTH = 16
export const KEY_LENGTH = 32

/**
 * Encrypts with a 32-byte key. Decryption needs the same `context`, so a value that was moved to another row cannot be
 * decrypted.
 */
export function seal(key: Buffer, plain: Buffer, context: string): Buffer {
  const nonce = randomBytes(NONCE_LENGTH)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_LENGTH }).setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Decrypts a value that `seal` encrypted; throws if the key or the context differs. */
export function open(key: Buffer, sealed: Buffer, context: string): Buffer {
  invariant(sealed.length >= NONCE_LENGTH + TAG_LENGTH, 'a sealed value holds a nonce and a tag')
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_LENGTH), { authTagLength: TAG_LENGTH })
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(NONCE_LENGTH, NONCE_LENGTH + TAG_LENGTH))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_LENGTH + TAG_LENGTH)), decipher.final()])
}

/** Compares two texts in constant time. */
export const equalSecrets = (a: string, b: string): boolean => timingSafeEqual(sha256(a), sha256(b))

export const sha256 = (text: string | Buffer): Buffer => hash('sha256', text, 'buffer')

export const hmacSha512Hex = (secret: string | KeyObject, body: string): string =>
  createHmac('sha512', secret).update(body).digest('hex')

export const hmacSha256Hex = (secret: string, body: string): string =>
  createHmac('sha256', secret).update(body).digest('hex')

export const hmacSha256Base64 = (secret: string | KeyObject, body: string): string =>
  createHmac('sha256', secret).update(body).digest('base64')

const REFERENCE_HASH_LENGTH = 24

/**
 * Returns a reference of letters and digits, to replace one that a partner does not accept. The same reference always
 * gives the same result.
 */
export const hashedReference = (reference: string): string =>
  `K${hash('sha256', reference, 'hex').slice(0, REFERENCE_HASH_LENGTH).toUpperCase()}`

/** The length of a block and of a hash, in bytes. */
const LENGTHS = { sha256: { block: 64, hash: 32 }, sha512: { block: 128, hash: 64 } } as const
const UTF8_BYTES_MAX = 3
/** A shared buffer for the padded key and the text to hash. A longer text gets its own buffer. */
const scratch = Buffer.alloc(32_768)

/**
 * Creates a function that signs texts with one key: it signs every request and webhook. Node.js would return the same
 * signature, but would create an object per text, which costs more than the hash.
 */
export function openHmac(
  algorithm: keyof typeof LENGTHS,
  key: Buffer,
  encoding: 'base64' | 'base64url' | 'hex',
): (text: string) => string {
  const { block, hash: length } = LENGTHS[algorithm]
  const used = key.length > block ? hash(algorithm, key, 'buffer') : key
  const padded = (pad: number): Buffer => Buffer.alloc(block).map((_, at) => (used[at] ?? 0) ^ pad) as Buffer
  const inner = padded(0x36)
  const outer = Buffer.concat([padded(0x5c), Buffer.alloc(length)])
  const keyAndText = (text: string): Buffer => {
    if (block + text.length * UTF8_BYTES_MAX > scratch.length) return Buffer.concat([inner, Buffer.from(text)])
    inner.copy(scratch)
    return scratch.subarray(0, block + scratch.write(text, block))
  }
  return (text) => {
    outer.write(hash(algorithm, keyAndText(text), 'binary'), block, 'binary')
    return hash(algorithm, outer, encoding)
  }
}

/** Derives a key per use, so that one secret can serve several uses. */
export const deriveKey = (key: Buffer, use: string): Buffer => createHmac('sha256', key).update(use).digest()

/** Returns a hash that cannot be computed without the key: for short secrets, such as codes, that could be guessed. */
export const keyedHash = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('base64')
