import type { Db, Tx } from '../../platform/postgres/db.ts'
import { listing } from '../../platform/postgres/list-search.ts'
import { type Fragment, sql } from '../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'

/** Bank accounts that may receive a part of a merchant's collections. */
const subAccounts = table('sub_account', ['merchantId', 'code'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  code: column<string>(),
  currencyCode: column<string>(),
  bankCode: column<string>(),
  accountNumber: column<string>(),
  /** The account's name at the bank. */
  accountName: column<string>(),
  email: column<string>(),
  /** The default share, in millionths. */
  defaultSplit: column<number>(),
  settlementProfileCode: column<string>(),
  settlementReportEmails: column<readonly string[]>(),
  createdAt: column<Date>(),
  /** Since when it cannot be in a new split, if so. Earlier splits are still paid. */
  deletedAt: column<Date | null>(),
})
export type SubAccountRow = Row<typeof subAccounts>

/** A merchant's sub accounts as a list, including deleted ones. */
export const subAccountList = listing(subAccounts, { idFormat: 'standard' })

/** A bank account that may receive a part of a merchant's collections. */
export type SubAccount = Omit<SubAccountRow, 'merchantId' | 'id' | 'createdAt' | 'deletedAt'>

export const insertSubAccounts = (tx: Tx, rows: readonly SubAccountRow[]): void => subAccounts.insert(tx, rows)

/** Reads the sub accounts that are not deleted, oldest first. */
export const selectSubAccounts = (db: Db, merchantId: bigint): Promise<SubAccountRow[]> =>
  db<SubAccountRow[]>`
    select ${subAccounts.columns} from sub_account where merchant_id = ${merchantId} and deleted_at is null order by id`

/** A bank account and its holder's name. */
export type Destination = Pick<SubAccountRow, 'bankCode' | 'accountNumber' | 'accountName'>

/** Reads sub accounts, including deleted ones, to pay settlements to their bank accounts and send reports. */
export const selectDestinations = (
  db: Db | Tx,
  keys: readonly Pick<SubAccountRow, 'merchantId' | 'code'>[],
): Promise<SubAccountRow[]> => subAccounts.select(db, keys)

/** Updates a sub account; returns whether it exists. */
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

/** Marks a sub account as deleted, so that new splits cannot use it; returns whether it existed. */
export async function deleteSubAccount(tx: Tx, merchantId: bigint, code: string, at: Date): Promise<boolean> {
  const { count } = await subAccounts.change(tx, present(merchantId, code), { deletedAt: at })
  return count > 0
}

const present = (merchantId: bigint, code: string): Fragment =>
  sql`merchant_id = ${merchantId} and code = ${code} and deleted_at is null`
