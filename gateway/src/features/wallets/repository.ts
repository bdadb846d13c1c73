import type { Kobo } from '../../kernel/money.ts'
import { type Db, rowSet, type Tx } from '../../platform/db.ts'
import { type Fragment, sql } from '../../platform/sql.ts'

/** A wallet that a merchant keeps for a customer. */
export interface CustomerWalletRow {
  readonly merchantId: bigint
  readonly id: bigint
  readonly accountNumber: string
  readonly name: string
  readonly reference: string
  readonly customerName: string
  readonly customerEmail: string
  readonly createdAt: Date
  /** BVN and date of birth, sealed. */
  readonly bvnDetails: Buffer
}

/** Inserts a customer's wallet; answers whether its reference was new. The unique index decides. */
export async function insertWallet(tx: Tx, row: CustomerWalletRow): Promise<boolean> {
  const { count } = await tx`
    insert into wallet (merchant_id, id, account_number, type, name, reference, customer_name, customer_email, created_at, bvn_details)
    values (${row.merchantId}, ${row.id}, ${row.accountNumber}, 'CUSTOMER', ${row.name}, ${row.reference},
            ${row.customerName}, ${row.customerEmail}, ${row.createdAt}, ${row.bvnDetails})
        on conflict (merchant_id, reference) do nothing`
  return count === 1
}

export interface WalletFilter {
  readonly walletReference?: string | undefined
  readonly customerEmail?: string | undefined
}

const matching = (merchantId: bigint, { walletReference, customerEmail }: WalletFilter): Fragment => sql`
  where merchant_id = ${merchantId} and type = 'CUSTOMER'
    ${walletReference === undefined ? sql`` : sql`and reference = ${walletReference}`}
    ${customerEmail === undefined ? sql`` : sql`and lower(customer_email) = lower(${customerEmail})`}`

/** A page of customers' wallets, newest first. */
export const selectWallets = (
  db: Db,
  merchantId: bigint,
  filter: WalletFilter,
  limit: number,
  offset: number,
): Promise<CustomerWalletRow[]> =>
  db<CustomerWalletRow[]>`
    select merchant_id, id, account_number, name, reference, customer_name, customer_email, created_at, bvn_details
      from wallet ${matching(merchantId, filter)}
     order by id desc
     limit ${limit} offset ${offset}`

export async function countWallets(db: Db, merchantId: bigint, filter: WalletFilter): Promise<number> {
  const [row] = await db<{ count: bigint }[]>`select count(*) from wallet ${matching(merchantId, filter)}`
  return Number(row?.count ?? 0n)
}

/** The number of a merchant's wallet, by that number or by its reference; undefined where there is none. */
export async function findWalletNumber(
  db: Db,
  merchantId: bigint,
  by: { readonly accountNumber: string } | { readonly walletReference: string },
): Promise<string | undefined> {
  const [row] = await db<{ accountNumber: string }[]>`
    select account_number
      from wallet
     where merchant_id = ${merchantId}
       and ${'accountNumber' in by ? sql`account_number = ${by.accountNumber}` : sql`reference = ${by.walletReference}`}`
  return row?.accountNumber
}

/** The numbers of wallets, by their ids. */
export async function walletNumbers(
  tx: Tx,
  keys: readonly { readonly merchantId: bigint; readonly id: bigint }[],
): Promise<ReadonlyMap<bigint, string>> {
  const rows = await tx<{ id: bigint; accountNumber: string }[]>`
    select w.id, w.account_number
      from json_to_recordset(${rowSet(keys)}::text::json) as k (merchant_id bigint, id bigint)
     cross join lateral (
       select id, account_number from wallet where merchant_id = k.merchant_id and id = k.id limit 1) w`
  return new Map(rows.map(({ id, accountNumber }) => [id, accountNumber]))
}

/** A line of a wallet's statement. */
export interface StatementRow {
  readonly id: bigint
  readonly type: 'DEBIT' | 'CREDIT'
  readonly amount: Kobo
  readonly balanceBefore: Kobo
  readonly balanceAfter: Kobo
  readonly transactionReference: string
  readonly narration: string | null
  readonly message: string
  readonly at: Date
}

/** A page of a wallet's statement, newest first. */
export const selectStatement = (
  db: Db,
  merchantId: bigint,
  accountNumber: string,
  limit: number,
  offset: number,
): Promise<StatementRow[]> =>
  db<StatementRow[]>`
    select id, type, amount, balance_before, balance_after, transaction_reference, narration, message, at
      from wallet_entry
     where merchant_id = ${merchantId} and account_number = ${accountNumber}
     order by id desc
     limit ${limit} offset ${offset}`

export async function countStatement(db: Db, merchantId: bigint, accountNumber: string): Promise<number> {
  const [row] = await db<{ count: bigint }[]>`
    select count(*) from wallet_entry where merchant_id = ${merchantId} and account_number = ${accountNumber}`
  return Number(row?.count ?? 0n)
}

/** Money that was paid into a wallet. */
export interface TopUpRow {
  readonly merchantId: bigint
  readonly railReference: string
  readonly walletAccountNumber: string
  readonly amount: Kobo
  readonly payerName: string | null
  readonly payerAccountNumber: string | null
  readonly payerBankCode: string | null
  readonly bankCode: string
  readonly accountNumber: string
  readonly receivedAt: Date
}

const TOP_UP = [
  'merchantId',
  'railReference',
  'walletAccountNumber',
  'amount',
  'payerName',
  'payerAccountNumber',
  'payerBankCode',
  'bankCode',
  'accountNumber',
  'receivedAt',
] as const

export async function insertTopUps(tx: Tx, rows: readonly TopUpRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx`insert into top_up select * from json_populate_recordset(null::top_up, ${rowSet(rows, TOP_UP)}::text::json)`
}

/** Which rail references of a merchant were received before, as `merchantId/railReference`. */
export async function receivedBefore(
  tx: Tx,
  keys: readonly { readonly merchantId: bigint; readonly railReference: string }[],
): Promise<ReadonlySet<string>> {
  const rows = await tx<{ merchantId: bigint; railReference: string }[]>`
    select t.merchant_id, t.rail_reference
      from json_to_recordset(${rowSet(keys)}::text::json) as k (merchant_id bigint, rail_reference text)
     cross join lateral (
       select merchant_id, rail_reference from top_up
        where merchant_id = k.merchant_id and rail_reference = k.rail_reference limit 1) t`
  return new Set(rows.map(topUpKey))
}

export const topUpKey = ({ merchantId, railReference }: { merchantId: bigint; railReference: string }): string =>
  `${merchantId}/${railReference}`
