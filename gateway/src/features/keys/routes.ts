import * as contract from '@kobo/contract'
import { done, type Serve } from '../../core/edge/http/index.ts'
import { createRestricted, type KeyDeps, revokeRestricted } from './restricted.ts'
import { rotateKey, showKeys } from './service.ts'

export function keyRoutes(serve: Serve, deps: KeyDeps): void {
  serve(contract.getKeys, async (_, { merchant }) => showKeys(deps, merchant))
  serve(contract.rotateKey, ({ body }, { merchant, by }) => rotateKey(deps, merchant, body.overlapHours, by))
  serve(contract.createRestrictedKey, ({ body }, { merchant, person, by }) =>
    createRestricted(deps, merchant, person, body, by),
  )
  serve(contract.revokeRestrictedKey, ({ params }, { merchant, by }) =>
    done(revokeRestricted(deps, merchant, BigInt(params.id), by)),
  )
}
