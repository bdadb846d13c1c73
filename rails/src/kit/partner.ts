import { hasNotLeft, openPost } from '@kobo/gateway/platform/post.ts'
import type { PartnerSetting, PartnerSettings } from '../connector.ts'
import { type Json, readJson } from './json.ts'

const ANSWER_LENGTH_MAX = 1_048_576
const MILLISECONDS_MAX = 24_000

const whyNotUrl = (text: string): string | undefined =>
  /^https?:$/.test(URL.parse(text)?.protocol ?? '') ? undefined : 'must be an http or https address'

/** A further address of the same partner; nothing is asked there where it is left out. */
export const furtherUrl = (name: string, help: string): PartnerSetting => ({
  name,
  help,
  standard: '',
  whyNot: (text) => (text === '' ? undefined : whyNotUrl(text)),
})

/** What every connector to a partner by HTTP is told. */
export const PARTNER_SETTINGS: readonly PartnerSetting[] = [
  {
    name: 'URL',
    help: 'Where the partner is',
    whyNot: whyNotUrl,
  },
  {
    name: 'TIMEOUT_MILLISECONDS',
    help: `How long it is waited for; the gateway itself waits ${MILLISECONDS_MAX + 1_000}`,
    standard: '20000',
    whyNot: (text) =>
      /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= MILLISECONDS_MAX
        ? undefined
        : `must be a whole number from 1 to ${MILLISECONDS_MAX}`,
  },
]

/** What came of asking a partner. It never throws for what the world may do. */
export type Said =
  | { readonly kind: 'answered'; readonly status: number; readonly body: Json }
  /** No connection was made: nothing has left us. */
  | { readonly kind: 'not reached' }
  /** Silence, a page for people, half an answer: it may have been done. */
  | { readonly kind: 'no answer'; readonly status: number | null }

export interface Question {
  readonly path: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; a text is sent as it is. */
  readonly body?: object | string
}

export interface PartnerLine {
  readonly ask: (question: Question) => Promise<Said>
  readonly close: () => void
}

/** A way to ask a partner over HTTP, in a bounded time and for a bounded answer. */
export function openLine(settings: PartnerSettings, name = 'URL'): PartnerLine {
  const { post, close } = openPost({
    allowPrivate: true, // the operator names the address
    timeoutMilliseconds: Number(settings.text('TIMEOUT_MILLISECONDS')),
    excerptLengthMax: ANSWER_LENGTH_MAX,
  })
  const url = settings.text(name).replace(/\/+$/, '')
  return {
    ask: async ({ path, method = 'POST', headers = {}, body = '' }) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const outcome = await post(`${url}${path}`, text, headers, method)
      if (hasNotLeft(outcome)) return { kind: 'not reached' }
      const { status, bodyExcerpt, error } = outcome
      const answer = status === null || error !== null ? undefined : readJson(Buffer.from(bodyExcerpt ?? ''))
      return answer === undefined
        ? { kind: 'no answer', status }
        : { kind: 'answered', status: status ?? 0, body: answer }
    },
    close,
  }
}
