import { sql } from '../../platform/sql.ts'

/** What open paycodes hold of wallets, by the account that has it meanwhile. */
export const heldByPaycodes = sql`
  select merchant_id, 'in-flight/' || wallet_account_number as code, amount + fee as held from paycode where status = 'PENDING'`
