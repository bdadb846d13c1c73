import type { Input, Reply, Route, whoAmI } from '@kobo/contract'
import { type Address, client, type HttpRequest, type HttpResponse, Refused } from '@kobo/contract/client'
import * as routes from '../../routes.ts'
import type { CallResult } from '../../ui/call.ts'
import { browserNow } from '../../ui/clock.ts'

export type Me = Reply<typeof whoAmI>

export type { CallResult }

const SECONDS_MAX = 40

/** The CSRF token, which every call that changes something needs. */
let csrf = ''

async function send({ url, headers, ...request }: HttpRequest, key: string | undefined): Promise<HttpResponse> {
  const timeout = AbortSignal.timeout(SECONDS_MAX * 1_000)
  const allHeaders = { ...headers, 'kobo-csrf': csrf, ...(key === undefined ? {} : { 'idempotency-key': key }) }
  const response = await fetch(url, { ...request, headers: allHeaders, signal: timeout, credentials: 'same-origin' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Called when the session has expired. */
let signedOut = (): void => {}
export const onSignedOut = (act: () => void): void => {
  signedOut = act
}

/** Asks the user for the second factor; returns whether they gave it. */
let confirmIdentity = async (): Promise<boolean> => false
export const onConfirmIdentity = (request: () => Promise<boolean>): void => {
  confirmIdentity = request
}

/** How far the gateway's clock is ahead of the browser's. Users can move the clock of a sandbox. */
let clockAhead = 0
/** The gateway's time. */
export const now = (): Date => new Date(browserNow() + clockAhead)

/** The signed-in user. */
export async function readMe(): Promise<CallResult<Me>> {
  const response = await attempt(routes.whoAmI, {}, undefined)
  if (response.kind === 'done') {
    csrf = response.body.csrf
    clockAhead = Date.parse(response.body.at) - browserNow()
  }
  return response
}

async function attempt<R extends Route>(
  route: Address<R>,
  input: Input<R>,
  key: string | undefined,
): Promise<CallResult<Reply<R>>> {
  try {
    const gateway = client({ baseUrl: '', send: (request) => send(request, key) })
    return { kind: 'done', body: await gateway.call(route, input) }
  } catch (error) {
    return error instanceof Refused ? { kind: 'rejected', error } : { kind: 'unreached' }
  }
}

/** The error codes that ask for a second factor: a fresh confirmation, or the setup of the user's first one. */
const CONFIRMABLE: ReadonlySet<string> = new Set(['SECOND_FACTOR_NOT_FRESH', 'SECOND_FACTOR_MISSING'])

/**
 * Calls a route; never throws. If the gateway wants a second factor, asks the user for it and retries with the same
 * idempotency key.
 */
export async function call<R extends Route>(route: Address<R>, input: Input<R>): Promise<CallResult<Reply<R>>> {
  const key = route.method === 'POST' ? crypto.randomUUID() : undefined
  let response = await attempt(route, input, key)
  if (response.kind === 'rejected' && CONFIRMABLE.has(response.error.code ?? '')) {
    if (!(await confirmIdentity())) return response
    await readMe()
    response = await attempt(route, input, key)
  }
  if (response.kind === 'rejected' && response.error.code === 'NOT_SIGNED_IN') signedOut()
  return response
}

type Failure = Exclude<CallResult<unknown>, { readonly kind: 'done' }>

/** Whether a call may succeed later without a change: the gateway was not reached, or is not available. */
export const isTransient = (response: Failure): boolean => response.kind === 'unreached' || response.error.status >= 500

export const UNREACHED = 'We couldn’t reach the gateway. Check your connection and try again.'

/** The message for a call that failed. */
export const problemOf = (response: Failure): string =>
  response.kind === 'rejected' ? response.error.message : UNREACHED

const AGAIN_MILLISECONDS = 1_000

/** Signs out, and tries again until the gateway has answered, so that no session continues unnoticed. */
export async function signOut(): Promise<void> {
  for (;;) {
    await readMe() // the session may have been renewed, with another CSRF token
    const response = await call(routes.signOut, {})
    if (response.kind === 'done' || !isTransient(response)) return
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MILLISECONDS))
  }
}
