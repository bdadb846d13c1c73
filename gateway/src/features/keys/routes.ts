import * as contract from '@kobo/contract'
import type { Serve } from '../../core/edge/http/index.ts'
import { type KeyDeps, rotateKey, showKeys } from './service.ts'

export function keyRoutes(serve: Serve, deps: KeyDeps): void {
  serve(contract.getKeys, async (_, { merchant }) => showKeys(deps, merchant))
  serve(contract.rotateKey, ({ body }, { merchant, by }) => rotateKey(deps, merchant, body.overlapHours, by))
}
