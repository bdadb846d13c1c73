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

/** A message that is older or newer than this is refused; for as long it is remembered, so that none is heard twice. */
export const AGE_SECONDS_MAX = 300
const NONCE = /^[A-Za-z0-9_-]{16,64}$/
const NONCE_BYTES = 18
/** What a key may be called by, of what it makes of a fixed text: it tells nothing of the key. */
const KEY_ID_LENGTH = 16
const KEY_ID_TEXT = 'kobo rails key'

export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The secrets of both sides: one signs; another may be accepted too, while one takes the other's place. */
export interface Keys {
  readonly secret: Hidden<string>
  readonly also?: Hidden<string> | undefined
}

export const keyId = (secret: Hidden<string>): string =>
  hmacSha256Hex(secret.reveal(), KEY_ID_TEXT).slice(0, KEY_ID_LENGTH)

/** A question and its answer are signed over different texts, so that none can be sent back as the other. */
interface Question {
  readonly operation: string
  readonly body: string
}
export interface Answer extends Question {
  /** Of the question: an answer belongs to one, and no other. */
  readonly nonce: string
  readonly status: number
}

const questionText = (timestamp: string, nonce: string, { operation, body }: Question): string =>
  `2.question.${timestamp}.${nonce}.${operation}.${body}`
const answerText = (timestamp: string, { nonce, operation, status, body }: Answer): string =>
  `2.answer.${timestamp}.${nonce}.${operation}.${status}.${body}`

const secondsNow = (wall: Clock): number => Math.floor(wall.now().getTime() / 1_000)

const headersOf = (secret: Hidden<string>, timestamp: string, nonce: string, text: string): Record<string, string> => ({
  [PROTOCOL_HEADER]: PROTOCOL,
  [KEY_HEADER]: keyId(secret),
  [TIMESTAMP_HEADER]: timestamp,
  [NONCE_HEADER]: nonce,
  [SIGNATURE_HEADER]: hmacSha256Hex(secret.reveal(), text),
})

/** Signs a question; the nonce is what its answer must be signed over. */
export function signQuestion({ secret }: Keys, wall: Clock, question: Question) {
  const timestamp = String(secondsNow(wall))
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  return { nonce, headers: headersOf(secret, timestamp, nonce, questionText(timestamp, nonce, question)) }
}

/** Signs an answer with the secret that its question was signed with. */
export function signAnswer(secret: Hidden<string>, wall: Clock, answer: Answer): Record<string, string> {
  const timestamp = String(secondsNow(wall))
  return headersOf(secret, timestamp, answer.nonce, answerText(timestamp, answer))
}

/** Whether an answer is to this very question, from somebody who holds a secret. */
export const isAnswer = (keys: Keys, wall: Clock, answer: Answer, headers: Headers): boolean => {
  const signed = readHeaders(keys, wall, headers)
  return (
    signed !== undefined && signed.nonce === answer.nonce && isSignedOver(signed, answerText(signed.timestamp, answer))
  )
}

/** A question that was signed by somebody who holds a secret, and was not heard before. */
export interface Asked {
  readonly nonce: string
  readonly secret: Hidden<string>
}

/** Reads the headers of a question; undefined where it is signed otherwise, too old, or was heard before. */
export function readQuestion(
  keys: Keys,
  wall: Clock,
  nonces: Nonces,
  question: Question,
  headers: Headers,
): Asked | undefined {
  const signed = readHeaders(keys, wall, headers)
  if (signed === undefined || !isSignedOver(signed, questionText(signed.timestamp, signed.nonce, question)))
    return undefined
  return nonces.isNew(signed.nonce) ? { nonce: signed.nonce, secret: signed.secret } : undefined
}

interface Signed extends Asked {
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

/** What was heard lately: the same message is not heard twice. */
export interface Nonces {
  /** Remembers a nonce; answers whether it was new. Once too many are remembered, none is. */
  readonly isNew: (nonce: string) => boolean
}

/** Only those who hold a secret have anything remembered here. */
const NONCES_MAX = 500_000

/** Remembers nonces for as long as their messages are young enough to be heard: in two sets that take turns. */
export function openNonces(wall: Clock, max: number = NONCES_MAX): Nonces {
  let [newer, older] = [new Set<string>(), new Set<string>()]
  let turnAt = 0
  return {
    isNew: (nonce) => {
      const now = secondsNow(wall)
      if (now >= turnAt) {
        // What is signed ahead of time stays young for twice as long.
        older = now >= turnAt + 2 * AGE_SECONDS_MAX ? new Set() : newer
        newer = new Set()
        turnAt = now + 2 * AGE_SECONDS_MAX
      }
      if (newer.has(nonce) || older.has(nonce) || newer.size >= max) return false
      newer.add(nonce)
      return true
    },
  }
}
