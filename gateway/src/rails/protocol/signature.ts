import { randomBytes } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import type { Hidden } from '../../kernel/hidden.ts'
import { equalSecrets, hmacSha256Hex } from '../../platform/crypto.ts'

export const PROTOCOL_HEADER = 'kobo-protocol'
const KEY_HEADER = 'kobo-key'
const TIMESTAMP_HEADER = 'kobo-timestamp'
const NONCE_HEADER = 'kobo-nonce'
const SIGNATURE_HEADER = 'kobo-signature'
export const PROTOCOL = '2'

/**
 * A message whose time differs by more than this from ours is rejected. A nonce is remembered for as long as its
 * message is valid, so that no message is accepted twice.
 */
export const AGE_SECONDS_MAX = 300
const NONCE = /^[A-Za-z0-9_-]{16,64}$/
const NONCE_BYTES = 18
/** The id of a key is the start of an HMAC of a fixed text under that key, which reveals nothing about the key. */
const KEY_ID_LENGTH = 16
const KEY_ID_TEXT = 'kobo rails key'

export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The shared secrets. One signs; during a rotation, a second one is accepted too. */
export interface Keys {
  readonly secret: Hidden<string>
  readonly also?: Hidden<string> | undefined
}

export const keyId = (secret: Hidden<string>): string =>
  hmacSha256Hex(secret.reveal(), KEY_ID_TEXT).slice(0, KEY_ID_LENGTH)

/**
 * The signed parts of a request. Requests and responses are signed over different texts, so that neither can be
 * replayed as the other.
 */
interface Question {
  readonly operation: string
  readonly body: string
}
export interface SignedResponse extends Question {
  /** The nonce of the request that the response belongs to. */
  readonly nonce: string
  readonly status: number
}

const requestText = (timestamp: string, nonce: string, { operation, body }: Question): string =>
  `2.question.${timestamp}.${nonce}.${operation}.${body}`
const responseText = (timestamp: string, { nonce, operation, status, body }: SignedResponse): string =>
  `2.answer.${timestamp}.${nonce}.${operation}.${status}.${body}`

const secondsNow = (wall: Clock): number => Math.floor(wall.now().getTime() / 1_000)

const headersOf = (secret: Hidden<string>, timestamp: string, nonce: string, text: string): Record<string, string> => ({
  [PROTOCOL_HEADER]: PROTOCOL,
  [KEY_HEADER]: keyId(secret),
  [TIMESTAMP_HEADER]: timestamp,
  [NONCE_HEADER]: nonce,
  [SIGNATURE_HEADER]: hmacSha256Hex(secret.reveal(), text),
})

/** Signs a request; its response must be signed over the nonce. */
export function signRequest({ secret }: Keys, wall: Clock, question: Question) {
  const timestamp = String(secondsNow(wall))
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  return { nonce, headers: headersOf(secret, timestamp, nonce, requestText(timestamp, nonce, question)) }
}

/** Signs a response with its request's secret. */
export function signResponse(secret: Hidden<string>, wall: Clock, response: SignedResponse): Record<string, string> {
  const timestamp = String(secondsNow(wall))
  return headersOf(secret, timestamp, response.nonce, responseText(timestamp, response))
}

/** Whether a response belongs to this request and has a valid signature. */
export const isSignedResponse = (keys: Keys, wall: Clock, response: SignedResponse, headers: Headers): boolean => {
  const signed = readHeaders(keys, wall, headers)
  return (
    signed !== undefined &&
    signed.nonce === response.nonce &&
    isSignedOver(signed, responseText(signed.timestamp, response))
  )
}

/** A request with a valid signature that was not seen before. */
export interface SignedRequest {
  readonly nonce: string
  readonly secret: Hidden<string>
}

/** Reads a request's headers; undefined if the signature is invalid, too old, or a replay. */
export function readSignedRequest(
  keys: Keys,
  wall: Clock,
  nonces: Nonces,
  question: Question,
  headers: Headers,
): SignedRequest | undefined {
  const signed = readHeaders(keys, wall, headers)
  if (signed === undefined || !isSignedOver(signed, requestText(signed.timestamp, signed.nonce, question)))
    return undefined
  return nonces.isNew(signed.nonce) ? { nonce: signed.nonce, secret: signed.secret } : undefined
}

interface Signed extends SignedRequest {
  readonly timestamp: string
  readonly signature: string
}

function readHeaders({ secret, also }: Keys, wall: Clock, headers: Headers): Signed | undefined {
  const { [TIMESTAMP_HEADER]: timestamp, [NONCE_HEADER]: nonce, [SIGNATURE_HEADER]: signature } = headers
  if (headers[PROTOCOL_HEADER] !== PROTOCOL) return undefined
  if (typeof timestamp !== 'string' || !/^\d{1,15}$/.test(timestamp)) return undefined
  if (typeof nonce !== 'string' || !NONCE.test(nonce) || typeof signature !== 'string') return undefined
  if (Math.abs(secondsNow(wall) - Number(timestamp)) > AGE_SECONDS_MAX) return undefined
  const named = [secret, also].find((one) => one !== undefined && keyId(one) === headers[KEY_HEADER])
  return named === undefined ? undefined : { timestamp, nonce, signature, secret: named }
}

const isSignedOver = ({ secret, signature }: Signed, text: string): boolean =>
  equalSecrets(hmacSha256Hex(secret.reveal(), text), signature)

/** Recently seen nonces. */
export interface Nonces {
  /** Remembers a nonce; returns whether it was new. Once too many are remembered, it returns false for all. */
  readonly isNew: (nonce: string) => boolean
}

/** At most this many nonces are remembered. Only holders of a secret can add one. */
const NONCES_MAX = 500_000

/** Remembers nonces as long as their messages are valid, in two alternating sets. */
export function openNonces(wall: Clock, max: number = NONCES_MAX): Nonces {
  let [newer, older] = [new Set<string>(), new Set<string>()]
  let swapAt = 0
  return {
    isNew: (nonce) => {
      const now = secondsNow(wall)
      if (now >= swapAt) {
        // A message may be signed up to AGE_SECONDS_MAX ahead and is then valid for twice as long, and so are nonces.
        older = now >= swapAt + 2 * AGE_SECONDS_MAX ? new Set() : newer
        newer = new Set()
        swapAt = now + 2 * AGE_SECONDS_MAX
      }
      if (newer.has(nonce) || older.has(nonce) || newer.size >= max) return false
      newer.add(nonce)
      return true
    },
  }
}
