import type { Input, Reply, Route, whoAmI } from '@kobo/contract'
import { type Address, client, type HttpRequest, type HttpResponse, Refused } from '@kobo/contract/client'
import * as routes from '../../routes.ts'
import type { CallResult } from '../../ui/call.ts'

export type Me = Reply<typeof whoAmI>

export type { CallResult }

const SECONDS_MAX = 40

/** The CSRF token, which every call that changes something needs. */
let csrf = ''

async function send({ url, headers, ...request }: HttpRequest, key: string | undefined): Promise<HttpResponse> {
  const timeout = AbortSignal.timeout(SECONDS_MAX * 1_000)
  const allHeaders = { ...headers, 'kobo-csrf': csrf, ...(key === undefined ? {} : { 'idempotency-key': key }) }
  const answer = await fetch(url, { ...request, headers: allHeaders, signal: timeout, credentials: 'same-origin' })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
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

/** The signed-in user; undefined if there is none. */
export async function readMe(): Promise<Me | undefined> {
  const answer = await attempt(routes.whoAmI, {}, undefined)
  if (answer.kind !== 'done') return undefined
  csrf = answer.body.csrf
  return answer.body
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

/**
 * Calls a route; never throws. If the gateway wants a fresh second factor, asks the user for it and retries with the same
 * idempotency key.
 */
export async function call<R extends Route>(route: Address<R>, input: Input<R>): Promise<CallResult<Reply<R>>> {
  const key = route.method === 'POST' ? crypto.randomUUID() : undefined
  let answer = await attempt(route, input, key)
  if (answer.kind === 'rejected' && answer.error.code === 'SECOND_FACTOR_NOT_FRESH') {
    if (!(await confirmIdentity())) return answer
    await readMe()
    answer = await attempt(route, input, key)
  }
  if (answer.kind === 'rejected' && answer.error.code === 'NOT_SIGNED_IN') signedOut()
  return answer
}

/** The message for a call that failed. */
export const problemOf = (answer: Exclude<CallResult<unknown>, { readonly kind: 'done' }>): string =>
  answer.kind === 'rejected'
    ? answer.error.message
    : 'We couldn’t reach the gateway. Check your connection and try again.'
