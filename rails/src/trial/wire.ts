import { type Clock, secondsAfter } from '@kobo/gateway/kernel/clock.ts'
import { type Hidden, hidden } from '@kobo/gateway/kernel/hidden.ts'
import { openPost } from '@kobo/gateway/platform/post.ts'
import { signedHeaders } from '@kobo/gateway/rails/http/index.ts'
import { AGE_SECONDS_MAX, isAnswer, MANIFEST, signQuestion } from '@kobo/gateway/rails/protocol/index.ts'

const ANSWER_LENGTH_MAX = 8_388_608
const MARGIN_SECONDS = 60

/** What an adapter answered, believed or not: a trial looks at what is wrong, too. */
export interface Heard {
  readonly status: number | null
  readonly isSigned: boolean
  /** The answer, where it is a JSON object. */
  readonly answer: Readonly<Record<string, unknown>> | undefined
  /** Why there is none, where that is known. */
  readonly reason: string | null
}

/** How a question is signed: soundly, or in a way that no adapter may believe. */
export const SIGNATURES = {
  none: 'without a signature',
  'another secret': 'signed with another secret',
  'another body': 'signed over another body',
  'another operation': 'signed for another operation',
  old: 'signed too long ago',
  early: 'signed for a time to come',
  first: 'signed as in the first version',
} as const
export type Unsound = keyof typeof SIGNATURES

export interface Wire {
  readonly ask: (operation: string, request: object | string) => Promise<Heard>
  readonly askUnsoundly: (how: Unsound, operation: string, request: object) => Promise<Heard>
  /** Sends one and the same question twice; answers what came of the second time. */
  readonly askAgain: (operation: string, request: object) => Promise<Heard>
  readonly close: () => void
}

interface Options {
  readonly url: string
  readonly secret: Hidden<string>
  readonly wall: Clock
  readonly timeoutMilliseconds: number
}

export function openWire({ url, secret, wall, timeoutMilliseconds }: Options): Wire {
  const { post, close } = openPost({ allowPrivate: true, timeoutMilliseconds, excerptLengthMax: ANSWER_LENGTH_MAX })
  const keys = { secret }

  async function send(operation: string, body: string, headers: Record<string, string>, nonce = ''): Promise<Heard> {
    const method = operation === MANIFEST ? 'GET' : 'POST'
    const { status, bodyExcerpt, error, headers: signed } = await post(`${url}/${operation}`, body, headers, method)
    const text = bodyExcerpt ?? ''
    const answer = { operation, nonce, status: status ?? 0, body: text }
    return { status, isSigned: isAnswer(keys, wall, answer, signed ?? {}), answer: objectIn(text), reason: error }
  }

  const unsound = (how: Unsound, operation: string, body: string): Record<string, string> => {
    const at = (seconds: number): Clock => ({ now: () => secondsAfter(wall.now(), seconds) })
    const question = { operation, body }
    switch (how) {
      case 'none':
        return {}
      case 'another secret':
        return signQuestion({ secret: hidden('not the secret of this adapter, surely not') }, wall, question).headers
      case 'another body':
        return signQuestion(keys, wall, { ...question, body: `${body} ` }).headers
      case 'another operation':
        return signQuestion(keys, wall, { ...question, operation: 'trial/other' }).headers
      case 'old':
        return signQuestion(keys, at(-AGE_SECONDS_MAX - MARGIN_SECONDS), question).headers
      case 'early':
        return signQuestion(keys, at(AGE_SECONDS_MAX + MARGIN_SECONDS), question).headers
      case 'first':
        return signedHeaders(secret.reveal(), wall, operation, body)
    }
  }

  return {
    ask: (operation, request) => {
      const body = operation === MANIFEST ? '' : typeof request === 'string' ? request : JSON.stringify(request)
      const { headers, nonce } = signQuestion(keys, wall, { operation, body })
      return send(operation, body, headers, nonce)
    },
    askUnsoundly: (how, operation, request) => {
      const body = JSON.stringify(request)
      return send(operation, body, unsound(how, operation, body))
    },
    askAgain: async (operation, request) => {
      const body = JSON.stringify(request)
      const { headers, nonce } = signQuestion(keys, wall, { operation, body })
      await send(operation, body, headers, nonce)
      return send(operation, body, headers, nonce)
    },
    close,
  }
}

function objectIn(text: string): Heard['answer'] {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Heard['answer']) : undefined
  } catch {
    return undefined
  }
}
