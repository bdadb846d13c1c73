import { add, type Kobo, ZERO } from '../../../kernel/money.ts'
import { type Db, rowSet, type Tx } from '../../../platform/postgres/db.ts'
import { type CountedPage, type RequestedPage, selectPage } from '../../../platform/postgres/pagination.ts'
import { type Fragment, sql } from '../../../platform/postgres/sql.ts'
import { column, ofMerchants, type Row, table } from '../../../platform/postgres/table.ts'
import { sealedColumn } from '../../security/sealed-column.ts'

const wallets = table('wallet', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  accountNumber: column<string>(),
  /** A merchant has one main wallet, and may have further ones for its customers. */
  type: column<'MAIN' | 'CUSTOMER'>(),
  name: column<string>(),
  /** The merchant's reference for a customer's wallet. */
  reference: column<string | null>(),
  customerName: column<string | null>(),
  customerEmail: column<string | null>(),
  createdAt: column<Date>(),
  /** The customer's identity, encrypted: BVN and date of birth. */
  bvnDetails: column<Buffer | null>(),
})
export type WalletRow = Row<typeof wallets>

/** The encryption context of a wallet's identity data. */
export const bvnContext = ({ merchantId, id }: Pick<WalletRow, 'merchantId' | 'id'>): string =>
  `wallet-bvn/${merchantId}/${id}`

/** Customers' identity data. */
export const sealedWallets = [sealedColumn('records', wallets, 'bvnDetails', bvnContext)]

/** A wallet that a merchant keeps for a customer. */
export type CustomerWalletRow = { readonly [Key in keyof WalletRow]: NonNullable<WalletRow[Key]> } & {
  readonly type: 'CUSTOMER'
}

/** Inserts a wallet; returns whether its reference was new. The unique index decides. */
export const insertWallet = async (tx: Tx, row: WalletRow): Promise<boolean> =>
  (await wallets.insertNew(tx, [row], sql`(merchant_id, reference)`)) === 1

export interface WalletKey {
  readonly merchantId: bigint
  readonly accountNumber: string
}

const KEY = ['merchantId', 'accountNumber'] as const

/** A locked wallet with its merchant's notification settings. */
export interface OpenWallet extends WalletKey {
  readonly id: bigint
  readonly type: 'MAIN' | 'CUSTOMER'
  readonly name: string
  readonly merchantCode: string
  /** The bank of its number; null if no bank has assigned the number and only Kobo uses it. */
  readonly bankCode: string | null
  /** Set on a merchant's main wallet only. */
  readonly lowBalanceThreshold: Kobo | null
}

/** Locks wallets, always in the same order. Missing wallets are left out. */
export const lockWallets = (tx: Tx, keys: readonly WalletKey[]): Promise<OpenWallet[]> =>
  tx<OpenWallet[]>`
    select w.merchant_id, w.id, w.account_number, w.type, coalesce(w.customer_name, w.name) as name, m.code as merchant_code, m.wallet_bank_code as bank_code,
           case when w.type = 'MAIN' then m.low_balance_threshold end as low_balance_threshold
      from wallet w
      join merchant m on m.id = w.merchant_id
     where ${ofMerchants('w', keys)}
       and (w.merchant_id, w.account_number) in (
         select merchant_id, account_number from ${wallets.set(keys, KEY)} k)
     order by w.merchant_id, w.account_number
       for no key update of w`

/** A wallet's balance and its last entry. */
export interface HeldInWallet extends WalletKey {
  readonly balance: Kobo
  /** Null if the wallet never changed. */
  readonly lastEntry: bigint | null
}

/** Selects the available balances of wallets. Leaves out a wallet that never held money. */
export const selectAvailable = (tx: Tx, keys: readonly WalletKey[]): Promise<HeldInWallet[]> =>
  tx<HeldInWallet[]>`
    select k.merchant_id, k.account_number, a.balance, e.id as last_entry
      from ${wallets.set(keys, KEY)} k
     cross join lateral (
       select balance from account a
        where ${ofMerchants('a', keys)} and a.merchant_id = k.merchant_id and a.code = 'wallet/' || k.account_number
        limit 1) a
      left join lateral (
       select id from wallet_entry e
        where ${ofMerchants('e', keys)} and e.merchant_id = k.merchant_id and e.account_number = k.account_number
        order by e.id desc limit 1) e on true`

/** A wallet's balances: the available one, and the one that includes pending money. */
export interface Balances {
  readonly available: Kobo
  readonly ledger: Kobo
}

/** A wallet by its number, or by the merchant's reference. */
export type WalletName = WalletKey | { readonly merchantId: bigint; readonly reference: string }

