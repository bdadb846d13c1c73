import * as contract from '@kobo/contract'
import type { Serve } from '../../core/edge/http/index.ts'
import { ACCESS_TOKEN_SECONDS, type Tokens } from '../../platform/http/access-tokens.ts'

export function authRoutes(serve: Serve, { tokens }: { readonly tokens: Tokens }): void {
  serve(contract.login, async (_, { merchant, secretId }) => ({
    accessToken: tokens.sign(merchant.id, secretId),
    expiresIn: ACCESS_TOKEN_SECONDS,
  }))
}
