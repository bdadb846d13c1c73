import { type Clock, secondsAfter } from '@kobo/gateway/kernel/clock.ts'
import { type Hidden, hidden } from '@kobo/gateway/kernel/hidden.ts'
import { openPost } from '@kobo/gateway/platform/http/post-json.ts'
import { signedHeaders } from '@kobo/gateway/rails/http/index.ts'
import { AGE_SECONDS_MAX, isSignedResponse, MANIFEST, signRequest } from '@kobo/gateway/rails/protocol/index.ts'

const RESPONSE_LENGTH_MAX = 8_388_608
const MARGIN_SECONDS = 60

/** An adapter's response, valid or not. */
export interface Received {
  readonly status: number | null
  readonly isSigned: boolean
  /** The response, if it is a JSON object. */
  readonly response: Readonly<Record<string, unknown>> | undefined
  /** Why there is no response, if that is known. */
  readonly reason: string | null
}

/** The ways to sign a request that no adapter may accept. */
export const SIGNATURES = {
  none: 'not signed',
  'another secret': 'signed with another secret',
  'another body': 'signed for another body',
  'another operation': 'signed for another operation',
  old: 'signed too long ago',
  early: 'signed with a future time',
  first: 'signed with protocol version 1',
} as const
export type BadSignature = keyof typeof SIGNATURES

export interface Wire {
  readonly request: (operation: string, request: object | string) => Promise<Received>
  readonly requestWithBadSignature: (how: BadSignature, operation: string, request: object) => Promise<Received>
  /** Sends the same request twice; returns the second response. */
  readonly repeat: (operation: string, request: object) => Promise<Received>
  readonly close: () => void
}

interface Options {
  readonly url: string
  readonly secret: Hidden<string>
  readonly wall: Clock
  readonly timeoutMilliseconds: number
}

export function openWire({ url, secret, wall, timeoutMilliseconds }: Options): Wire {
  const { post, close } = openPost({ allowPrivate: true, timeoutMilliseconds, excerptLengthMax: RESPONSE_LENGTH_MAX })
  const keys = { secret }

  async function send(operation: string, body: string, headers: Record<string, string>, nonce = ''): Promise<Received> {
    const method = operation === MANIFEST ? 'GET' : 'POST'
    const { status, bodyExcerpt, error, headers: signed } = await post(`${url}/${operation}`, body, headers, method)
    const text = bodyExcerpt ?? ''
    const response = { operation, nonce, status: status ?? 0, body: text }
    return {
      status,
      isSigned: isSignedResponse(keys, wall, response, signed ?? {}),
      response: objectIn(text),
      reason: error,
    }
  }

  const badHeaders = (how: BadSignature, operation: string, body: string): Record<string, string> => {
    const at = (seconds: number): Clock => ({ now: () => secondsAfter(wall.now(), seconds) })
    const question = { operation, body }
    switch (how) {
      case 'none':
        return {}
      case 'another secret':
        return signRequest({ secret: hidden('not the secret of this adapter, surely not') }, wall, question).headers
      case 'another body':
        return signRequest(keys, wall, { ...question, body: `${body} ` }).headers
      case 'another operation':
        return signRequest(keys, wall, { ...question, operation: 'trial/other' }).headers
      case 'old':
        return signRequest(keys, at(-AGE_SECONDS_MAX - MARGIN_SECONDS), question).headers
      case 'early':
        return signRequest(keys, at(AGE_SECONDS_MAX + MARGIN_SECONDS), question).headers
      case 'first':
        return signedHeaders(secret.reveal(), wall, operation, body)
    }
  }

  return {
    request: (operation, request) => {
      const body = operation === MANIFEST ? '' : typeof request === 'string' ? request : JSON.stringify(request)
      const { headers, nonce } = signRequest(keys, wall, { operation, body })
      return send(operation, body, headers, nonce)
    },
    requestWithBadSignature: (how, operation, request) => {
      const body = JSON.stringify(request)
      return send(operation, body, badHeaders(how, operation, body))
    },
    repeat: async (operation, request) => {
      const body = JSON.stringify(request)
      const { headers, nonce } = signRequest(keys, wall, { operation, body })
      await send(operation, body, headers, nonce)
      return send(operation, body, headers, nonce)
    },
    close,
  }
}

function objectIn(text: string): Received['response'] {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Received['response'])
      : undefined
  } catch {
    return undefined
  }
}
