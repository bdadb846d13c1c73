import * as contract from '@kobo/contract'
import type { Serve } from '../../core/edge/http/index.ts'
import type { Environment } from '../../platform/config.ts'
import { showMe } from './show.ts'

export function signInRoutes(serve: Serve, { environment }: { readonly environment: Environment }): void {
  serve(contract.whoAmI, async (_, { person, merchant }) => showMe(person, merchant, environment))
}
