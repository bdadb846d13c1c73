import type { SubAccount } from '../../core/merchants/index.ts'
import { rowSet, type Tx } from '../../platform/db.ts'

export interface SubAccountRow extends SubAccount {
  readonly merchantId: bigint
  readonly id: bigint
  readonly createdAt: Date
}

export async function insertSubAccounts(tx: Tx, rows: readonly SubAccountRow[]): Promise<void> {
  await tx`insert into sub_account select * from json_populate_recordset(null::sub_account, ${rowSet(rows)}::text::json)`
}

/** Writes all that may change of a sub account; answers whether there is one that is not deleted. */
export async function updateSubAccount(tx: Tx, merchantId: bigint, row: SubAccount): Promise<boolean> {
  const { count } = await tx`
    update sub_account
       set currency_code = ${row.currencyCode}, bank_code = ${row.bankCode}, account_number = ${row.accountNumber},
           account_name = ${row.accountName}, email = ${row.email}, default_split = ${row.defaultSplit},
           settlement_profile_code = ${row.settlementProfileCode}, settlement_report_emails = ${row.settlementReportEmails}
     where merchant_id = ${merchantId} and code = ${row.code} and deleted_at is null`
  return count > 0
}

/** Deletes a sub account for all that is new; answers whether there was one. */
export async function deleteSubAccount(tx: Tx, merchantId: bigint, code: string, at: Date): Promise<boolean> {
  const { count } = await tx`
    update sub_account set deleted_at = ${at} where merchant_id = ${merchantId} and code = ${code} and deleted_at is null`
  return count > 0
}
