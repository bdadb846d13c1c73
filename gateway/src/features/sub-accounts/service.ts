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
import { findOfferedBank } from '../../core/money/bank-list/index.ts'
import type { Enquiries } from '../../core/routing/index.ts'
import { audit } from '../../core/security/audit.ts'
import { randomDigits } from '../../kernel/ids.ts'
import type { BankAccount } from '../../rails/transfer.ts'
import { subAccountErrors } from './errors.ts'

/** All are kept in memory with their merchant, so that a split needs no look-up. */
const SUB_ACCOUNTS_MAX = 10_000
const ENQUIRIES_AT_ONCE_MAX = 10

export interface SubAccountDeps {
  readonly core: Core
  readonly enquiries: Pick<Enquiries, 'transfer'>
}

/** What a merchant says of a sub account; what it leaves out is made for it, or stays as it was. */
export type WantedSubAccount = Omit<
  SubAccount,
  'code' | 'accountName' | 'settlementProfileCode' | 'settlementReportEmails'
> &
  Partial<Pick<SubAccount, 'settlementProfileCode' | 'settlementReportEmails'>>

/** Creates sub accounts, all or none, under the names that their banks answer. */
export async function createSubAccounts(
  deps: SubAccountDeps,
  merchant: Merchant,
  wanted: readonly WantedSubAccount[],
  by: By,
): Promise<readonly SubAccount[]> {
  if (merchant.subAccounts.size + wanted.length > SUB_ACCOUNTS_MAX) throw subAccountErrors.tooMany(SUB_ACCOUNTS_MAX)
  for (const { currencyCode } of wanted) checkCurrency(merchant, currencyCode)
  const names = await enquireNames(deps, wanted)
  return deps.core.directory.change(merchant.id, (unit) => {
    const { tx, ids, at } = unit
    const rows = wanted.map(
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

/** Changes a sub account. Where its bank account changes, the name is asked for again. */
export async function changeSubAccount(
  deps: SubAccountDeps,
  merchant: Merchant,
  code: string,
  change: Partial<WantedSubAccount>,
  by: By,
): Promise<SubAccount> {
  const present = merchant.subAccounts.get(code)
  if (present === undefined) throw subAccountErrors.notFound()
  const changed = { ...present, ...change }
  checkCurrency(merchant, changed.currencyCode)
  const moves = changed.bankCode !== present.bankCode || changed.accountNumber !== present.accountNumber
  const [accountName = present.accountName] = moves ? await enquireNames(deps, [changed]) : []
  const row = { ...changed, accountName }
  await deps.core.directory.change(merchant.id, async (unit) => {
    if (!(await updateSubAccount(unit.tx, merchant.id, row))) throw subAccountErrors.notFound()
    audit(unit, act(merchant, by, 'change', code, { changed: Object.keys(change) }))
  })
  return row
}

/** Deletes a sub account: it takes part in no new split, and what it has a part in is still paid to it. */
export const removeSubAccount = ({ core }: SubAccountDeps, merchant: Merchant, code: string, by: By): Promise<void> =>
  core.directory.change(merchant.id, async (unit) => {
    if (!(await deleteSubAccount(unit.tx, merchant.id, code, unit.at))) throw subAccountErrors.notFound()
    audit(unit, act(merchant, by, 'delete', code))
  })

function checkCurrency({ contracts }: Merchant, currencyCode: string): void {
  const known = [...contracts.values()].some((contract) => contract.currencyCode === currencyCode)
  if (!known) throw subAccountErrors.unknownCurrency()
}

/** The names that banks have for accounts; refuses where a bank or an account is unknown. */
async function enquireNames(
  { enquiries }: Pick<SubAccountDeps, 'enquiries'>,
  wanted: readonly BankAccount[],
): Promise<readonly string[]> {
  for (const { bankCode } of wanted)
    if (findOfferedBank(bankCode, 'transfers') === undefined) throw subAccountErrors.unknownBank(bankCode)
  const names: string[] = []
  for (let start = 0; start < wanted.length; start += ENQUIRIES_AT_ONCE_MAX) {
    const some = wanted.slice(start, start + ENQUIRIES_AT_ONCE_MAX)
    names.push(...(await Promise.all(some.map((account) => enquireName(enquiries, account)))))
  }
  return names
}

async function enquireName(
  { transfer }: SubAccountDeps['enquiries'],
  { bankCode, accountNumber }: BankAccount,
): Promise<string> {
  const answer = await transfer.nameEnquiry({ bankCode, accountNumber })
  if (answer.kind === 'not found') throw subAccountErrors.unknownAccount(accountNumber)
  if (answer.kind === 'unavailable') throw subAccountErrors.bankSilent()
  return answer.accountName
}