/** Selects the balances of each requested wallet; undefined for a wallet that does not exist. */
export async function selectBalances(
  db: Db | Tx,
  requested: readonly WalletName[],
): Promise<readonly (Balances | undefined)[]> {
  const keys = requested.map((name, n) => ({ n, accountNumber: undefined, reference: undefined, ...name }))
  const rows = await db<{ n: number; available: Kobo | null; inFlight: Kobo | null }[]>`
    select k.n, available.balance as available, in_flight.balance as in_flight
      from json_to_recordset(${rowSet(keys)}::text::json)
        as k (n integer, merchant_id bigint, account_number text, reference text)
     cross join lateral (
       (select account_number from wallet w
         where ${ofMerchants('w', keys)} and w.merchant_id = k.merchant_id and w.account_number = k.account_number limit 1)
       union all
       (select account_number from wallet w
         where ${ofMerchants('w', keys)} and w.merchant_id = k.merchant_id and w.reference = k.reference limit 1)) w
      left join ${heldIn('wallet/', keys)} available on true
      left join ${heldIn('in-flight/', keys)} in_flight on true`
  const found = new Map(rows.map((row) => [row.n, row]))
  return requested.map((_, n) => {
    const row = found.get(n)
    const available = row?.available ?? ZERO
    return row && { available, ledger: add(available, row.inFlight ?? ZERO) }
  })
}

/** Joins the balance of the wallet `w` of key `k` in one kind of account; no row if that account was never used. */
const heldIn = (kind: string, keys: readonly WalletName[]): Fragment => sql`
  lateral (
    select balance from account a
     where ${ofMerchants('a', keys)} and a.merchant_id = k.merchant_id and a.code = ${kind} || w.account_number limit 1)`

export const walletBalances = async (db: Db | Tx, wallet: WalletKey): Promise<Balances | undefined> =>
  (await selectBalances(db, [wallet]))[0]

/** Finds the number of a merchant's wallet, by this number or by reference; undefined if it does not exist. */
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

/** Finds a merchant's wallet by its number, by the merchant's reference, or by its id. */
export async function findWallet(
  db: Db,
  merchantId: bigint,
  text: string,
  ids: readonly bigint[] = [],
): Promise<WalletRow | undefined> {
  const [row] = await db<WalletRow[]>`
    select ${wallets.columns}
      from wallet
     where merchant_id = ${merchantId}
       and (account_number = ${text} or reference = ${text} or id = any(${ids.map(String)}::bigint[]))
     order by account_number = ${text} desc, reference = ${text} desc
     limit 1`
  return row
}

export async function walletNumbers(
  tx: Tx,
  keys: readonly { readonly merchantId: bigint; readonly id: bigint }[],
): Promise<ReadonlyMap<bigint, string>> {
  const rows = await tx<{ id: bigint; accountNumber: string }[]>`
    select w.id, w.account_number
      from ${wallets.set(keys, ['merchantId', 'id'])} k
     cross join lateral (
       select id, account_number from wallet w
        where ${ofMerchants('w', keys)} and w.merchant_id = k.merchant_id and w.id = k.id
        limit 1) w`
  return new Map(rows.map(({ id, accountNumber }) => [id, accountNumber]))
}

/** Filters a merchant's customer wallets. */
export interface WalletFilter {
  readonly walletReference?: string | undefined
  readonly customerEmail?: string | undefined
}

const matching = (merchantId: bigint, { walletReference, customerEmail }: WalletFilter): Fragment => sql`
  merchant_id = ${merchantId} and type = 'CUSTOMER'
    ${walletReference === undefined ? sql`` : sql`and reference = ${walletReference}`}
    ${customerEmail === undefined ? sql`` : sql`and lower(customer_email) = lower(${customerEmail})`}`

/** Selects a page of customer wallets, newest first. */
export const selectCustomerWallets = (
  db: Db,
  merchantId: bigint,
  filter: WalletFilter,
  page: RequestedPage,
): Promise<CountedPage<CustomerWalletRow>> => selectPage(db, wallets, matching(merchantId, filter), page)

/** Finds the customer wallets with one of these email addresses, given in lower case. A wallet with money is open. */
export const findWalletsOf = (
  db: Db,
  merchantId: bigint,
  emails: readonly string[],
  { after, upTo }: { readonly after: bigint; readonly upTo: bigint },
): Promise<{ readonly id: bigint; readonly refs: readonly string[]; readonly isOpen: boolean }[]> =>
  db<{ id: bigint; refs: readonly string[]; isOpen: boolean }[]>`
    select w.id, array[w.account_number, w.reference] as refs,
           exists (select from account a
                    where a.merchant_id = w.merchant_id and a.balance <> 0
                      and a.code in ('wallet/' || w.account_number, 'in-flight/' || w.account_number)) as is_open
      from wallet w
     where w.merchant_id = ${merchantId} and w.type = 'CUSTOMER' and w.id > ${after} and w.id <= ${upTo}
       and lower(w.customer_email) = any(${emails}::text[])
     order by w.id`

export const updateCustomers = (
  tx: Tx,
  rows: readonly Pick<WalletRow, 'merchantId' | 'id' | 'name' | 'customerName' | 'customerEmail' | 'bvnDetails'>[],
): void => wallets.update(tx, rows as readonly WalletRow[], ['name', 'customerName', 'customerEmail', 'bvnDetails'])
