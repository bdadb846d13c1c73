import type { KoboEvent } from './api.ts'

/** Headers as any framework has them. */
export type HeaderSource =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** The merchant's secret key; while it is being replaced, the old one and the new one. */
  readonly secretKey: string | readonly string[]
  /**
   * Which signature must be there: `webhook` carries the time at which it was made, so that what somebody recorded is not
   * taken again later; `service` is the interface's own and has no time. The gateway sends both.
   */
  readonly signature?: 'webhook' | 'service'
  /** How old, or how far ahead, a `webhook` signature may be: 300 seconds. */
  readonly toleranceSeconds?: number
  /** The time in milliseconds, where it is not this machine's. */
  readonly now?: () => number
}

/** What arrived is not an event of this merchant's gateway. Answer 401. */
export class NotGenuine extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NotGenuine'
  }
}

const TOLERANCE_SECONDS = 300
/** The gateway signs with two keys at the most. */
const SIGNATURES_MAX = 5
const HEX = /^[0-9a-f]{128}$/
const BASE64 = /^v1,([A-Za-z0-9+/]{43}=)$/

/**
 * The event in a request, once its signature has been checked. Give it the body as it arrived, before anything has parsed
 * it. Throws `NotGenuine`.
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
  if (!isGenuine) throw new NotGenuine('The signature is not that of the gateway')
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
  if (!HEX.test(given)) throw new NotGenuine('The header service-signature is missing or malformed')
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
    throw new NotGenuine('The headers webhook-id, webhook-timestamp and webhook-signature are missing or malformed')
  if (!(Math.abs(now() / 1_000 - Number(timestamp)) <= toleranceSeconds))
    throw new NotGenuine(`The signature was made more than ${toleranceSeconds} seconds from now`)
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(prefix.length + body.length)
  signed.set(prefix)
  signed.set(body, prefix.length)
  return someSecret(secrets, 'SHA-256', signatures, signed)
}

/** Whether one of the signatures was made with one of the secrets; compared in constant time, by the platform. */
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
