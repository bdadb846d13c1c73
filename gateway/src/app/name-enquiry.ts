import type { Core } from '../core/core.ts'
import type { Feature } from '../core/feature.ts'
import { accountKey, findAccounts, isGiven } from '../core/money/virtual-accounts/index.ts'

/** Whose an account is, as far as it takes money. */
export type AccountHolder = { readonly kind: 'found'; readonly accountName: string } | { readonly kind: 'not found' }

const NOT_FOUND: AccountHolder = { kind: 'not found' }

/**
 * Answers a bank that has assigned us a prefix, when somebody is about to pay into one of its numbers. One that takes no more
 * money is not found: what is not sent need not go back.
 */
export const nameEnquiry =
  ({ db, clock }: Core, features: readonly Feature[]) =>
  async (number: { readonly bankCode: string; readonly accountNumber: string }): Promise<AccountHolder> => {
    const account = (await findAccounts(db, [number])).get(accountKey(number))
    const at = clock.now()
    if (account === undefined || !isGiven(account) || (account.closesAt !== null && account.closesAt <= at))
      return NOT_FOUND
    const takesMoney = features.map(({ takesMoney: ask }) => ask?.[account.purpose]).find((ask) => ask !== undefined)
    if (takesMoney !== undefined && !(await takesMoney(account, at))) return NOT_FOUND
    return { kind: 'found', accountName: account.accountName }
  }
