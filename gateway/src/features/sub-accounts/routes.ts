import type { Input, NewSubAccount } from '@kobo/contract'
import * as contract from '@kobo/contract'
import type { Static } from 'typebox'
import type { Serve } from '../../core/edge/http/index.ts'
import { millionths } from '../../kernel/percentage.ts'
import * as subAccounts from './service.ts'
import { showSubAccount } from './show.ts'

/** Sub accounts: where parts of what a merchant collects may go. */
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

const readNew = (body: Static<typeof NewSubAccount>): subAccounts.WantedSubAccount => ({
  currencyCode: body.currencyCode,
  accountNumber: body.accountNumber,
  bankCode: body.bankCode,
  email: body.email,
  defaultSplit: millionths(body.defaultSplitPercentage),
  ...given({
    settlementProfileCode: body.settlementProfileCode,
    settlementReportEmails: body.settlementReportEmails,
  }),
})

function readChange(body: Input<typeof contract.changeSubAccount>['body']): Partial<subAccounts.WantedSubAccount> {
  const percentage = body.defaultSplitPercentage
  return given({
    currencyCode: body.currencyCode,
    accountNumber: body.accountNumber,
    bankCode: body.bankCode,
    email: body.email,
    defaultSplit: percentage === undefined || percentage === null ? undefined : millionths(percentage),
    settlementProfileCode: body.settlementProfileCode,
    settlementReportEmails: body.settlementReportEmails,
  })
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], null | undefined> }

/** What is there of a record: what is null or undefined was not given. */
const given = <T extends object>(record: T): Given<T> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null && value !== undefined)) as Given<T>
