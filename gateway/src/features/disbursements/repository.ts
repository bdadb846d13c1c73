import type { BatchStatus, SenderInfo, TransferStatus } from '@kobo/contract'
import type { Static } from 'typebox'
import type { Kobo } from '../../kernel/money.ts'
import { type Db, rowSet, type Tx, updateProven } from '../../platform/db.ts'
import { type Fragment, sql } from '../../platform/sql.ts'

export interface TransferKey {
  readonly merchantId: bigint
  readonly id: bigint
}

export interface TransferRow extends TransferKey {
  readonly transactionReference: string
  readonly reference: string
  readonly batchId: bigint | null
  readonly isDuplicate: boolean
  readonly status: TransferStatus
  readonly amount: Kobo
  readonly fee: Kobo
  readonly currencyCode: string
  readonly narration: string
  readonly sourceAccountNumber: string
  readonly destinationBankCode: string
  readonly destinationAccountNumber: string
  readonly destinationAccountName: string | null
  readonly flagged: boolean
  readonly twoFaEnabled: boolean
  readonly senderInfo: Static<typeof SenderInfo> | null
  readonly senderBvn: string | null
  readonly sessionId: string | null
  readonly failureReason: string | null
  readonly createdAt: Date
  readonly completedAt: Date | null
  readonly dueAt: Date | null
  readonly leasedUntil: Date | null
  readonly isHandedOver: boolean
}

export interface BatchRow extends TransferKey {
  readonly transactionBatchReference: string
  readonly batchReference: string
  readonly title: string
  readonly narration: string
  readonly sourceAccountNumber: string
  readonly status: BatchStatus
  readonly totalAmount: Kobo
  readonly totalFee: Kobo
  readonly itemsCount: number
  readonly openCount: number
  readonly notificationInterval: number | null
  readonly notifiedPercent: number
  readonly createdAt: Date
}

/** The code that authorises a transfer or a batch. */
export interface AuthorizationRow {
  readonly merchantId: bigint
  readonly ownerId: bigint
  readonly codeHash: string
  readonly sentAt: Date | null
  readonly tries: number
}

/** Inserts new transfers. A reference that is taken fails the transaction. */
export async function insertTransfers(tx: Tx, rows: readonly TransferRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx`insert into transfer select * from json_populate_recordset(null::transfer, ${rowSet(rows)}::text::json)`
}

/** Inserts items of a batch whose reference is free; answers the ids of those. The unique index decides. */
export async function insertItems(tx: Tx, rows: readonly TransferRow[]): Promise<ReadonlySet<bigint>> {
  const inserted = await tx<{ id: bigint }[]>`
    insert into transfer
    select * from json_populate_recordset(null::transfer, ${rowSet(rows)}::text::json)
     order by reference
        on conflict (merchant_id, reference) where not is_duplicate do nothing
    returning id`
  return new Set(inserted.map(({ id }) => id))
}

const ASKED = [
  'merchantId',
  'id',
  'reference',
  'sourceAccountNumber',
  'destinationBankCode',
  'destinationAccountNumber',
  'amount',
] as const

/** What stands in the way of a transfer. */
export interface Obstacles {
  /** Another transfer has its reference. */
  readonly isTaken: boolean
  /** The same amount went from the same wallet to the same account a moment ago, alone, and has not failed. */
  readonly hasTwin: boolean
}

/** What stands in the way of transfers, by their ids; twins are looked for since a moment. */
export async function findObstacles(
  tx: Tx,
  rows: readonly TransferRow[],
  twinsSince: Date,
): Promise<ReadonlyMap<bigint, Obstacles>> {
  const found = await tx<(Obstacles & { id: bigint })[]>`
    select k.id, taken.id is not null as is_taken, twin.id is not null as has_twin
      from json_to_recordset(${rowSet(rows, ASKED)}::text::json) as k (
             merchant_id bigint, id bigint, reference text, source_account_number text, destination_bank_code text,
             destination_account_number text, amount bigint)
      left join lateral (
        select id from transfer t
         where t.merchant_id = k.merchant_id and t.reference = k.reference and not t.is_duplicate
         limit 1) taken on true
      left join lateral (
        select id from transfer t
         where t.merchant_id = k.merchant_id and t.destination_account_number = k.destination_account_number
           and t.amount = k.amount and t.created_at > ${twinsSince} and t.batch_id is null
           and t.destination_bank_code = k.destination_bank_code and t.source_account_number = k.source_account_number
           and t.status not in ('FAILED', 'EXPIRED')
         limit 1) twin on true`
  return new Map(found.map(({ id, ...obstacles }) => [id, obstacles]))
}

