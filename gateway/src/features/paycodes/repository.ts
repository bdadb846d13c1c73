import type { PaycodeStatus } from '@kobo/contract'
import type { Kobo } from '../../kernel/money.ts'
import { type Db, rowSet, type Tx } from '../../platform/db.ts'
import { type Fragment, sql } from '../../platform/sql.ts'

export interface PaycodeRow {
  readonly merchantId: bigint
  readonly id: bigint
  readonly paycodeReference: string
  readonly transactionReference: string
  /** The code, encrypted. */
  readonly sealed: Buffer
  readonly beneficiaryName: string
  readonly walletAccountNumber: string
  readonly amount: Kobo
  readonly fee: Kobo
  readonly status: PaycodeStatus
  readonly createdAt: Date
  readonly createdBy: string
  readonly modifiedBy: string | null
  readonly expiresAt: Date
  readonly completedAt: Date | null
}

/** Takes a code that no other open paycode has; answers whether it was free. */
export async function takeCode(
  tx: Tx,
  codeHash: Buffer,
  { merchantId, id }: Pick<PaycodeRow, 'merchantId' | 'id'>,
): Promise<boolean> {
  const { count } = await tx`
    insert into open_paycode (code_hash, merchant_id, paycode_id) values (${codeHash}, ${merchantId}, ${id})
        on conflict (code_hash) do nothing`
  return count === 1
}

/** Frees the codes of paycodes that are over. */
export async function freeCodes(tx: Tx, paycodes: readonly PaycodeRow[]): Promise<void> {
  await tx`
    delete from open_paycode o
     using json_to_recordset(${rowSet(paycodes, KEY)}::text::json) as k (merchant_id bigint, id bigint)
     where o.merchant_id = k.merchant_id and o.paycode_id = k.id`
}

const KEY = ['merchantId', 'id'] as const

/** Inserts a paycode whose reference is new; answers whether it was. */
export async function insertPaycode(tx: Tx, row: PaycodeRow): Promise<boolean> {
  const { count } = await tx`
    insert into paycode (
      merchant_id, id, paycode_reference, transaction_reference, sealed, beneficiary_name, wallet_account_number, amount,
      fee, status, created_at, created_by, expires_at)
    values (
      ${row.merchantId}, ${row.id}, ${row.paycodeReference}, ${row.transactionReference}, ${row.sealed},
      ${row.beneficiaryName}, ${row.walletAccountNumber}, ${row.amount}, ${row.fee}, ${row.status}, ${row.createdAt},
      ${row.createdBy}, ${row.expiresAt})
        on conflict (merchant_id, paycode_reference) do nothing`
  return count === 1
}

/** Locks a paycode until the database transaction ends: it is paid out or cancelled, never both. */
export async function lockPaycode(
  tx: Tx,
  merchantId: bigint,
  paycodeReference: string,
): Promise<PaycodeRow | undefined> {
  const [row] = await tx<PaycodeRow[]>`
    select * from paycode
     where merchant_id = ${merchantId} and paycode_reference = ${paycodeReference}
       for update`
  return row
}

/** Locks paycodes whose time is over and that nobody else is working on. */
export const lockDuePaycodes = (tx: Tx, at: Date, limit: number): Promise<PaycodeRow[]> =>
  tx<PaycodeRow[]>`
    select * from paycode
     where status = 'PENDING' and expires_at <= ${at}
     order by expires_at
     limit ${limit}
       for update skip locked`

export async function nextPaycodeDue(db: Db): Promise<Date | undefined> {
  const [row] = await db<{ due: Date | null }[]>`
    select min(expires_at) as due from paycode where status = 'PENDING'`
  return row?.due ?? undefined
}

const CHANGING = ['merchantId', 'id', 'status', 'modifiedBy', 'completedAt'] as const

/** Writes what may change of paycodes. */
export async function updatePaycodes(tx: Tx, rows: readonly PaycodeRow[]): Promise<void> {
  await tx`
    update paycode p
       set status = c.status, modified_by = c.modified_by, completed_at = c.completed_at
      from json_populate_recordset(null::paycode, ${rowSet(rows, CHANGING)}::text::json) c
     where p.merchant_id = c.merchant_id and p.id = c.id`
}

export async function findPaycode(
  db: Db,
  merchantId: bigint,
  paycodeReference: string,
): Promise<PaycodeRow | undefined> {
  const [row] = await db<PaycodeRow[]>`
    select * from paycode where merchant_id = ${merchantId} and paycode_reference = ${paycodeReference}`
  return row
}

export interface PaycodeFilter {
  readonly transactionReference?: string | undefined
  readonly beneficiaryName?: string | undefined
  readonly transactionStatus?: PaycodeStatus | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

const contains = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

const matching = (merchantId: bigint, filter: PaycodeFilter): Fragment => {
  const { transactionReference, beneficiaryName, transactionStatus, from, to } = filter
  return sql`
    where merchant_id = ${merchantId}
      ${transactionReference === undefined ? sql`` : sql`and transaction_reference = ${transactionReference}`}
      ${beneficiaryName === undefined ? sql`` : sql`and beneficiary_name ilike ${contains(beneficiaryName)}`}
      ${transactionStatus === undefined ? sql`` : sql`and status = ${transactionStatus}`}
      ${from === undefined ? sql`` : sql`and created_at >= ${from}`}
      ${to === undefined ? sql`` : sql`and created_at <= ${to}`}`
}

/** A page of a merchant's paycodes, newest first. */
export const selectPaycodes = (
  db: Db,
  merchantId: bigint,
  filter: PaycodeFilter,
  limit: number,
  offset: number,
): Promise<PaycodeRow[]> =>
  db<PaycodeRow[]>`
    select * from paycode ${matching(merchantId, filter)} order by id desc limit ${limit} offset ${offset}`

export async function countPaycodes(db: Db, merchantId: bigint, filter: PaycodeFilter): Promise<number> {
  const [row] = await db<{ count: bigint }[]>`select count(*) from paycode ${matching(merchantId, filter)}`
  return Number(row?.count ?? 0n)
}
