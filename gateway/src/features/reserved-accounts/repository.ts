import type { ReservedAccountType } from '@kobo/contract'
import type { IncomeSplit } from '../../core/splits.ts'
import type { Kobo } from '../../kernel/money.ts'
import { type Db, rowSet, type Tx } from '../../platform/db.ts'
import type { WantedSplit } from '../transactions/index.ts'

export interface ReservedAccountRow {
  readonly merchantId: bigint
  readonly id: bigint
  readonly accountReference: string
  readonly reservationReference: string
  readonly type: ReservedAccountType
  readonly contractCode: string
  readonly accountName: string
  readonly currencyCode: string
  readonly customerName: string | null
  readonly customerEmail: string
  /** Sealed, as are the NIN and the payment sources. */
  readonly bvn: Buffer | null
  readonly nin: Buffer | null
  readonly restrictPaymentSource: boolean
  readonly allowedPaymentSources: Buffer | null
  /** As the merchant sent it, and as it was agreed on then. */
  readonly incomeSplitConfig: readonly WantedSplit[]
  readonly agreedSplits: readonly IncomeSplit[]
  readonly splitConfigCode: string
  readonly limitProfileCode: string | null
  readonly metaData: Record<string, unknown>
  /** The transaction of the invoice that was attached last. */
  readonly invoiceTransactionId: bigint | null
  readonly createdAt: Date
  readonly deallocatedAt: Date | null
}

/** Inserts an account whose reference is new; answers whether it was. The unique index decides, not a question before. */
export async function insertReservedAccount(tx: Tx, row: ReservedAccountRow): Promise<boolean> {
  const { count } = await tx`
    insert into reserved_account
    select * from json_populate_recordset(null::reserved_account, ${rowSet([row])}::text::json)
        on conflict (merchant_id, account_reference) do nothing`
  return count === 1
}

/** Finds an account that was not deallocated. */
export async function findReservedAccount(
  db: Db,
  merchantId: bigint,
  accountReference: string,
): Promise<ReservedAccountRow | undefined> {
  const [row] = await db<ReservedAccountRow[]>`
    select * from reserved_account
     where merchant_id = ${merchantId} and account_reference = ${accountReference} and deallocated_at is null`
  return row
}

/** The same, locked until the transaction ends: credits and other changes wait. */
export async function lockReservedAccount(
  tx: Tx,
  merchantId: bigint,
  accountReference: string,
): Promise<ReservedAccountRow | undefined> {
  const [row] = await tx<ReservedAccountRow[]>`
    select * from reserved_account
     where merchant_id = ${merchantId} and account_reference = ${accountReference} and deallocated_at is null
       for no key update`
  return row
}

/** Writes what may change of an account. */
export async function updateReservedAccount(tx: Tx, row: ReservedAccountRow): Promise<void> {
  await tx`
    update reserved_account a
       set bvn = c.bvn, nin = c.nin, restrict_payment_source = c.restrict_payment_source,
           allowed_payment_sources = c.allowed_payment_sources, income_split_config = c.income_split_config,
           agreed_splits = c.agreed_splits,
           split_config_code = c.split_config_code, limit_profile_code = c.limit_profile_code,
           invoice_transaction_id = c.invoice_transaction_id, deallocated_at = c.deallocated_at
      from json_populate_recordset(null::reserved_account, ${rowSet([row])}::text::json) c
     where a.merchant_id = c.merchant_id and a.id = c.id`
}

export interface ReservedAccountKey {
  readonly merchantId: bigint
  readonly id: bigint
}
const KEY = ['merchantId', 'id'] as const

/** Locks accounts until the transaction ends, in one order for all. */
export const lockReservedAccounts = (tx: Tx, keys: readonly ReservedAccountKey[]): Promise<ReservedAccountRow[]> =>
  tx<ReservedAccountRow[]>`
    select a.*
      from reserved_account a
     where (a.merchant_id, a.id) in (
       select merchant_id, id
         from json_to_recordset(${rowSet(keys, KEY)}::text::json) as k (merchant_id bigint, id bigint))
     order by a.merchant_id, a.id
       for no key update`

/** How an account stands: its limits, null without a profile; what came in on a day; whether an invoice is open. */
export interface Standing extends ReservedAccountKey {
  readonly singleTransactionValue: Kobo | null
  readonly dailyTransactionValue: Kobo | null
  readonly dailyTransactionVolume: number | null
  readonly value: Kobo
  readonly volume: number
  readonly hasOpenInvoice: boolean
}

/** How accounts stand. Asked after they were locked, in a statement of its own, so that it sees what was committed meanwhile. */
export const selectStandings = (
  db: Db | Tx,
  keys: readonly ReservedAccountKey[],
  dayStart: Date,
  at: Date,
): Promise<Standing[]> =>
  db<Standing[]>`
    select a.merchant_id, a.id, l.single_transaction_value, l.daily_transaction_value, l.daily_transaction_volume,
           coalesce(u.value, 0) as value, coalesce(u.volume, 0) as volume, coalesce(t.is_open, false) as has_open_invoice
      from json_to_recordset(${rowSet(keys, KEY)}::text::json) as k (merchant_id bigint, id bigint)
     cross join lateral (
       select * from reserved_account where merchant_id = k.merchant_id and id = k.id limit 1) a
      left join lateral (
       select * from limit_profile where merchant_id = a.merchant_id and code = a.limit_profile_code limit 1) l on true
      left join lateral (
       select * from limit_usage
        where merchant_id = a.merchant_id and reserved_account_id = a.id and day_start = ${dayStart} limit 1) u on true
      left join lateral (
       select completed_at is null and expires_at > ${at} as is_open
         from transaction where merchant_id = a.merchant_id and id = a.invoice_transaction_id limit 1) t on true`

/** Payments that were kept, by account. */
export interface UsageRow {
  readonly merchantId: bigint
  readonly reservedAccountId: bigint
  readonly value: Kobo
  readonly volume: number
}

/** Adds payments to what came in on a day. */
export async function addUsage(tx: Tx, dayStart: Date, rows: readonly UsageRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx`
    insert into limit_usage (merchant_id, reserved_account_id, day_start, value, volume)
    select merchant_id, reserved_account_id, ${dayStart}, value, volume
      from json_populate_recordset(null::limit_usage, ${rowSet(rows)}::text::json)
        on conflict (merchant_id, reserved_account_id, day_start) do update
       set value = limit_usage.value + excluded.value, volume = limit_usage.volume + excluded.volume`
}
