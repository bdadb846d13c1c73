import type { getOwnAccounts, Reply } from '@kobo/contract'
import * as routes from '../../routes.ts'
import { type CallResult, call } from './call.ts'

export type OwnAccounts = Reply<typeof getOwnAccounts>

/** The contract for new payments: the merchant's first one. */
export async function contractCode(): Promise<CallResult<string>> {
  const response = await call(routes.getOwnAccounts, {})
  return response.kind === 'done' ? { kind: 'done', body: response.body.contracts[0]?.code ?? '' } : response
}
