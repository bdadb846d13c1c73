/** What came of a call to the gateway. `unreached`: nobody knows whether it arrived. */
export type Answer<Body> =
  | { readonly kind: 'done'; readonly body: Body }
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  | { readonly kind: 'unreached' }

const CALL_MILLISECONDS_MAX = 40_000

/** Calls a route of the gateway and opens its envelope. Never throws. */
export async function call<Body>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer<Body>> {
  const giveUp = new AbortController()
  const timer = setTimeout(() => giveUp.abort(), CALL_MILLISECONDS_MAX)
  try {
    const answer = await fetch(path, {
      method,
      signal: giveUp.signal,
      credentials: 'same-origin',
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const { responseMessage, responseBody } = (await answer.json()) as { responseMessage: string; responseBody?: Body }
    return answer.ok
      ? { kind: 'done', body: responseBody as Body }
      : { kind: 'refused', status: answer.status, message: responseMessage }
  } catch {
    return { kind: 'unreached' }
  } finally {
    clearTimeout(timer)
  }
}
