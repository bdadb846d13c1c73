import type { VendStatus } from '@kobo/contract'
import type { Kobo } from '../../kernel/money.ts'
import { type Db, rowSet, type Tx } from '../../platform/db.ts'

export interface VendRow {
  readonly merchantId: bigint
  readonly id: bigint
  readonly reference: string
  readonly transactionReference: string
  readonly status: VendStatus
  /** The wallet that pays. */
  readonly accountNumber: string
  readonly productCode: string
  readonly productName: string
  readonly billerCode: string
  readonly billerName: string
  readonly customerId: string
  readonly vendAmount: Kobo
  readonly commission: Kobo
  readonly description: string
  readonly metadata: Readonly<Record<string, string>>
  readonly createdAt: Date
  readonly completedAt: Date | null
  readonly asked: number
  readonly nextAskAt: Date | null
}

export type VendKey = Pick<VendRow, 'merchantId' | 'id'>

/** Inserts a vend whose reference is new; answers whether it was. */
export async function insertVend(tx: Tx, row: VendRow): Promise<boolean> {
  const { count } = await tx`
    insert into bill_vend
    select * from json_populate_recordset(null::bill_vend, ${rowSet([row])}::text::json)
        on conflict (merchant_id, reference) do nothing`
  return count === 1
}

/** Locks a vend until the database transaction ends. */
export async function lockVend(tx: Tx, { merchantId, id }: VendKey): Promise<VendRow | undefined> {
  const [row] = await tx<VendRow[]>`
    select * from bill_vend where merchant_id = ${merchantId} and id = ${id} for update`
  return row
}

/** Locks vends that are to be asked about and that nobody else is asking about. */
export const lockDueVends = (tx: Tx, at: Date, limit: number): Promise<VendRow[]> =>
  tx<VendRow[]>`
    select * from bill_vend
     where status = 'PENDING' and next_ask_at <= ${at}
     order by next_ask_at
     limit ${limit}
       for update skip locked`

export async function nextVendDue(db: Db): Promise<Date | undefined> {
  const [row] = await db<{ due: Date | null }[]>`
    select min(next_ask_at) as due from bill_vend where status = 'PENDING'`
  return row?.due ?? undefined
}

const CHANGING = ['merchantId', 'id', 'status', 'description', 'metadata', 'completedAt', 'asked', 'nextAskAt'] as const

/** Writes what may change of vends. */
export async function updateVends(tx: Tx, rows: readonly VendRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx`
    update bill_vend v
       set status = c.status, description = c.description, metadata = c.metadata, completed_at = c.completed_at,
           asked = c.asked, next_ask_at = c.next_ask_at
      from json_populate_recordset(null::bill_vend, ${rowSet(rows, CHANGING)}::text::json) c
     where v.merchant_id = c.merchant_id and v.id = c.id`
}

/** Finds a vend by the merchant's reference, or by ours. */
export async function findVend(db: Db, merchantId: bigint, reference: string): Promise<VendRow | undefined> {
  const [row] = await db<VendRow[]>`
    select * from bill_vend where merchant_id = ${merchantId} and reference = ${reference}
    union all
    select * from bill_vend where merchant_id = ${merchantId} and transaction_reference = ${reference}
     limit 1`
  return row
}

export interface ValidationRow {
  readonly merchantId: bigint
  readonly validationReference: string
  readonly productCode: string
  readonly customerId: string
  readonly expiresAt: Date
}

export async function insertValidation(tx: Tx, row: ValidationRow): Promise<void> {
  await tx`insert into bill_validation select * from json_populate_recordset(null::bill_validation, ${rowSet([row])}::text::json)`
}

export async function findValidation(
  tx: Tx,
  merchantId: bigint,
  validationReference: string,
): Promise<ValidationRow | undefined> {
  const [row] = await tx<ValidationRow[]>`
    select * from bill_validation
     where merchant_id = ${merchantId} and validation_reference = ${validationReference}`
  return row
}

/** Forgets validations whose time is over; answers how many. */
export async function deleteOldValidations(tx: Tx, at: Date, limit: number): Promise<number> {
  const { count } = await tx`
    delete from bill_validation
     where (merchant_id, validation_reference) in (
       select merchant_id, validation_reference from bill_validation where expires_at <= ${at} limit ${limit})`
  return count
}
