import { audit } from '../../core/audit.ts'
import { findBank } from '../../core/banks/index.ts'
import type { Merchant, MerchantDirectory, SubAccount } from '../../core/merchants/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type IdSource, randomDigits } from '../../kernel/ids.ts'
import type { Rails } from '../../rails/index.ts'
import type { BankAccount } from '../../rails/transfer.ts'
import { subAccountErrors } from './errors.ts'
import { deleteSubAccount, insertSubAccounts, updateSubAccount } from './repository.ts'

/** All are kept in memory with their merchant, so that a split needs no look-up. */
const SUB_ACCOUNTS_MAX = 10_000
const ENQUIRIES_AT_ONCE_MAX = 10

export interface SubAccountDeps {
  readonly clock: Clock
  readonly ids: IdSource
  readonly directory: MerchantDirectory
  readonly rails: Pick<Rails, 'transfer'>
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
): Promise<readonly SubAccount[]> {
  const { clock, ids, directory } = deps
  if (merchant.subAccounts.size + wanted.length > SUB_ACCOUNTS_MAX) throw subAccountErrors.tooMany(SUB_ACCOUNTS_MAX)
  for (const { currencyCode } of wanted) checkCurrency(merchant, currencyCode)
  const names = await enquireNames(deps, wanted)
  const createdAt = clock.now()
  const rows = wanted.map((one, index) => ({
    merchantId: merchant.id,
    id: ids.id(),
    code: `KBO_SUB_${randomDigits(12)}`,
    settlementProfileCode: randomDigits(12),
    settlementReportEmails: [one.email],
    ...one,
    accountName: names[index] ?? '',
    createdAt,
  }))
  await directory.change(merchant.id, async (tx) => {
    await insertSubAccounts(tx, rows)
    for (const { code } of rows)
      await audit(
        { tx, ids, at: createdAt, wake: () => {} },
        {
          merchantId: merchant.id,
          act: 'sub-account.create',
          actor: 'api',
          reference: code,
        },
      )
  })
  return rows
}

/** Changes a sub account. Where its bank account changes, the name is asked for again. */
export async function changeSubAccount(
  deps: SubAccountDeps,
  merchant: Merchant,
  code: string,
  change: Partial<WantedSubAccount>,
): Promise<SubAccount> {
  const { clock, ids, directory } = deps
  const present = merchant.subAccounts.get(code)
  if (present === undefined) throw subAccountErrors.notFound()
  const changed = { ...present, ...change }
  checkCurrency(merchant, changed.currencyCode)
  const moves = changed.bankCode !== present.bankCode || changed.accountNumber !== present.accountNumber
  const [accountName = present.accountName] = moves ? await enquireNames(deps, [changed]) : []
  const row = { ...changed, accountName }
  await directory.change(merchant.id, async (tx) => {
    if (!(await updateSubAccount(tx, merchant.id, row))) throw subAccountErrors.notFound()
    await audit(
      { tx, ids, at: clock.now(), wake: () => {} },
      {
        merchantId: merchant.id,
        act: 'sub-account.change',
        actor: 'api',
        reference: code,
        details: { changed: Object.keys(change) },
      },
    )
  })
  return row
}

/** Deletes a sub account: it takes part in no new split, and what it has a part in is still paid to it. */
export async function removeSubAccount(
  { clock, ids, directory }: Omit<SubAccountDeps, 'rails'>,
  merchant: Merchant,
  code: string,
): Promise<void> {
  const at = clock.now()
  await directory.change(merchant.id, async (tx) => {
    if (!(await deleteSubAccount(tx, merchant.id, code, at))) throw subAccountErrors.notFound()
    await audit(
      { tx, ids, at, wake: () => {} },
      { merchantId: merchant.id, act: 'sub-account.delete', actor: 'api', reference: code },
    )
  })
}

function checkCurrency({ contracts }: Merchant, currencyCode: string): void {
  const known = [...contracts.values()].some((contract) => contract.currencyCode === currencyCode)
  if (!known) throw subAccountErrors.unknownCurrency()
}

/** The names that banks have for accounts; refuses where a bank or an account is unknown. */
async function enquireNames(
  { rails }: Pick<SubAccountDeps, 'rails'>,
  wanted: readonly BankAccount[],
): Promise<readonly string[]> {
  for (const { bankCode } of wanted) if (findBank(bankCode) === undefined) throw subAccountErrors.unknownBank(bankCode)
  const names: string[] = []
  for (let start = 0; start < wanted.length; start += ENQUIRIES_AT_ONCE_MAX) {
    const some = wanted.slice(start, start + ENQUIRIES_AT_ONCE_MAX)
    names.push(...(await Promise.all(some.map((account) => enquireName(rails, account)))))
  }
  return names
}

async function enquireName(
  { transfer }: SubAccountDeps['rails'],
  { bankCode, accountNumber }: BankAccount,
): Promise<string> {
  const answer = await transfer.nameEnquiry({ bankCode, accountNumber })
  if (answer.kind === 'not found') throw subAccountErrors.unknownAccount(accountNumber)
  if (answer.kind === 'unavailable') throw subAccountErrors.bankSilent()
  return answer.accountName
}