const KEY = ['merchantId', 'id'] as const

/** Locks transfers until the database transaction ends. Keys in one order for all, so that nobody waits in a circle. */
export const lockTransfers = (tx: Tx, keys: readonly TransferKey[]): Promise<TransferRow[]> =>
  tx<TransferRow[]>`
    select t.*
      from json_to_recordset(${rowSet(keys, KEY)}::text::json) as k (merchant_id bigint, id bigint)
     cross join lateral (
       select * from transfer where merchant_id = k.merchant_id and id = k.id for no key update) t`

/** Locks the transfers whose time to be authorised is over and that nobody else is working on. */
export const lockUnauthorized = (tx: Tx, at: Date, limit: number): Promise<TransferRow[]> =>
  tx<TransferRow[]>`
    select t.*
      from transfer t
     where due_at <= ${at} and status in ('PENDING_AUTHORIZATION', 'OTP_EMAIL_DISPATCH_FAILED')
     order by due_at, merchant_id, id
     limit ${limit}
       for no key update skip locked`

const CHANGING = [
  'merchantId',
  'id',
  'status',
  'destinationAccountName',
  'sessionId',
  'failureReason',
  'completedAt',
  'dueAt',
  'leasedUntil',
  'isHandedOver',
] as const

const changing = (rows: readonly TransferRow[]): Fragment => sql`
    update transfer t
       set status = c.status, destination_account_name = c.destination_account_name, session_id = c.session_id,
           failure_reason = c.failure_reason, completed_at = c.completed_at, due_at = c.due_at,
           leased_until = c.leased_until, is_handed_over = c.is_handed_over
      from json_populate_recordset(null::transfer, ${rowSet(rows, CHANGING)}::text::json) c
     where t.merchant_id = c.merchant_id and t.id = c.id`

/** Writes what may change of transfers. They are locked. */
export async function updateTransfers(tx: Tx, rows: readonly TransferRow[]): Promise<void> {
  if (rows.length > 0) await tx`${changing(rows)}`
}

/** The same without a lock, for transfers that were pending. Where one no longer is, the transaction fails as outdated. */
export const updatePending = (tx: Tx, rows: readonly TransferRow[]): Promise<void> =>
  updateProven(tx, rows.length, sql`${changing(rows)} and t.status = 'PENDING'`)

/** Moves all items of a batch from one status to another. */
export async function updateItems(
  tx: Tx,
  { merchantId, id }: TransferKey,
  from: TransferStatus,
  to: TransferStatus,
  dueAt: Date | null,
): Promise<void> {
  await tx`
    update transfer set status = ${to}, due_at = coalesce(${dueAt}, due_at)
     where merchant_id = ${merchantId} and batch_id = ${id} and status = ${from}`
}

/** A transfer that someone has taken to send it or to ask about it. */
export interface LeasedTransfer extends TransferRow {
  /** Whether someone had taken it before, and may have sent it. */
  readonly wasHandedOver: boolean
}

/** Takes transfers that are to be sent or asked about. */
export const leaseTransfers = (
  db: Db,
  { at, wallAt, leasedUntil, limit }: { at: Date; wallAt: Date; leasedUntil: Date; limit: number },
): Promise<LeasedTransfer[]> =>
  db<LeasedTransfer[]>`
    with due as (
      select merchant_id, id, is_handed_over
        from transfer
       where due_at <= ${at} and status in ('PENDING', 'SUCCESS') and (leased_until is null or leased_until < ${wallAt})
       order by due_at
       limit ${limit}
         for no key update skip locked)
    update transfer t
       set leased_until = ${leasedUntil}, is_handed_over = true
      from due
     where t.merchant_id = due.merchant_id and t.id = due.id
    returning t.*, due.is_handed_over as was_handed_over`

