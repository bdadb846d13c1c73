import type { login } from './auth.ts'
import type { RefusalCode } from './groups.ts'
import { REFUSAL_HEADER } from './refusal.ts'
import type { Input, Reply, Route } from './route.ts'

/** A typed client of the gateway: a call's input and result follow from its route. */
export interface Client {
  /** Returns the `responseBody`. Throws `Refused` for an API error, and another error if there is no response. */
  readonly call: <R extends Route>(route: R | Address<R>, input: Input<R>) => Promise<Reply<R>>
}

/**
 * A route's method and path, which are enough to call it. Pages use the generated `web/routes.ts`, which has no
 * schemas.
 */
export interface Address<R extends Route> {
  readonly method: R['method']
  readonly path: R['path']
}

export interface ClientOptions {
  /** The gateway's base URL without a trailing slash; empty on its own pages. */
  readonly baseUrl: string
  /** The access token, if the routes need one. */
  readonly token?: string
  /** The timeout of a request. */
  readonly secondsMax?: number
  /** The HTTP transport; `fetch` by default. */
  readonly send?: Send
}

export interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface HttpResponse {
  readonly status: number
  readonly headers: { readonly get: (name: string) => string | null }
  readonly text: string
}

export type Send = (request: HttpRequest) => Promise<HttpResponse>

/** An error that the gateway returned. */
export class Refused extends Error {
  readonly status: number
  /** The error code, for programs: `WRONG_OTP`. The message is for people. */
  readonly code: RefusalCode | undefined
  readonly responseCode: string

  constructor(status: number, code: RefusalCode | undefined, responseCode: string, message: string) {
    super(message)
    this.status = status
    this.code = code
    this.responseCode = responseCode
  }
}

export function client(options: ClientOptions): Client {
  const { send = overFetch(options) } = options
  return { call: async (route, input) => bodyOf(await send(requestOf(options, route, input))) }
}

const LOGIN: Address<typeof login> = { method: 'POST', path: '/api/v1/auth/login' }

/** Exchanges API keys for an access token. */
export async function logIn(
  options: ClientOptions,
  { apiKey, secretKey }: { readonly apiKey: string; readonly secretKey: string },
): Promise<Reply<typeof login>> {
  const { send = overFetch(options) } = options
  const headers = { authorization: `Basic ${btoa(`${apiKey}:${secretKey}`)}` }
  return bodyOf(await send({ ...requestOf(options, LOGIN, {}), headers }))
}

export function requestOf<R extends Route>(
  { baseUrl, token }: ClientOptions,
  route: R | Address<R>,
  input: Input<R>,
): HttpRequest {
  const { params, query, body } = input as { params?: object; query?: object; body?: unknown }
  return {
    method: route.method,
    url: baseUrl + pathOf(route.path, params, query),
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
}

/** Fills in a path's parameters and query. */
export function pathOf(path: string, params: object = {}, query: object = {}): string {
  const filled = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name as keyof typeof params])))
  const search = new URLSearchParams(query as Record<string, string>).toString() // URLSearchParams converts numbers too
  return search === '' ? filled : `${filled}?${search}`
}

/** Returns the `responseBody`. Throws the gateway's error. */
export function bodyOf<Body>({ status, headers, text }: HttpResponse): Body {
  const { responseBody, responseCode, responseMessage } = JSON.parse(text)
  if (status === 200) return responseBody
  const code = headers.get(REFUSAL_HEADER) ?? undefined
  throw new Refused(status, code as RefusalCode | undefined, responseCode, responseMessage)
}

const SECONDS_MAX = 40

/** Sends with `fetch`, with a timeout. */
const overFetch =
  ({ secondsMax = SECONDS_MAX }: ClientOptions): Send =>
  async ({ url, ...request }) => {
    const giveUp = new AbortController()
    const timer = setTimeout(() => giveUp.abort(), secondsMax * 1_000)
    try {
      const response = await fetch(url, { ...request, signal: giveUp.signal })
      return { status: response.status, headers: response.headers, text: await response.text() }
    } finally {
      clearTimeout(timer)
    }
  }
