import type { KoboEvent } from './api.ts'

/** Headers in the form of any framework. */
export type HeaderSource =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** The merchant's secret key; during a rotation, both the old and the new one. */
  readonly secretKey: string | readonly string[]
  /**
   * The signature to check. `webhook` (default) includes the time, so replayed requests are rejected. `service` is
   * Monnify's own and has no time. The gateway sends both.
   */
  readonly signature?: 'webhook' | 'service'
  /** Maximum difference between the signature's time and now; 300 seconds by default. */
  readonly toleranceSeconds?: number
  /** Replaces the current time in milliseconds. */
  readonly now?: () => number
}

/** The request is not a signed event of this merchant's gateway. Respond with 401. */
export class InvalidSignature extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'InvalidSignature'
  }
}

const TOLERANCE_SECONDS = 300
/** The gateway sends at most two signatures. */
const SIGNATURES_MAX = 5
const HEX = /^[0-9a-f]{128}$/
const BASE64 = /^v1,([A-Za-z0-9+/]{43}=)$/

/**
 * Verifies a request's signature and returns its event. `body` must be the raw body, before any parsing. Throws
 * `InvalidSignature`.
 */
export async function verifyEvent(
  body: string | Uint8Array,
  headers: HeaderSource,
  options: VerifyOptions,
): Promise<KoboEvent> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const secrets = [options.secretKey].flat().filter((secret) => secret !== '')
  if (secrets.length === 0) throw new TypeError('secretKey is missing')
  const read = (name: string): string | undefined => headerOf(headers, name)
  const isGenuine =
    options.signature === 'service'
      ? await hasServiceSignature(bytes, read, secrets)
      : await hasWebhookSignature(bytes, read, secrets, options)
  if (!isGenuine) throw new InvalidSignature('The signature does not match')
  return JSON.parse(new TextDecoder().decode(bytes)) as KoboEvent
}

type Read = (name: string) => string | undefined

function headerOf(headers: HeaderSource, name: string): string | undefined {
  if (typeof headers['get'] === 'function') return headers['get'](name) ?? undefined
  const value = (headers as Readonly<Record<string, string | readonly string[] | undefined>>)[name]
  return typeof value === 'string' ? value : value?.[0]
}

async function hasServiceSignature(body: Uint8Array, read: Read, secrets: readonly string[]): Promise<boolean> {
  const given = read('service-signature') ?? ''
  if (!HEX.test(given)) throw new InvalidSignature('The header service-signature is missing or malformed')
  const signature = Uint8Array.from(given.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))
  return someSecret(secrets, 'SHA-512', [signature], body)
}

async function hasWebhookSignature(
  body: Uint8Array,
  read: Read,
  secrets: readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now }: VerifyOptions,
): Promise<boolean> {
  const [id = '', timestamp = '', given = ''] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(read)
  const signatures = given
    .split(' ', SIGNATURES_MAX)
    .flatMap((one) => BASE64.exec(one)?.[1] ?? [])
    .map((text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)))
  if (id === '' || !/^\d{1,12}$/.test(timestamp) || signatures.length === 0)
    throw new InvalidSignature(
      'The headers webhook-id, webhook-timestamp and webhook-signature are missing or malformed',
    )
  if (!(Math.abs(now() / 1_000 - Number(timestamp)) <= toleranceSeconds))
    throw new InvalidSignature(`The signature's time differs from now by more than ${toleranceSeconds} seconds`)
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(prefix.length + body.length)
  signed.set(prefix)
  signed.set(body, prefix.length)
  return someSecret(secrets, 'SHA-256', signatures, signed)
}

/** Whether any signature matches any secret, compared in constant time by WebCrypto. */
async function someSecret(
  secrets: readonly string[],
  hash: string,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  signed: Uint8Array,
): Promise<boolean> {
  const data = new Uint8Array(signed)
  for (const secret of secrets) {
    const bytes = new TextEncoder().encode(secret)
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash }, false, ['verify'])
    for (const signature of signatures) if (await crypto.subtle.verify('HMAC', key, signature, data)) return true
  }
  return false
}
