import { accountKey, findAccounts, isAssigned } from '../../core/account-numbers/index.ts'
import type { Core } from '../../core/core.ts'
import type { OpenFeature } from '../../core/feature.ts'
import type { Ownership } from './ownership.ts'

/** The holder of an account number that still accepts money. */
export type AccountHolder = { readonly kind: 'found'; readonly accountName: string } | { readonly kind: 'not found' }

const NOT_FOUND: AccountHolder = { kind: 'not found' }

/**
 * Handles the name enquiry that a bank sends before a payer pays into a number under the prefix that it assigned us. A
 * number that takes no more money is reported as not found, so that no money has to be returned.
 */
export const nameEnquiry =
  ({ db, clock }: Core, features: readonly OpenFeature[], ownership: Ownership) =>
  async (
    number: { readonly bankCode: string; readonly accountNumber: string },
    partner: string,
  ): Promise<AccountHolder> => {
    const account = (await findAccounts(db, [number])).get(accountKey(number))
    if (!ownership.ownsNumber(partner, number, account?.partner ?? null)) {
      const reference = accountKey(number)
      await ownership.violation({ partner, operation: 'name-enquiry', why: 'not its account', reference })
      return NOT_FOUND
    }
    const at = clock.now()
    if (account === undefined || !isAssigned(account) || (account.closesAt !== null && account.closesAt <= at))
      return NOT_FOUND
    const takesMoney = features
      .map(({ takesMoney: owners }) => owners?.[account.purpose])
      .find((owners) => owners !== undefined)
    if (takesMoney !== undefined && !(await takesMoney(account, at))) return NOT_FOUND
    return { kind: 'found', accountName: account.accountName }
  }