/** When the next transfer falls due, whatever is to be done with it. */
export async function nextTransferDue(db: Db): Promise<Date | undefined> {
  const [row] = await db<{ due: Date | null }[]>`select min(due_at) as due from transfer where due_at is not null`
  return row?.due ?? undefined
}

const byReference = (merchantId: bigint, reference: string): Fragment =>
  sql`where merchant_id = ${merchantId} and reference = ${reference} and not is_duplicate`

export async function findTransfer(db: Db, merchantId: bigint, reference: string): Promise<TransferRow | undefined> {
  const [row] = await db<TransferRow[]>`select * from transfer ${byReference(merchantId, reference)}`
  return row
}

export async function lockTransfer(tx: Tx, merchantId: bigint, reference: string): Promise<TransferRow | undefined> {
  const [row] = await tx<TransferRow[]>`
    select * from transfer ${byReference(merchantId, reference)} for no key update`
  return row
}

export interface TransferFilter {
  /** Those of a batch; null for those that are in none. */
  readonly batchId?: bigint | null
  readonly sourceAccountNumber?: string
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly amountFrom?: Kobo | undefined
  readonly amountTo?: Kobo | undefined
}

function matching(merchantId: bigint, filter: TransferFilter): Fragment {
  const { batchId, sourceAccountNumber, from, to, amountFrom, amountTo } = filter
  return sql`
    where merchant_id = ${merchantId}
      ${batchId === undefined ? sql`` : batchId === null ? sql`and batch_id is null` : sql`and batch_id = ${batchId}`}
      ${sourceAccountNumber === undefined ? sql`` : sql`and source_account_number = ${sourceAccountNumber}`}
      ${from === undefined ? sql`` : sql`and created_at >= ${from}`}
      ${to === undefined ? sql`` : sql`and created_at <= ${to}`}
      ${amountFrom === undefined ? sql`` : sql`and amount >= ${amountFrom}`}
      ${amountTo === undefined ? sql`` : sql`and amount <= ${amountTo}`}`
}

/** A page of a merchant's transfers, newest first; items of one batch in the order in which they were sent. */
export const selectTransfers = (
  db: Db,
  merchantId: bigint,
  filter: TransferFilter,
  limit: number,
  offset: number,
): Promise<TransferRow[]> =>
  db<TransferRow[]>`
    select * from transfer ${matching(merchantId, filter)}
     order by id ${filter.batchId ? sql`asc` : sql`desc`} limit ${limit} offset ${offset}`

export async function countTransfers(db: Db, merchantId: bigint, filter: TransferFilter): Promise<number> {
  const [row] = await db<{ count: bigint }[]>`select count(*) from transfer ${matching(merchantId, filter)}`
  return Number(row?.count ?? 0n)
}

/** Inserts a batch; answers whether its reference was free. */
export async function insertBatch(tx: Tx, row: BatchRow): Promise<boolean> {
  const { count } = await tx`
    insert into transfer_batch
    select * from json_populate_recordset(null::transfer_batch, ${rowSet([row])}::text::json)
        on conflict (merchant_id, batch_reference) do nothing`
  return count === 1
}

export const lockBatches = (tx: Tx, keys: readonly TransferKey[]): Promise<BatchRow[]> =>
  tx<BatchRow[]>`
    select b.*
      from transfer_batch b
     where (b.merchant_id, b.id) in (
       select merchant_id, id
         from json_to_recordset(${rowSet(keys, KEY)}::text::json) as k (merchant_id bigint, id bigint))
     order by b.merchant_id, b.id
       for no key update`

