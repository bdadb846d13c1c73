import type { Kobo } from '../../kernel/money.ts'
import { type Db, rowSet, type Tx } from '../../platform/db.ts'
import { accounts } from '../ledger/index.ts'
import type { WalletKey } from './wallets.ts'

/** A wallet, with what its merchant wants to be told. */
export interface WalletRow {
  readonly merchantId: bigint
  readonly id: bigint
  readonly accountNumber: string
  readonly type: 'MAIN' | 'CUSTOMER'
  /** Whose it is, as banks show it. */
  readonly name: string
  readonly merchantCode: string
  /** Set on a merchant's own wallet alone. */
  readonly lowBalanceThreshold: Kobo | null
}

export interface WalletEntryRow {
  readonly merchantId: bigint
  readonly accountNumber: string
  readonly id: bigint
  readonly type: 'DEBIT' | 'CREDIT'
  readonly amount: Kobo
  readonly balanceBefore: Kobo
  readonly balanceAfter: Kobo
  readonly reference: string
  readonly transactionReference: string
  readonly narration: string | null
  readonly message: string
  readonly at: Date
}

const KEY = ['merchantId', 'accountNumber'] as const

/** Locks wallets in one order for all. Those that do not exist are left out. */
export const lockWallets = (tx: Tx, keys: readonly WalletKey[]): Promise<WalletRow[]> =>
  tx<WalletRow[]>`
    select w.merchant_id, w.id, w.account_number, w.type, coalesce(w.customer_name, w.name) as name, m.code as merchant_code,
           case w.type when 'MAIN' then m.low_balance_threshold end as low_balance_threshold
      from wallet w
      join merchant m on m.id = w.merchant_id
     where (w.merchant_id, w.account_number) in (
       select merchant_id, account_number
         from json_to_recordset(${rowSet(keys, KEY)}::text::json) as k (merchant_id bigint, account_number text))
     order by w.merchant_id, w.account_number
       for no key update of w`

/** What is available in wallets. One that never held money is left out. */
export const selectAvailable = (
  tx: Tx,
  keys: readonly WalletKey[],
): Promise<{ merchantId: bigint; accountNumber: string; balance: Kobo }[]> =>
  tx<{ merchantId: bigint; accountNumber: string; balance: Kobo }[]>`
    select k.merchant_id, k.account_number, a.balance
      from json_to_recordset(${rowSet(keys, KEY)}::text::json) as k (merchant_id bigint, account_number text)
     cross join lateral (
       select balance from account
        where merchant_id = k.merchant_id and code = 'wallet/' || k.account_number limit 1) a`

export function insertEntries(tx: Tx, rows: readonly WalletEntryRow[]): void {
  if (rows.length === 0) return
  void tx`insert into wallet_entry select * from json_populate_recordset(null::wallet_entry, ${rowSet(rows)}::text::json)`
}

/** What a wallet holds: what can be spent, and what has not left it yet. Undefined where the merchant has no such wallet. */
export async function walletBalances(
  db: Db | Tx,
  { merchantId, accountNumber }: WalletKey,
): Promise<{ readonly available: Kobo; readonly ledger: Kobo } | undefined> {
  const [row] = await db<{ available: Kobo; inFlight: Kobo }[]>`
    select coalesce((select balance from account where merchant_id = ${merchantId} and code = ${accounts.wallet(accountNumber)}), 0)::bigint as available,
           coalesce((select balance from account where merchant_id = ${merchantId} and code = ${accounts.inFlight(accountNumber)}), 0)::bigint as in_flight
      from wallet
     where merchant_id = ${merchantId} and account_number = ${accountNumber}`
  return row === undefined ? undefined : { available: row.available, ledger: (row.available + row.inFlight) as Kobo }
}
