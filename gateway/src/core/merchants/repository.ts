import type { Permission } from '@kobo/contract'
import { type Db, rowSet, type Tx } from '../../platform/db.ts'
import { names, sql } from '../../platform/sql.ts'
import type { Contract, Merchant, SubAccount } from './merchant.ts'

export type MerchantRow = Omit<Merchant, 'isWhitelisted' | 'contracts' | 'subAccounts' | 'secrets'>
export interface SecretRow {
  readonly id: bigint
  readonly sealed: Buffer
  readonly firstUsedAt: Date | null
  readonly expiresAt: Date | null
}

export async function selectMerchant(
  db: Db,
  by: { id: bigint } | { apiKey: string },
): Promise<MerchantRow | undefined> {
  const [row] = await db<MerchantRow[]>`
    select id, code, name, email, api_key, wallet_account_number, otp_enabled, ip_whitelist, permissions,
           low_balance_threshold, mail
      from merchant
     where ${'id' in by ? sql`id = ${by.id}` : sql`api_key = ${by.apiKey}`}`
  return row
}

export const selectContracts = (db: Db, merchantId: bigint): Promise<Contract[]> => db<Contract[]>`
    select code, name, description, currency_code, payment_methods, account_duration_seconds, fee_basis_points, fee_cap,
           fee_flat, fee_bearer, cash_fee_basis_points, cash_fee_cap, cash_fee_flat, underpayment, settlement,
           settlement_time, settlement_destination, settlement_bank_code, settlement_account_number,
           settlement_account_name
      from contract
     where merchant_id = ${merchantId}
     order by created_at`

/** Those that are not deleted, oldest first. */
export const selectSubAccounts = (db: Db, merchantId: bigint): Promise<SubAccount[]> => db<SubAccount[]>`
    select code, currency_code, bank_code, account_number, account_name, email, default_split, settlement_profile_code,
           settlement_report_emails
      from sub_account
     where merchant_id = ${merchantId} and deleted_at is null
     order by id`

/** Newest first. */
export const selectSecrets = (db: Db, merchantId: bigint): Promise<SecretRow[]> => db<SecretRow[]>`
    select id, sealed, first_used_at, expires_at
      from merchant_secret
     where merchant_id = ${merchantId}
     order by id desc`

/** The first merchant of this database, or the one with this code. */
export async function findMerchantId(db: Db, code?: string): Promise<bigint | undefined> {
  const [row] = await db<{ id: bigint }[]>`
    select id from merchant ${code === undefined ? sql`` : sql`where code = ${code}`} order by id limit 1`
  return row?.id
}

const LISTED_MAX = 1_000

/** The merchants, oldest first, as an operator sees them. */
export const listMerchants = (
  db: Db,
): Promise<{ id: bigint; code: string; name: string; email: string; apiKey: string; permissions: Permission[] }[]> =>
  db<{ id: bigint; code: string; name: string; email: string; apiKey: string; permissions: Permission[] }[]>`
    select id, code, name, email, api_key, permissions from merchant order by id limit ${LISTED_MAX}`

/** Whether there is a merchant yet. Nobody else can make one until the transaction ends. */
export async function hasMerchants(tx: Tx): Promise<boolean> {
  await tx`lock table merchant in share row exclusive mode`
  const [row] = await tx`select from merchant limit 1`
  return row !== undefined
}

export type NewMerchantRow = Pick<
  Merchant,
  'id' | 'code' | 'name' | 'email' | 'apiKey' | 'walletAccountNumber' | 'ipWhitelist' | 'permissions'
> & { readonly createdAt: Date }

export async function insertMerchant(tx: Tx, row: NewMerchantRow): Promise<void> {
  const whole = { otpEnabled: true, mail: 'OK', ...row }
  await tx`insert into merchant select * from json_populate_recordset(null::merchant, ${rowSet([whole])}::text::json)`
}

/** The wallet that every merchant has from the start. */
export async function insertMainWallet(
  tx: Tx,
  row: {
    readonly merchantId: bigint
    readonly id: bigint
    readonly accountNumber: string
    readonly name: string
    readonly createdAt: Date
  },
): Promise<void> {
  const whole = { type: 'MAIN', ...row }
  await tx`insert into wallet select * from json_populate_recordset(null::wallet, ${rowSet([whole])}::text::json)`
}

export async function insertContract(
  tx: Tx,
  row: Contract & { readonly merchantId: bigint; readonly createdAt: Date },
): Promise<void> {
  await tx`insert into contract select * from json_populate_recordset(null::contract, ${rowSet([row])}::text::json)`
}

export async function insertSecret(tx: Tx, merchantId: bigint, id: bigint, sealed: Buffer, at: Date): Promise<void> {
  await tx`insert into merchant_secret (merchant_id, id, sealed, created_at) values (${merchantId}, ${id}, ${sealed}, ${at})`
}

/** Lets all secrets but one end at a time, unless they end sooner. */
export async function expireOtherSecrets(tx: Tx, merchantId: bigint, keep: bigint, at: Date): Promise<void> {
  await tx`
    update merchant_secret
       set expires_at = least(coalesce(expires_at, 'infinity'), ${at})
     where merchant_id = ${merchantId} and id <> ${keep}`
}

export async function markSecretUsed(tx: Tx, merchantId: bigint, id: bigint, at: Date): Promise<void> {
  await tx`update merchant_secret set first_used_at = ${at} where merchant_id = ${merchantId} and id = ${id} and first_used_at is null`
}

/** What a merchant may change of itself. Only the named columns change. */
export type MerchantChange = Partial<
  Pick<Merchant, 'otpEnabled' | 'ipWhitelist' | 'permissions' | 'lowBalanceThreshold' | 'mail'>
>
export type ContractChange = Partial<
  Pick<
    Contract,
    | 'feeBearer'
    | 'underpayment'
    | 'settlement'
    | 'settlementTime'
    | 'settlementDestination'
    | 'settlementBankCode'
    | 'settlementAccountNumber'
    | 'settlementAccountName'
  >
>

const columnNames = (change: object): string[] =>
  Object.keys(change).map((key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))

export async function updateMerchant(tx: Tx, merchantId: bigint, change: MerchantChange): Promise<void> {
  const columns = columnNames(change)
  if (columns.length === 0) return
  await tx`
    update merchant
       set (${names(...columns)}) = (select ${names(...columns)} from json_populate_record(null::merchant, ${rowSet([change]).slice(1, -1)}::text::json))
     where id = ${merchantId}`
}

/** Changes the terms of all contracts of a merchant. */
export async function updateContracts(tx: Tx, merchantId: bigint, change: ContractChange): Promise<void> {
  const columns = columnNames(change)
  if (columns.length === 0) return
  await tx`
    update contract
       set (${names(...columns)}) = (select ${names(...columns)} from json_populate_record(null::contract, ${rowSet([change]).slice(1, -1)}::text::json))
     where merchant_id = ${merchantId}`
}

export async function notifyMerchantChanged(tx: Tx, channel: string, merchantId: bigint): Promise<void> {
  await tx`select pg_notify(${channel}, ${String(merchantId)})`
}
