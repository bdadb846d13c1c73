import type { Input, Reply, Route } from '@kobo/contract'
import { type Address, client, Refused } from '@kobo/contract/client'

/** The result of a call. `unreached`: there was no response, so the gateway may or may not have received the call. */
export type CallResult<Body> =
  | { readonly kind: 'done'; readonly body: Body }
  | { readonly kind: 'rejected'; readonly error: Refused }
  | { readonly kind: 'unreached' }

const gateway = client({ baseUrl: '' })

/** Calls the gateway that served the page. Never throws. */
export async function call<R extends Route>(route: Address<R>, input: Input<R>): Promise<CallResult<Reply<R>>> {
  try {
    return { kind: 'done', body: await gateway.call(route, input) }
  } catch (error) {
    return error instanceof Refused ? { kind: 'rejected', error } : { kind: 'unreached' }
  }
}
