import type { ReservedAccountType } from '@kobo/contract'
import type { IncomeSplit } from '../../core/money/splits.ts'
import type { Kobo } from '../../kernel/money.ts'
import { type Db, rowSet, type Tx } from '../../platform/postgres/db.ts'
import { listing } from '../../platform/postgres/list-search.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, type Key, ofMerchants, type Row, table } from '../../platform/postgres/table.ts'
import { limitsOf } from '../limit-profiles/index.ts'
import { type RequestedSplit, transactionReads } from '../transactions/index.ts'

export const reservedAccounts = table('reserved_account', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  accountReference: column<string>(),
  reservationReference: column<string>(),
  type: column<ReservedAccountType>(),
  contractCode: column<string>(),
  accountName: column<string>(),
  currencyCode: column<string>(),
  customerName: column<string | null>(),
  customerEmail: column<string>(),
  /** Encrypted, as are the NIN and the payment sources. */
  bvn: column<Buffer | null>(),
  nin: column<Buffer | null>(),
  /** Whether it was reserved without BVN, NIN and limit profile. */
  withoutIdentity: column<boolean>(),
  restrictPaymentSource: column<boolean>(),
  allowedPaymentSources: column<Buffer | null>(),
  /** The splits as the merchant sent them; `agreedSplits` has the terms agreed at that time. */
  incomeSplitConfig: column<readonly RequestedSplit[]>(),
  agreedSplits: column<readonly IncomeSplit[]>(),
  splitConfigCode: column<string>(),
  limitProfileCode: column<string | null>(),
  metaData: column<Record<string, unknown>>(),
  /** The transaction of the latest attached invoice. */
  invoiceTransactionId: column<bigint | null>(),
  /** Whether it is a till at a shop's counter. */
  isTill: column<boolean>(),
  createdAt: column<Date>(),
  deallocatedAt: column<Date | null>(),
})

export type ReservedAccountRow = Row<typeof reservedAccounts>

export const reservedAccountList = listing(reservedAccounts, {
  idFormat: 'standard',
  method: 'type',
  customer: { email: 'customerEmail', name: 'customerName' },
})
/** The customers of reserved accounts as a list: the newest account of each. */
export const accountHolderList = listing(reservedAccounts, {
  idFormat: 'standard',
  customer: { email: 'customerEmail', name: 'customerName' },
  isPerCustomer: true,
})

/** Finds which of the email addresses, given in lower case, have a reserved account. */
export async function findAccountHolders(
  db: Db,
  merchantId: bigint,
  emails: readonly string[],
): Promise<ReadonlySet<string>> {
  if (emails.length === 0) return new Set()
  const rows = await db<{ email: string }[]>`
    select k.email
      from unnest(${emails}::text[]) as k (email)
     where (
       select true from reserved_account a
        where a.merchant_id = ${merchantId} and lower(a.customer_email) = k.email
        order by a.id limit 1)` // ordered as in findPayers
  return new Set(rows.map(({ email }) => email))
}
export type ReservedAccountKey = Key<typeof reservedAccounts>

/**
 * Inserts an account; returns whether its reference was new. The unique index decides, so no query is needed before.
 */
export const insertReservedAccount = async (tx: Tx, row: ReservedAccountRow): Promise<boolean> =>
  (await reservedAccounts.insertNew(tx, [row], sql`(merchant_id, account_reference)`)) === 1

/** Whether a reference names an account, now or earlier. */
export async function isReserved(db: Db, merchantId: bigint, accountReference: string): Promise<boolean> {
  const { count } = await db`
    select from reserved_account where merchant_id = ${merchantId} and account_reference = ${accountReference}`
  return count > 0
}

/** Finds an account that was not deallocated. */
export async function findReservedAccount(
  db: Db,
  merchantId: bigint,
  accountReference: string,
): Promise<ReservedAccountRow | undefined> {
  const [row] = await db<ReservedAccountRow[]>`
    select ${reservedAccounts.columns}
      from reserved_account
     where merchant_id = ${merchantId} and account_reference = ${accountReference} and deallocated_at is null`
  return row
}

const TILLS_MAX = 200

/** Returns a merchant's tills, oldest first. */
export const selectTills = (db: Db, merchantId: bigint): Promise<ReservedAccountRow[]> =>
  db<ReservedAccountRow[]>`
    select ${reservedAccounts.columns}
      from reserved_account
     where merchant_id = ${merchantId} and is_till and deallocated_at is null
     order by id
     limit ${TILLS_MAX}`

