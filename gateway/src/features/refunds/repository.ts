import type { RefundStatus, RefundType } from '@kobo/contract'
import { type Kobo, kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { type Fragment, sql } from '../../platform/sql.ts'
import { column, type Row, table } from '../../platform/table.ts'

/** Money of payments that goes back to customers. */
export const refunds = table('refund', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  reference: column<string>(),
  /** The merchant's own. */
  refundReference: column<string>(),
  transactionId: column<bigint>(),
  transactionReference: column<string>(),
  status: column<RefundStatus>(),
  type: column<RefundType>(),
  amount: column<Kobo>(),
  fee: column<Kobo>(),
  currencyCode: column<string>(),
  refundReason: column<string>(),
  customerNote: column<string>(),
  comment: column<string>(),
  walletAccountNumber: column<string>(),
  method: column<'ACCOUNT_TRANSFER' | 'CARD'>(),
  /** Of a card payment: the rail's reference of the charge that is undone. */
  chargeReference: column<string | null>(),
  destinationAccountNumber: column<string | null>(),
  destinationAccountName: column<string | null>(),
  destinationBankCode: column<string | null>(),
  createdAt: column<Date>(),
  completedAt: column<Date | null>(),
})
export type RefundRow = Row<typeof refunds>
type RefundKey = Pick<RefundRow, 'merchantId' | 'id'>

/** Inserts a refund; answers whether its reference was new. The unique index decides. */
export const insertRefund = async (tx: Tx, row: RefundRow): Promise<boolean> =>
  (await refunds.insertNew(tx, [row], sql`(merchant_id, refund_reference)`)) === 1

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
    select ${refunds.columns} from refund where merchant_id = ${merchantId} and refund_reference = ${refundReference}`
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
    select ${refunds.columns} from refund ${matching(merchantId, filter)} order by id desc limit ${limit} offset ${offset}`

export async function countRefunds(db: Db, merchantId: bigint, filter: RefundFilter): Promise<number> {
  const [row] = await db<{ count: bigint }[]>`select count(*) from refund ${matching(merchantId, filter)}`
  return Number(row?.count ?? 0n)
}

/** Locks refunds until the database transaction ends. */
export const lockRefunds = (tx: Tx, keys: readonly RefundKey[]): Promise<RefundRow[]> => refunds.lock(tx, keys)

/** The refunds with these keys. */
export const selectRefundsByKey = (db: Db, keys: readonly RefundKey[]): Promise<RefundRow[]> => refunds.select(db, keys)

/** Writes down how refunds ended. */
export const endRefunds = (tx: Tx, rows: readonly RefundRow[]): void =>
  refunds.update(tx, rows, ['status', 'comment', 'completedAt'])
