import type { Input, NewSubAccount } from '@kobo/contract'
import * as contract from '@kobo/contract'
import type { Static } from 'typebox'
import type { Serve } from '../../core/edge/http/index.ts'
import { millionths } from '../../kernel/percentage.ts'
import * as subAccounts from './service.ts'
import { showSubAccount } from './show.ts'

/** Serves sub accounts, which receive shares of a merchant's collections. */
export function subAccountRoutes(serve: Serve, deps: subAccounts.SubAccountDeps): void {
  serve(contract.createSubAccounts, async ({ body }, { merchant, by }) => {
    const created = await subAccounts.createSubAccounts(deps, merchant, [body].flat().map(readNew), by)
    return created.map(showSubAccount)
  })

  serve(contract.listSubAccounts, async (_, { merchant }) => [...merchant.subAccounts.values()].map(showSubAccount))

  serve(contract.changeSubAccount, async ({ body }, { merchant, by }) =>
    showSubAccount(await subAccounts.changeSubAccount(deps, merchant, body.subAccountCode, readChange(body), by)),
  )

  serve(contract.deleteSubAccount, async ({ params }, { merchant, by }) => {
    await subAccounts.removeSubAccount(deps, merchant, params.subAccountCode, by)
    return undefined
  })

  serve(contract.deleteSubAccountByQuery, async ({ query }, { merchant, by }) => {
    await subAccounts.removeSubAccount(deps, merchant, query.subAccountCode, by)
    return undefined
  })
}

const readNew = (body: Static<typeof NewSubAccount>): subAccounts.SubAccountInput => ({
  currencyCode: body.currencyCode,
  accountNumber: body.accountNumber,
  bankCode: body.bankCode,
  email: body.email,
  defaultSplit: millionths(body.defaultSplitPercentage),
  ...definedFields({
    settlementProfileCode: body.settlementProfileCode,
    settlementReportEmails: body.settlementReportEmails,
  }),
})

function readChange(body: Input<typeof contract.changeSubAccount>['body']): Partial<subAccounts.SubAccountInput> {
  const percentage = body.defaultSplitPercentage
  return definedFields({
    currencyCode: body.currencyCode,
    accountNumber: body.accountNumber,
    bankCode: body.bankCode,
    email: body.email,
    defaultSplit: percentage === undefined || percentage === null ? undefined : millionths(percentage),
    settlementProfileCode: body.settlementProfileCode,
    settlementReportEmails: body.settlementReportEmails,
  })
}

type DefinedFields<T> = { [K in keyof T]?: Exclude<T[K], null | undefined> }

/** Returns a record without its null and undefined fields. */
const definedFields = <T extends object>(record: T): DefinedFields<T> =>
  Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== null && value !== undefined),
  ) as DefinedFields<T>