/** Finds an account by its key, whether or not it was deallocated. */
export const findReservedAccountById = (db: Db, key: ReservedAccountKey): Promise<ReservedAccountRow | undefined> =>
  reservedAccounts.find(db, key)

/**
 * Finds an account that was not deallocated and locks it until the transaction ends: credits and other changes wait.
 */
export async function lockReservedAccount(
  tx: Tx,
  merchantId: bigint,
  accountReference: string,
): Promise<ReservedAccountRow | undefined> {
  const [row] = await tx<ReservedAccountRow[]>`
    select ${reservedAccounts.columns}
      from reserved_account
     where merchant_id = ${merchantId} and account_reference = ${accountReference} and deallocated_at is null
       for no key update`
  return row
}

const CHANGING = [
  'bvn',
  'nin',
  'restrictPaymentSource',
  'allowedPaymentSources',
  'incomeSplitConfig',
  'agreedSplits',
  'splitConfigCode',
  'limitProfileCode',
  'invoiceTransactionId',
  'deallocatedAt',
] as const

/** Writes the columns that may change. */
export const updateReservedAccount = (tx: Tx, row: ReservedAccountRow): void =>
  reservedAccounts.update(tx, [row], CHANGING)

/** Locks accounts until the transaction ends, always in the same order. */
export const lockReservedAccounts = (tx: Tx, keys: readonly ReservedAccountKey[]): Promise<ReservedAccountRow[]> =>
  reservedAccounts.lock(tx, keys)

/** An account's state: its limits (null without a profile), the day's payments, and whether its invoice is open. */
export interface AccountState extends ReservedAccountKey {
  readonly singleTransactionValue: Kobo | null
  readonly dailyTransactionValue: Kobo | null
  readonly dailyTransactionVolume: number | null
  readonly value: Kobo
  readonly volume: number
  readonly hasOpenInvoice: boolean
}

/**
 * Reads the states of accounts. If the accounts are locked before, this separate query sees everything that was
 * committed before the lock.
 */
export const selectAccountStates = (
  db: Db | Tx,
  keys: readonly ReservedAccountKey[],
  dayStart: Date,
  at: Date,
): Promise<AccountState[]> =>
  db<AccountState[]>`
    select a.merchant_id, a.id, l.single_transaction_value, l.daily_transaction_value, l.daily_transaction_volume,
           coalesce(u.value, 0) as value, coalesce(u.volume, 0) as volume, coalesce(t.is_open, false) as has_open_invoice
      from json_to_recordset(${rowSet(keys, ['merchantId', 'id'])}::text::json) as k (merchant_id bigint, id bigint)
     cross join lateral (
       select merchant_id, id, limit_profile_code, invoice_transaction_id
         from reserved_account a
        where ${ofMerchants('a', keys)} and a.merchant_id = k.merchant_id and a.id = k.id limit 1) a
      left join lateral ${limitsOf(keys, 'a')} l on true
      left join lateral (
       select value, volume
         from limit_usage
        where ${ofMerchants('limit_usage', keys)} and merchant_id = a.merchant_id and reserved_account_id = a.id and day_start = ${dayStart} limit 1) u on true
      left join lateral ${transactionReads.isOpen(keys, 'a', 'invoice_transaction_id', at)} t on true`

/** The payments into an account on a day in Lagos. */
const limitUsages = table('limit_usage', ['merchantId', 'reservedAccountId', 'dayStart'], {
  merchantId: column<bigint>(),
  reservedAccountId: column<bigint>(),
  dayStart: column<Date>(),
  value: column<Kobo>(),
  volume: column<number>(),
})

export type UsageRow = Row<typeof limitUsages>

/** Adds payments to the day's usage. */
export function addUsage(tx: Tx, rows: readonly UsageRow[]): void {
  if (rows.length === 0) return
  void tx`
    insert into limit_usage (${limitUsages.columns})
    select ${limitUsages.columns} from ${limitUsages.set(rows)}
        on conflict (merchant_id, reserved_account_id, day_start) do update
       set value = limit_usage.value + excluded.value, volume = limit_usage.volume + excluded.volume`
}

export const selectReservedAccounts = (db: Db, keys: readonly ReservedAccountKey[]): Promise<ReservedAccountRow[]> =>
  reservedAccounts.select(db, keys)
