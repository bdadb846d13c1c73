import type { Input, Reply, Route, whoAmI } from '@kobo/contract'
import { type Address, client, type HttpAnswer, type HttpRequest, Refused } from '@kobo/contract/client'

export type Me = Reply<typeof whoAmI>

/** What came of a call. `unreached`: nobody knows whether it arrived. */
export type Answer<Body> =
  | { readonly kind: 'done'; readonly body: Body }
  | { readonly kind: 'refused'; readonly refused: Refused }
  | { readonly kind: 'unreached' }

const ME: Address<typeof whoAmI> = { method: 'GET', path: '/dashboard/api/me' }
const SECONDS_MAX = 40

/** What goes with every call that changes something. */
let csrf = ''

async function send({ url, headers, ...request }: HttpRequest, key: string | undefined): Promise<HttpAnswer> {
  const giveUp = AbortSignal.timeout(SECONDS_MAX * 1_000)
  const own = { ...headers, 'kobo-csrf': csrf, ...(key === undefined ? {} : { 'idempotency-key': key }) }
  const answer = await fetch(url, { ...request, headers: own, signal: giveUp, credentials: 'same-origin' })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** Called where the session has ended meanwhile. */
let onSignedOut = (): void => {}
export const whenSignedOut = (act: () => void): void => {
  onSignedOut = act
}

/** Asks the person for the second factor; answers whether it was shown. */
let confirmIdentity = async (): Promise<boolean> => false
export const whenToConfirm = (ask: () => Promise<boolean>): void => {
  confirmIdentity = ask
}

/** Asks who is signed in; undefined where nobody is. */
export async function readMe(): Promise<Me | undefined> {
  const answer = await attempt(ME, {}, undefined)
  if (answer.kind !== 'done') return undefined
  csrf = answer.body.csrf
  return answer.body
}

async function attempt<R extends Route>(
  route: Address<R>,
  input: Input<R>,
  key: string | undefined,
): Promise<Answer<Reply<R>>> {
  try {
    const gateway = client({ baseUrl: '', send: (request) => send(request, key) })
    return { kind: 'done', body: await gateway.call(route, input) }
  } catch (error) {
    return error instanceof Refused ? { kind: 'refused', refused: error } : { kind: 'unreached' }
  }
}

/**
 * Calls a route of the dashboard, or one of the API as people have it. Never throws. Where a fresh second factor is asked
 * for, the person is asked for it, and the same call is made again: it has one key, so it is done once.
 */
export async function call<R extends Route>(route: Address<R>, input: Input<R>): Promise<Answer<Reply<R>>> {
  const key = route.method === 'POST' ? crypto.randomUUID() : undefined
  let answer = await attempt(route, input, key)
  if (answer.kind === 'refused' && answer.refused.code === 'SECOND_FACTOR_NOT_FRESH') {
    if (!(await confirmIdentity())) return answer
    await readMe()
    answer = await attempt(route, input, key)
  }
  if (answer.kind === 'refused' && answer.refused.code === 'NOT_SIGNED_IN') onSignedOut()
  return answer
}

/** What a person is told where a call was not done. */
export const problemOf = (answer: Exclude<Answer<unknown>, { readonly kind: 'done' }>): string =>
  answer.kind === 'refused' ? answer.refused.message : 'The gateway could not be reached. Please try again.'
