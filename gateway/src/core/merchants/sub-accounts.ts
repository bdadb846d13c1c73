import type { Db, Tx } from '../../platform/db.ts'
import { listing } from '../../platform/listing.ts'
import { type Fragment, sql } from '../../platform/sql.ts'
import { column, type Row, table } from '../../platform/table.ts'

/** Bank accounts that may get a part of what a merchant collects. */
const subAccounts = table('sub_account', ['merchantId', 'code'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  code: column<string>(),
  currencyCode: column<string>(),
  bankCode: column<string>(),
  accountNumber: column<string>(),
  /** As the bank has it. */
  accountName: column<string>(),
  email: column<string>(),
  /** Its share where a split names none, in millionths. */
  defaultSplit: column<number>(),
  settlementProfileCode: column<string>(),
  settlementReportEmails: column<readonly string[]>(),
  createdAt: column<Date>(),
  /** From then on it takes part in nothing new; what was agreed before is still paid to it. */
  deletedAt: column<Date | null>(),
})
export type SubAccountRow = Row<typeof subAccounts>

/** A merchant's sub accounts as a list, those that were deleted too. */
export const subAccountList = listing(subAccounts, { idsAre: 'moments' })

/** A bank account that may get a part of what a merchant collects. */
export type SubAccount = Omit<SubAccountRow, 'merchantId' | 'id' | 'createdAt' | 'deletedAt'>

export const insertSubAccounts = (tx: Tx, rows: readonly SubAccountRow[]): void => subAccounts.insert(tx, rows)

/** Those that are not deleted, oldest first. */
export const selectSubAccounts = (db: Db, merchantId: bigint): Promise<SubAccountRow[]> =>
  db<SubAccountRow[]>`
    select ${subAccounts.columns} from sub_account where merchant_id = ${merchantId} and deleted_at is null order by id`

/** A bank account, and the name that the bank has for it. */
export type Destination = Pick<SubAccountRow, 'bankCode' | 'accountNumber' | 'accountName'>

/** Where sub accounts are settled to, and who is told; deleted ones too. */
export const selectDestinations = (
  db: Db | Tx,
  keys: readonly Pick<SubAccountRow, 'merchantId' | 'code'>[],
): Promise<SubAccountRow[]> => subAccounts.select(db, keys)

/** Writes all that may change of a sub account; answers whether there is one that is not deleted. */
export async function updateSubAccount(tx: Tx, merchantId: bigint, row: SubAccount): Promise<boolean> {
  const { code, currencyCode, bankCode, accountNumber, accountName, email } = row
  const { defaultSplit, settlementProfileCode, settlementReportEmails } = row
  const { count } = await subAccounts.change(tx, present(merchantId, code), {
    currencyCode,
    bankCode,
    accountNumber,
    accountName,
    email,
    defaultSplit,
    settlementProfileCode,
    settlementReportEmails,
  })
  return count > 0
}

/** Deletes a sub account for all that is new; answers whether there was one. */
export async function deleteSubAccount(tx: Tx, merchantId: bigint, code: string, at: Date): Promise<boolean> {
  const { count } = await subAccounts.change(tx, present(merchantId, code), { deletedAt: at })
  return count > 0
}

const present = (merchantId: bigint, code: string): Fragment =>
  sql`merchant_id = ${merchantId} and code = ${code} and deleted_at is null`