/** Writes what may change of batches. */
export async function updateBatches(tx: Tx, rows: readonly BatchRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx`
    update transfer_batch b
       set status = c.status, open_count = c.open_count, total_amount = c.total_amount, total_fee = c.total_fee
      from json_populate_recordset(null::transfer_batch, ${rowSet(rows)}::text::json) c
     where b.merchant_id = c.merchant_id and b.id = c.id`
}

export async function findBatch(
  db: Db | Tx,
  merchantId: bigint,
  batchReference: string,
): Promise<BatchRow | undefined> {
  const [row] = await db<BatchRow[]>`
    select * from transfer_batch where merchant_id = ${merchantId} and batch_reference = ${batchReference}`
  return row
}

/** What became of the items of a batch: how many and how much, by status. */
export const tallyItems = (
  db: Db,
  { merchantId, id }: TransferKey,
): Promise<{ status: TransferStatus; count: bigint; amount: Kobo }[]> =>
  db<{ status: TransferStatus; count: bigint; amount: Kobo }[]>`
    select status, count(*), sum(amount)::bigint as amount
      from transfer
     where merchant_id = ${merchantId} and batch_id = ${id}
     group by status`

const matchingBatches = (merchantId: bigint, sourceAccountNumber: string | undefined): Fragment => sql`
  where merchant_id = ${merchantId}
    ${sourceAccountNumber === undefined ? sql`` : sql`and source_account_number = ${sourceAccountNumber}`}`

/** A page of a merchant's batches, newest first. */
export const selectBatches = (
  db: Db,
  merchantId: bigint,
  sourceAccountNumber: string | undefined,
  limit: number,
  offset: number,
): Promise<BatchRow[]> =>
  db<BatchRow[]>`
    select * from transfer_batch ${matchingBatches(merchantId, sourceAccountNumber)}
     order by id desc limit ${limit} offset ${offset}`

export async function countBatches(
  db: Db,
  merchantId: bigint,
  sourceAccountNumber: string | undefined,
): Promise<number> {
  const [row] = await db<{ count: bigint }[]>`
    select count(*) from transfer_batch ${matchingBatches(merchantId, sourceAccountNumber)}`
  return Number(row?.count ?? 0n)
}

/** Batches that have come a step further since their merchant was last told. */
export const selectBatchesToNotify = (db: Db, limit: number): Promise<BatchRow[]> =>
  db<BatchRow[]>`
    select *
      from transfer_batch
     where notification_interval is not null and notified_percent < 100
       and status in ('IN_PROGRESS', 'COMPLETED')
       and (items_count - open_count) * 100 / items_count >= least(notified_percent + notification_interval, 100)
     limit ${limit}`

/** Notes how far a batch had come when its merchant was told; answers whether nobody else has told it meanwhile. */
export async function setNotified(
  tx: Tx,
  { merchantId, id, notifiedPercent }: BatchRow,
  percent: number,
): Promise<boolean> {
  const { count } = await tx`
    update transfer_batch set notified_percent = ${percent}
     where merchant_id = ${merchantId} and id = ${id} and notified_percent = ${notifiedPercent}`
  return count === 1
}

export async function insertAuthorizations(tx: Tx, rows: readonly AuthorizationRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx`
    insert into transfer_authorization
    select * from json_populate_recordset(null::transfer_authorization, ${rowSet(rows)}::text::json)`
}

/** The code of a transfer or a batch. It is changed only by whoever holds the lock of that. */
export async function findAuthorization(
  tx: Tx,
  { merchantId, id }: TransferKey,
): Promise<AuthorizationRow | undefined> {
  const [row] = await tx<AuthorizationRow[]>`
    select * from transfer_authorization where merchant_id = ${merchantId} and owner_id = ${id}`
  return row
}

export async function updateAuthorization(tx: Tx, row: AuthorizationRow): Promise<void> {
  await tx`
    update transfer_authorization set code_hash = ${row.codeHash}, sent_at = ${row.sentAt}, tries = ${row.tries}
     where merchant_id = ${row.merchantId} and owner_id = ${row.ownerId}`
}
