import { findOfferedBank } from '../../core/bank-list/index.ts'
import type { Core } from '../../core/core.ts'
import type { By } from '../../core/edge/http/index.ts'
import {
  deleteSubAccount,
  insertSubAccounts,
  type Merchant,
  type SubAccount,
  type SubAccountRow,
  updateSubAccount,
} from '../../core/merchants/index.ts'
import type { Enquiries } from '../../core/routing/index.ts'
import { audit } from '../../core/security/audit.ts'
import { randomDigits } from '../../kernel/ids.ts'
import type { BankAccount } from '../../rails/transfer.ts'
import { subAccountErrors } from './errors.ts'

/** Limited, because all sub accounts are cached with their merchant, so that a split needs no query. */
const SUB_ACCOUNTS_MAX = 10_000
const ENQUIRIES_AT_ONCE_MAX = 10

export interface SubAccountDeps {
  readonly core: Core
  readonly enquiries: Pick<Enquiries, 'transfer'>
}

/** A merchant's request for a sub account. Omitted fields are generated, or in a change stay as they are. */
export type SubAccountInput = Omit<
  SubAccount,
  'code' | 'accountName' | 'settlementProfileCode' | 'settlementReportEmails'
> &
  Partial<Pick<SubAccount, 'settlementProfileCode' | 'settlementReportEmails'>>

/** Creates sub accounts, all or none, with the account names from their banks. */
export async function createSubAccounts(
  deps: SubAccountDeps,
  merchant: Merchant,
  requested: readonly SubAccountInput[],
  by: By,
): Promise<readonly SubAccount[]> {
  if (merchant.subAccounts.size + requested.length > SUB_ACCOUNTS_MAX) throw subAccountErrors.tooMany(SUB_ACCOUNTS_MAX)
  for (const { currencyCode } of requested) checkCurrency(merchant, currencyCode)
  const names = await enquireNames(deps, requested)
  return deps.core.directory.change(merchant.id, (unit) => {
    const { tx, ids, at } = unit
    const rows = requested.map(
      (one, index): SubAccountRow => ({
        merchantId: merchant.id,
        id: ids.id(),
        code: `KBO_SUB_${randomDigits(12)}`,
        settlementProfileCode: randomDigits(12),
        settlementReportEmails: [one.email],
        ...one,
        accountName: names[index] ?? '',
        createdAt: at,
        deletedAt: null,
      }),
    )
    insertSubAccounts(tx, rows)
    audit(unit, ...rows.map(({ code }) => act(merchant, by, 'create', code)))
    return rows
  })
}

const act = ({ id }: Merchant, by: By, what: 'create' | 'change' | 'delete', code: string, details: object = {}) => ({
  ...by,
  merchantId: id,
  act: `sub-account.${what}`,
  reference: code,
  details,
})

/** Changes a sub account. If its bank account changes, the name is looked up again. */
export async function changeSubAccount(
  deps: SubAccountDeps,
  merchant: Merchant,
  code: string,
  change: Partial<SubAccountInput>,
  by: By,
): Promise<SubAccount> {
  const present = merchant.subAccounts.get(code)
  if (present === undefined) throw subAccountErrors.notFound()
  const changed = { ...present, ...change }
  checkCurrency(merchant, changed.currencyCode)
  const hasNewAccount = changed.bankCode !== present.bankCode || changed.accountNumber !== present.accountNumber
  const [accountName = present.accountName] = hasNewAccount ? await enquireNames(deps, [changed]) : []
  const row = { ...changed, accountName }
  await deps.core.directory.change(merchant.id, async (unit) => {
    if (!(await updateSubAccount(unit.tx, merchant.id, row))) throw subAccountErrors.notFound()
    audit(unit, act(merchant, by, 'change', code, { changed: Object.keys(change) }))
  })
  return row
}

/** Deletes a sub account: it takes part in no new split, and existing shares are still paid. */
export const removeSubAccount = ({ core }: SubAccountDeps, merchant: Merchant, code: string, by: By): Promise<void> =>
  core.directory.change(merchant.id, async (unit) => {
    if (!(await deleteSubAccount(unit.tx, merchant.id, code, unit.at))) throw subAccountErrors.notFound()
    audit(unit, act(merchant, by, 'delete', code))
  })

function checkCurrency({ contracts }: Merchant, currencyCode: string): void {
  const known = [...contracts.values()].some((contract) => contract.currencyCode === currencyCode)
  if (!known) throw subAccountErrors.unknownCurrency()
}

/** Looks up the names of bank accounts; rejects unknown banks and accounts. */
async function enquireNames(
  { enquiries }: Pick<SubAccountDeps, 'enquiries'>,
  requested: readonly BankAccount[],
): Promise<readonly string[]> {
  for (const { bankCode } of requested)
    if (findOfferedBank(bankCode, 'transfers') === undefined) throw subAccountErrors.unknownBank(bankCode)
  const names: string[] = []
  for (let start = 0; start < requested.length; start += ENQUIRIES_AT_ONCE_MAX) {
    const some = requested.slice(start, start + ENQUIRIES_AT_ONCE_MAX)
    names.push(...(await Promise.all(some.map((account) => enquireName(enquiries, account)))))
  }
  return names
}

async function enquireName(
  { transfer }: SubAccountDeps['enquiries'],
  { bankCode, accountNumber }: BankAccount,
): Promise<string> {
  const response = await transfer.nameEnquiry({ bankCode, accountNumber })
  if (response.kind === 'not found') throw subAccountErrors.unknownAccount(accountNumber)
  if (response.kind === 'unavailable') throw subAccountErrors.bankUnavailable()
  return response.accountName
}
