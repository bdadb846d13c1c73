import type { Input, Reply, Route } from '@kobo/contract'
import { type Address, client, Refused } from '@kobo/contract/client'

/** What came of a call to the gateway. `unreached`: nobody knows whether it arrived. */
export type Answer<Body> =
  | { readonly kind: 'done'; readonly body: Body }
  | { readonly kind: 'refused'; readonly refused: Refused }
  | { readonly kind: 'unreached' }

const gateway = client({ baseUrl: '' })

/** Calls a route of the gateway that the page came from. Never throws. */
export async function call<R extends Route>(route: Address<R>, input: Input<R>): Promise<Answer<Reply<R>>> {
  try {
    return { kind: 'done', body: await gateway.call(route, input) }
  } catch (error) {
    return error instanceof Refused ? { kind: 'refused', refused: error } : { kind: 'unreached' }
  }
}
