import { openPost } from '@kobo/gateway/platform/http/post-json.ts'
import type { PartnerSetting, PartnerSettings } from '../connector.ts'
import { type Json, readJson } from './json.ts'

const RESPONSE_LENGTH_MAX = 1_048_576
const MILLISECONDS_MAX = 24_000

const whyNotUrl = (text: string): string | undefined =>
  /^https?:$/.test(URL.parse(text)?.protocol ?? '') ? undefined : 'must be an http or https address'

/** Returns the setting for an optional second URL of the partner. */
export const furtherUrl = (name: string, help: string): PartnerSetting => ({
  name,
  help,
  standard: '',
  whyNot: (text) => (text === '' ? undefined : whyNotUrl(text)),
})

/** The settings of every HTTP connector. */
export const PARTNER_SETTINGS: readonly PartnerSetting[] = [
  {
    name: 'URL',
    help: 'URL of the partner',
    whyNot: whyNotUrl,
  },
  {
    name: 'TIMEOUT_MILLISECONDS',
    help: `Timeout for the partner; the gateway itself waits ${MILLISECONDS_MAX + 1_000}`,
    standard: '20000',
    whyNot: (text) =>
      /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= MILLISECONDS_MAX
        ? undefined
        : `must be a whole number from 1 to ${MILLISECONDS_MAX}`,
  },
]

/** The outcome of a request to a partner. Network failures never throw. */
export type PartnerResponse =
  | { readonly kind: 'responded'; readonly status: number; readonly body: Json }
  /** No byte of the request was sent. */
  | { readonly kind: 'not reached' }
  /** No usable response (silence, an HTML page, half a response): the partner may have processed the request. */
  | { readonly kind: 'no response'; readonly status: number | null }

export interface PartnerRequest {
  readonly path: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: object | string
}

export interface PartnerLine {
  readonly callPartner: (request: PartnerRequest) => Promise<PartnerResponse>
  readonly close: () => void
}

/** An HTTP client for a partner, with bounded time and response size. */
export function openLine(settings: PartnerSettings, name = 'URL'): PartnerLine {
  const { post, close } = openPost({
    allowPrivate: true, // the operator configures the URL
    timeoutMilliseconds: Number(settings.text('TIMEOUT_MILLISECONDS')),
    excerptLengthMax: RESPONSE_LENGTH_MAX,
  })
  const url = settings.text(name).replace(/\/+$/, '')
  return {
    callPartner: async ({ path, method = 'POST', headers = {}, body = '' }) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const outcome = await post(`${url}${path}`, text, headers, method)
      if (!outcome.mayHaveLeft) return { kind: 'not reached' }
      const { status, bodyExcerpt, error } = outcome
      const response = status === null || error !== null ? undefined : readJson(Buffer.from(bodyExcerpt ?? ''))
      return response === undefined
        ? { kind: 'no response', status }
        : { kind: 'responded', status: status ?? 0, body: response }
    },
    close,
  }
}
