import type { Kobo } from '../../../kernel/money.ts'
import type { Db } from '../../../platform/db.ts'
import { column, type Row, table } from '../../../platform/table.ts'
import type { WalletKey } from './repository.ts'

/** Changes of what is available in wallets: the lines of their statements. */
export const walletEntries = table('wallet_entry', ['merchantId', 'accountNumber', 'id'], {
  merchantId: column<bigint>(),
  accountNumber: column<string>(),
  /** Ascends within a wallet: above that of the line before, under the wallet's lock. */
  id: column<bigint>(),
  type: column<'DEBIT' | 'CREDIT'>(),
  amount: column<Kobo>(),
  balanceBefore: column<Kobo>(),
  balanceAfter: column<Kobo>(),
  /** The merchant's own reference of what changed it. */
  reference: column<string>(),
  transactionReference: column<string>(),
  narration: column<string | null>(),
  message: column<string>(),
  at: column<Date>(),
})
export type WalletEntryRow = Row<typeof walletEntries>

/** A page of a wallet's statement, newest first. */
export const selectStatement = (
  db: Db,
  { merchantId, accountNumber }: WalletKey,
  limit: number,
  offset: number,
): Promise<WalletEntryRow[]> =>
  db<WalletEntryRow[]>`
    select ${walletEntries.columns}
      from wallet_entry
     where merchant_id = ${merchantId} and account_number = ${accountNumber}
     order by id desc
     limit ${limit} offset ${offset}`

export async function countStatement(db: Db, { merchantId, accountNumber }: WalletKey): Promise<number> {
  const [row] = await db<{ count: bigint }[]>`
    select count(*) from wallet_entry where merchant_id = ${merchantId} and account_number = ${accountNumber}`
  return Number(row?.count ?? 0n)
}
