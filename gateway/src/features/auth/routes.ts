import * as contract from '@kobo/contract'
import { checkAddress, type Serve } from '../../core/http/index.ts'
import type { MerchantDirectory } from '../../core/merchants/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { ACCESS_TOKEN_SECONDS, type Tokens } from '../../platform/tokens.ts'
import { checkCredentials } from './service.ts'

interface Deps {
  readonly directory: MerchantDirectory
  readonly clock: Clock
  readonly tokens: Tokens
}

export function authRoutes(serve: Serve, deps: Deps): void {
  serve(contract.login, async (_, { authorization, address }) => {
    const merchant = await checkCredentials(deps, authorization)
    checkAddress(merchant, contract.login, address)
    return { accessToken: deps.tokens.sign(merchant.id), expiresIn: ACCESS_TOKEN_SECONDS }
  })
}
