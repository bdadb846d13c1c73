import type { Static } from 'typebox'
import { fromMoment } from '../../kernel/dates.ts'
import type { AccountChange, AccountOutcome, FoundAccount } from '../account.ts'
import { isNotSent, type NotSent, type PartnerRails } from '../not-sent.ts'
import { type Opened, accountOperations as operations } from '../protocol/index.ts'
import type { Adapter } from './adapter.ts'
import { plainReader } from './reader.ts'

const outcome = plainReader(operations['account/open'])
const found = plainReader(operations['account/find'])
const closed = plainReader(operations['account/close'])
const renamed = plainReader(operations['account/rename'])

/** Returns the response, or undefined if it reports an account at another bank than the requested one. */
function atRequestedBank<Response extends { readonly kind: string }>(
  response: Response | Static<typeof Opened> | undefined,
  expected: string,
) {
  if (response === undefined || !isOpened(response)) return response
  const { kind, bankCode, accountNumber, accountName, closesAt } = response
  if (bankCode !== expected) return undefined
  return {
    kind,
    bankCode,
    accountNumber,
    accountName,
    closesAt: closesAt === null ? null : (fromMoment(closesAt) ?? null),
  }
}

const isOpened = (response: { readonly kind: string }): response is Static<typeof Opened> => response.kind === 'opened'

/**
 * Returns the outcome of a change. A change is safe to retry: it is retried if the partner was unreachable, but not if
 * the partner does not support it.
 */
const change = (response: AccountChange | NotSent): AccountChange =>
  !isNotSent(response)
    ? response
    : response.unanswered === true
      ? { kind: 'unknown', unanswered: true }
      : { kind: 'unsupported' }

export const httpAccounts = ({ send, find }: Adapter): PartnerRails['account'] => ({
  open: (opening) =>
    send<AccountOutcome | NotSent>('account/open', opening, (text) => atRequestedBank(outcome(text), opening.bankCode)),
  find: ({ reference, bankCode }) =>
    find<FoundAccount>('account/find', { reference }, (text) => atRequestedBank(found(text), bankCode)),
  close: async (account) => change(await send('account/close', account, closed)),
  rename: async (account) => change(await send('account/rename', account, renamed)),
})
