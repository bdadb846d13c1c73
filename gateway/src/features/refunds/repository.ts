import type { RefundStatus, RefundType } from '@kobo/contract'
import { type Kobo, kobo } from '../../kernel/money.ts'
import { type Db, inOneStatement, rowSet, type Tx } from '../../platform/db.ts'
import { type Fragment, sql } from '../../platform/sql.ts'

/** Money of a payment that goes back to the customer. */
export interface RefundRow {
  readonly merchantId: bigint
  readonly id: bigint
  readonly reference: string
  readonly refundReference: string
  readonly transactionId: bigint
  readonly transactionReference: string
  readonly status: RefundStatus
  readonly type: RefundType
  readonly amount: Kobo
  readonly fee: Kobo
  readonly currencyCode: string
  readonly refundReason: string
  readonly customerNote: string
  readonly comment: string
  readonly walletAccountNumber: string
  readonly method: 'ACCOUNT_TRANSFER' | 'CARD'
  /** Of a card payment: the rail's reference of the charge that is undone. */
  readonly chargeReference: string | null
  readonly destinationAccountNumber: string | null
  readonly destinationAccountName: string | null
  readonly destinationBankCode: string | null
  readonly createdAt: Date
  readonly completedAt: Date | null
  /** How often a rail was asked to do it, or what became of it. */
  readonly attempts: number
  readonly nextAttemptAt: Date | null
  readonly leasedUntil: Date | null
}

/** Inserts a refund; answers whether its reference was new. The unique index decides. */
export async function insertRefund(tx: Tx, row: RefundRow): Promise<boolean> {
  const { count } = await tx`
    insert into refund
    select * from json_populate_recordset(null::refund, ${rowSet([row])}::text::json)
        on conflict (merchant_id, refund_reference) do nothing`
  return count === 1
}

/** What has been refunded of a transaction, or is under way, but for one refund. */
export async function refundedBeside(
  tx: Tx,
  { merchantId, transactionId, id }: Pick<RefundRow, 'merchantId' | 'transactionId' | 'id'>,
): Promise<Kobo> {
  const [row] = await tx<{ total: bigint }[]>`
    select coalesce(sum(amount), 0)::bigint as total
      from refund
     where merchant_id = ${merchantId} and transaction_id = ${transactionId} and status <> 'FAILED' and id <> ${id}`
  return kobo(row?.total ?? 0n)
}

export async function findRefund(db: Db, merchantId: bigint, refundReference: string): Promise<RefundRow | undefined> {
  const [row] = await db<RefundRow[]>`
    select * from refund where merchant_id = ${merchantId} and refund_reference = ${refundReference}`
  return row
}

export interface RefundFilter {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

const matching = (merchantId: bigint, { from, to }: RefundFilter): Fragment => sql`
  where merchant_id = ${merchantId}
    ${from === undefined ? sql`` : sql`and created_at >= ${from}`}
    ${to === undefined ? sql`` : sql`and created_at <= ${to}`}`

/** A page of a merchant's refunds, newest first. */
export const selectRefunds = (
  db: Db,
  merchantId: bigint,
  filter: RefundFilter,
  limit: number,
  offset: number,
): Promise<RefundRow[]> =>
  db<RefundRow[]>`
    select * from refund ${matching(merchantId, filter)} order by id desc limit ${limit} offset ${offset}`

export async function countRefunds(db: Db, merchantId: bigint, filter: RefundFilter): Promise<number> {
  const [row] = await db<{ count: bigint }[]>`select count(*) from refund ${matching(merchantId, filter)}`
  return Number(row?.count ?? 0n)
}

/** Takes refunds whose rail is to be asked now and that nobody else has taken. */
export const leaseRefunds = (
  db: Db,
  { at, wallAt, leasedUntil, limit }: { at: Date; wallAt: Date; leasedUntil: Date; limit: number },
): Promise<RefundRow[]> =>
  inOneStatement(
    db,
    (tx) => tx<RefundRow[]>`
      update refund
         set leased_until = ${leasedUntil}, attempts = attempts + 1
       where (merchant_id, id) in (
         select merchant_id, id
           from refund
          where status = 'PENDING' and next_attempt_at <= ${at} and (leased_until is null or leased_until < ${wallAt})
          order by next_attempt_at
          limit ${limit}
            for update skip locked)
      returning *`,
  )

/** When the next rail is to be asked about a refund that nobody has taken. */
export async function nextRefundDue(db: Db, wallAt: Date): Promise<Date | undefined> {
  const [row] = await db<{ due: Date | null }[]>`
    select min(next_attempt_at) as due
      from refund
     where status = 'PENDING' and (leased_until is null or leased_until < ${wallAt})`
  return row?.due ?? undefined
}

/** Leaves a refund for later, unless someone else has taken it meanwhile. */
export async function postponeRefund(db: Db, refund: RefundRow, nextAttemptAt: Date): Promise<void> {
  await inOneStatement(
    db,
    (tx) => tx`
      update refund
         set next_attempt_at = ${nextAttemptAt}, leased_until = null
       where merchant_id = ${refund.merchantId} and id = ${refund.id} and status = 'PENDING'
         and leased_until = ${refund.leasedUntil}`,
  )
}

/** Locks a refund until the database transaction ends. */
export async function lockRefund(
  tx: Tx,
  { merchantId, id }: Pick<RefundRow, 'merchantId' | 'id'>,
): Promise<RefundRow | undefined> {
  const [row] = await tx<RefundRow[]>`
    select * from refund where merchant_id = ${merchantId} and id = ${id} for update`
  return row
}

/** Writes down how a refund ended. */
export async function endRefund(tx: Tx, { merchantId, id, status, comment, completedAt }: RefundRow): Promise<void> {
  await tx`
    update refund
       set status = ${status}, comment = ${comment}, completed_at = ${completedAt}, next_attempt_at = null, leased_until = null
     where merchant_id = ${merchantId} and id = ${id}`
}
