import type { login } from './auth.ts'
import type { RefusalCode } from './groups.ts'
import { REFUSAL_HEADER } from './refusal.ts'
import type { Input, Reply, Route } from './route.ts'

/** Calls the gateway, by the contract: what goes in and what comes back follow from the route. */
export interface Client {
  /** Answers what is inside the envelope. Throws `Refused` where the gateway says no, and another error where it does not answer. */
  readonly call: <R extends Route>(route: R | Address<R>, input: Input<R>) => Promise<Reply<R>>
}

/**
 * Where a route is, which is all that a call needs of it. The route itself is one. A page, to which the contract's schemas
 * would be too heavy, writes it down and names the route by its type: the compiler holds the one against the other.
 */
export interface Address<R extends Route> {
  readonly method: R['method']
  readonly path: R['path']
}

export interface ClientOptions {
  /** Where the gateway is, with no slash at the end; empty on its own pages. */
  readonly baseUrl: string
  /** The access token, where the routes ask for one. */
  readonly token?: string
  /** How long an answer may take. */
  readonly secondsMax?: number
  /** How requests are sent, where not by `fetch`. */
  readonly send?: Send
}

/** A request as it goes over the wire. */
export interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** An answer as it came over the wire. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: { readonly get: (name: string) => string | null }
  readonly text: string
}

export type Send = (request: HttpRequest) => Promise<HttpAnswer>

/** The gateway said no, and why. */
export class Refused extends Error {
  readonly status: number
  /** The refusal's name, by which a program tells it from others: `WRONG_OTP`. The message is for people. */
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

/** Exchanges keys for an access token. */
export async function logIn(
  options: ClientOptions,
  { apiKey, secretKey }: { readonly apiKey: string; readonly secretKey: string },
): Promise<Reply<typeof login>> {
  const { send = overFetch(options) } = options
  const headers = { authorization: `Basic ${btoa(`${apiKey}:${secretKey}`)}` }
  return bodyOf(await send({ ...requestOf(options, LOGIN, {}), headers }))
}

/** The request that calls a route. */
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

/** A route's path with its parameters and its query filled in. */
export function pathOf(path: string, params: object = {}, query: object = {}): string {
  const filled = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name as keyof typeof params])))
  const search = new URLSearchParams(query as Record<string, string>).toString() // which makes texts of numbers too
  return search === '' ? filled : `${filled}?${search}`
}

/** What is inside the envelope. Throws what the gateway refused. */
export function bodyOf<Body>({ status, headers, text }: HttpAnswer): Body {
  const { responseBody, responseCode, responseMessage } = JSON.parse(text)
  if (status === 200) return responseBody
  const code = headers.get(REFUSAL_HEADER) ?? undefined
  throw new Refused(status, code as RefusalCode | undefined, responseCode, responseMessage)
}

const SECONDS_MAX = 40

/** Sends by `fetch`, and gives up when the answer takes too long. */
const overFetch =
  ({ secondsMax = SECONDS_MAX }: ClientOptions): Send =>
  async ({ url, ...request }) => {
    const giveUp = new AbortController()
    const timer = setTimeout(() => giveUp.abort(), secondsMax * 1_000)
    try {
      const answer = await fetch(url, { ...request, signal: giveUp.signal })
      return { status: answer.status, headers: answer.headers, text: await answer.text() }
    } finally {
      clearTimeout(timer)
    }
  }
