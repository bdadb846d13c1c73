import type { getOwnAccounts, Reply } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import { type Answer, call } from './call.ts'

export const OWN_ACCOUNTS: Address<typeof getOwnAccounts> = { method: 'GET', path: '/dashboard/api/own-accounts' }

export type OwnAccounts = Reply<typeof getOwnAccounts>

/** The contract under which something new is made: the merchant's first. */
export async function contractCode(): Promise<Answer<string>> {
  const answer = await call(OWN_ACCOUNTS, {})
  return answer.kind === 'done' ? { kind: 'done', body: answer.body.contracts[0]?.code ?? '' } : answer
}
