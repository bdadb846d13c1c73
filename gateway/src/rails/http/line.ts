import type { Clock } from '../../kernel/clock.ts'
import { hasNotLeft, type Post, type PostOutcome } from '../../platform/post.ts'
import { isAnswer, type Keys, type Manifest, signQuestion } from '../protocol/index.ts'
import { signedHeaders } from './signature.ts'

/** A way to ask an adapter, in one version of the protocol. */
export interface Line {
  readonly ask: (operation: string, body: string) => Promise<Met>
  /** What the adapter says of itself; the first version says nothing. */
  readonly manifest?: Manifest
}

/** What came of asking. */
export interface Met {
  /** What was answered; undefined where that cannot be used. */
  readonly text: string | undefined
  /** Whether there was no answer at all. */
  readonly isSilent: boolean
  /** Whether nobody was reached, so that nothing has left us. */
  readonly isUnsent: boolean
  readonly status: number | null
  /** Why the answer cannot be used, where that is known. */
  readonly reason: string | null
  readonly milliseconds: number
}

export interface LineOptions {
  readonly url: string
  readonly keys: Keys
  readonly wall: Clock
  readonly post: Post
}

/** What a proxy says where nobody behind it answered. */
const NOBODY_BEHIND = new Set([502, 503, 504])

const met = (outcome: PostOutcome): Met => {
  const { status, bodyExcerpt, error, milliseconds } = outcome
  return {
    text: status === 200 && error === null ? (bodyExcerpt ?? undefined) : undefined,
    isSilent: status === null || NOBODY_BEHIND.has(status),
    isUnsent: hasNotLeft(outcome),
    status,
    reason: error,
    milliseconds,
  }
}

/** The first version: questions are signed, answers are believed as they come. */
export const firstLine = ({ url, keys, wall, post }: LineOptions): Line => ({
  ask: async (operation, body) =>
    met(await post(`${url}/${operation}`, body, signedHeaders(keys.secret.reveal(), wall, operation, body))),
})

/** The second version: an answer is believed only where it is signed too, and over this very question. */
export async function askSigned(
  { url, keys, wall, post }: LineOptions,
  operation: string,
  body: string,
  method: 'GET' | 'POST' = 'POST',
): Promise<Met> {
  const { nonce, headers } = signQuestion(keys, wall, { operation, body })
  const outcome = await post(`${url}/${operation}`, body, headers, method)
  const answer = met(outcome)
  if (answer.text === undefined) return answer
  const isTrue = isAnswer(keys, wall, { operation, nonce, status: 200, body: answer.text }, outcome.headers ?? {})
  return isTrue ? answer : { ...answer, text: undefined, reason: 'the answer is not signed' }
}

export const secondLine = (options: LineOptions, manifest: Manifest): Line => ({
  ask: (operation, body) => askSigned(options, operation, body),
  manifest,
})
