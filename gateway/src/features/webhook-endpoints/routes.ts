import * as contract from '@kobo/contract'
import { done, type Serve } from '../../core/edge/http/index.ts'
import { ID_MAX } from '../../kernel/ids.ts'
import {
  changeEndpoint,
  createEndpoint,
  type EndpointDeps,
  listEndpoints,
  removeEndpoint,
  rotateSecret,
} from './service.ts'

export function endpointRoutes(serve: Serve, deps: EndpointDeps): void {
  serve(contract.listWebhookEndpoints, (_, { merchant }) => listEndpoints(deps, merchant.id))
  serve(contract.createWebhookEndpoint, ({ body }, { merchant, by }) => createEndpoint(deps, merchant.id, body, by))
  serve(contract.changeWebhookEndpoint, ({ params, body }, { merchant, by }) =>
    changeEndpoint(deps, { merchantId: merchant.id, id: idOf(params.id) }, body, by),
  )
  serve(contract.rotateWebhookSecret, ({ params, body }, { merchant, by }) =>
    rotateSecret(deps, { merchantId: merchant.id, id: idOf(params.id) }, body.overlapHours, by),
  )
  serve(contract.removeWebhookEndpoint, ({ params }, { merchant, by }) =>
    done(removeEndpoint(deps, { merchantId: merchant.id, id: idOf(params.id) }, by)),
  )
}

/** Reads the id in a request. An impossible id becomes 0, which matches no row. */
const idOf = (text: string): bigint => (BigInt(text) > ID_MAX ? 0n : BigInt(text))
