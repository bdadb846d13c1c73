import type { Outcome } from '../checker/history.ts'

/** The API keys and codes of a merchant. */
export interface Credentials {
  readonly apiKey: string
  readonly secretKey: string
  readonly contractCode: string
  readonly walletAccountNumber: string
}

/** A response, and the outcome of the request. */
export interface Answer {
  readonly outcome: Outcome
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

export interface Api {
  /** Sends a request to the next gateway. Repeated requests with the same key take effect once. */
  readonly send: (method: string, path: string, body?: object, key?: string) => Promise<Answer>
}

const RESPONSE_MILLISECONDS_MAX = 20_000
const NOTHING: Answer = { outcome: 'unknown', status: 0, body: {} }

/** Calls gateways in turn, as a load balancer does. */
export function openApi(urls: readonly string[], { apiKey, secretKey }: Credentials): Api {
  let turn = 0
  let token = ''
  const request = async (method: string, path: string, headers: object, body?: object): Promise<Answer> => {
    const url = `${urls[turn++ % urls.length]}${path}`
    try {
      const response = await fetch(url, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(RESPONSE_MILLISECONDS_MAX),
      })
      const { responseBody = {} } = (await response.json()) as { responseBody?: Answer['body'] }
      const { status } = response
      return { outcome: status === 200 ? 'ok' : status < 500 ? 'failed' : 'unknown', status, body: responseBody ?? {} }
    } catch {
      return NOTHING
    }
  }
  const logIn = async (): Promise<void> => {
    const authorization = `Basic ${btoa(`${apiKey}:${secretKey}`)}`
    const { body } = await request('POST', '/api/v1/auth/login', { authorization })
    if (typeof body['accessToken'] === 'string') token = body['accessToken']
  }
  const send: Api['send'] = async (method, path, body, key) => {
    if (token === '') await logIn()
    const headers = { authorization: `Bearer ${token}`, ...(key === undefined ? {} : { 'idempotency-key': key }) }
    const answer = await request(method, path, headers, body)
    if (answer.status !== 401) return answer
    // Nothing was done: the token had expired, or no gateway had answered the login.
    token = ''
    return { ...answer, outcome: 'unknown' }
  }
  return { send }
}

/** Converts an amount of the API, in naira, to kobo. */
export const inKobo = (naira: unknown): number => Math.round(Number(naira) * 100)
