import type { BatchStatus, SenderInfo, TransferStatus } from '@kobo/contract'
import type { Static } from 'typebox'
import { EVERY_MERCHANT } from '../../core/merchants/index.ts'
import { ofShard, type Shard } from '../../core/shards/index.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { fromMoment } from '../../kernel/dates.ts'
import { firstIdAt, idsIn } from '../../kernel/ids.ts'
import type { Kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { type ListFilter, type ListPage, listing, type PlaceInList } from '../../platform/postgres/list-search.ts'
import { type CountedPage, madeWithin, type RequestedPage, selectPage } from '../../platform/postgres/pagination.ts'
import { type Fragment, sql } from '../../platform/postgres/sql.ts'
import { column, ofMerchants, type Row, table } from '../../platform/postgres/table.ts'

export interface TransferKey {
  readonly merchantId: bigint
  readonly id: bigint
}

/** Transfers from wallets to bank accounts, single or as items of batches. */
export const transfers = table('transfer', ['merchantId', 'id'], {
  merchantId: column<bigint>('bigint'),
  id: column<bigint>('bigint'),
  transactionReference: column<string>('text'),
  /** The merchant's reference. */
  reference: column<string>('text'),
  /** Set on an item of a batch. */
  batchId: column<bigint | null>('bigint'),
  /** Whether the item's reference belongs to another transfer. */
  isDuplicate: column<boolean>('boolean'),
  status: column<TransferStatus>('text'),
  amount: column<Kobo>('bigint'),
  fee: column<Kobo>('bigint'),
  currencyCode: column<string>('text'),
  narration: column<string>('text'),
  sourceAccountNumber: column<string>('text'),
  destinationBankCode: column<string>('text'),
  destinationAccountNumber: column<string>('text'),
  /** The name at the bank. An item of a batch has the merchant's text, or null until the bank is queried. */
  destinationAccountName: column<string | null>('text'),
  /** Whether the name that the merchant wrote differs slightly from the bank's. */
  flagged: column<boolean>('boolean'),
  twoFaEnabled: column<boolean>('boolean'),
  /** The sender on whose behalf the merchant pays, without the BVN. */
  senderInfo: column<Static<typeof SenderInfo> | null>('json'),
  senderBvn: column<string | null>('text'),
  sessionId: column<string | null>('text'),
  failureReason: column<string | null>('text'),
  createdAt: column<Date>('timestamptz'),
  completedAt: column<Date | null>('timestamptz'),
  /** The deadline for its authorization; null if it does not await one. */
  authorizeBy: column<Date | null>('timestamptz'),
})
export type TransferRow = Row<typeof transfers>

export const transferList = listing(transfers, { idFormat: 'standard', status: 'status', amount: 'amount' })

export const batches = table('transfer_batch', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  transactionBatchReference: column<string>(),
  /** The merchant's reference. */
  batchReference: column<string>(),
  title: column<string>(),
  narration: column<string>(),
  sourceAccountNumber: column<string>(),
  status: column<BatchStatus>(),
  /** Sums over the accepted items. */
  totalAmount: column<Kobo>(),
  totalFee: column<Kobo>(),
  /** The number of all items, including those that failed at once. */
  itemsCount: column<number>(),
  /** Items that are not completed. */
  openCount: column<number>(),
  notificationInterval: column<number | null>(),
  /** Progress when the last notification was sent. */
  notifiedPercent: column<number>(),
  createdAt: column<Date>(),
})
export type BatchRow = Row<typeof batches>

export const transfersInBatch = (
  db: Db,
  { merchantId, id }: Pick<BatchRow, 'merchantId' | 'id'>,
  filter: ListFilter,
  place: PlaceInList,
): Promise<ListPage<TransferRow>> => transferList(db, merchantId, filter, place, sql`batch_id = ${id}`)

export const batchList = listing(batches, { idFormat: 'standard', status: 'status', amount: 'totalAmount' })

/** OTPs of transfers and batches. */
const authorizations = table('transfer_authorization', ['merchantId', 'ownerId'], {
  merchantId: column<bigint>(),
  /** The id of the transfer or the batch. */
  ownerId: column<bigint>(),
  codeHash: column<string>(),
  sentAt: column<Date | null>(),
  tries: column<number>(),
})
export type AuthorizationRow = Row<typeof authorizations>

/** Inserts new transfers. If a reference is already in use, the database transaction fails. */
export const insertTransfers = (tx: Tx, rows: readonly TransferRow[]): void => transfers.insert(tx, rows)

/** Inserts the items of a batch whose references are not in use, as the unique index decides; returns their ids. */
export async function insertItems(tx: Tx, rows: readonly TransferRow[]): Promise<ReadonlySet<bigint>> {
  const inserted = await tx<{ id: bigint }[]>`
    insert into transfer (${transfers.columns})
    select ${transfers.columns} from ${transfers.set(rows)}
     order by reference
        on conflict (merchant_id, reference) where not is_duplicate do nothing
    returning id`
  return new Set(inserted.map(({ id }) => id))
}

const CONFLICT_COLUMNS = [
  'merchantId',
  'id',
  'reference',
  'sourceAccountNumber',
  'destinationBankCode',
  'destinationAccountNumber',
  'amount',
] as const

/** Conflicts of a new transfer with earlier ones. */
export interface Conflicts {
  /** Another transfer has the same reference. */
  readonly isTaken: boolean
  /**
   * A single transfer of the same amount, from the same wallet to the same account, was recently sent and has not
   * failed.
   */
  readonly hasDuplicate: boolean
}

/** Finds the conflicts of transfers, by their ids. Searches for duplicates among transfers since the given time. */
export async function findConflicts(
  tx: Tx,
  rows: readonly TransferRow[],
  duplicatesSince: Date,
): Promise<ReadonlyMap<bigint, Conflicts>> {
  const found = await tx<(Conflicts & { id: bigint })[]>`
    select c.id, taken.id is not null as is_taken, duplicate.id is not null as has_duplicate
      from ${transfers.from(rows, CONFLICT_COLUMNS)}
      left join lateral (
        select id from transfer t
         where ${ofMerchants('t', rows)} and t.merchant_id = c.merchant_id and t.reference = c.reference and not t.is_duplicate
         limit 1) taken on true
      left join lateral (
        select id from transfer t
         where ${ofMerchants('t', rows)} and t.merchant_id = c.merchant_id and t.destination_account_number = c.destination_account_number
           and t.amount = c.amount and t.created_at > ${duplicatesSince} and t.batch_id is null
           and t.destination_bank_code = c.destination_bank_code and t.source_account_number = c.source_account_number
           and t.status not in ('FAILED', 'EXPIRED')
         limit 1) duplicate on true`
  return new Map(found.map(({ id, ...conflicts }) => [id, conflicts]))
}

/** Locks transfers until the database transaction ends. */
export const lockTransfers = (tx: Tx, keys: readonly TransferKey[]): Promise<TransferRow[]> => transfers.lock(tx, keys)

export const selectTransfersByKey = (db: Db, keys: readonly TransferKey[]): Promise<TransferRow[]> =>
  transfers.select(db, keys)

/** Locks expired transfers that were not authorized, skipping those locked elsewhere. */
export const lockUnauthorized = (tx: Tx, shard: Shard, at: Date, limit: number): Promise<TransferRow[]> =>
  tx<TransferRow[]>`
    select ${transfers.of('t')}
      from transfer t
     where ${ofShard(shard, 't')} and authorize_by <= ${at}
     order by authorize_by, merchant_id, id
     limit ${limit}
       for no key update skip locked`

/** Returns when the next unauthorized transfer expires. */
export async function nextUnauthorized(db: Db): Promise<Date | undefined> {
  const [row] = await db<{ due: Date | null }[]>`
    -- over all merchants: due work
    select min(authorize_by) as due from transfer where authorize_by is not null`
  return row?.due ?? undefined
}

const CHANGING = [
  'status',
  'destinationAccountName',
  'sessionId',
  'failureReason',
  'completedAt',
  'authorizeBy',
] as const

export const updateTransfers = (tx: Tx, rows: readonly TransferRow[]): void => transfers.update(tx, rows, CHANGING)

/** Updates pending transfers without a lock. If one is no longer pending, the transaction fails as outdated. */
export const updatePending = (tx: Tx, rows: readonly TransferRow[]): void =>
  transfers.updateUnchanged(tx, rows, CHANGING, sql`t.status = 'PENDING'`)

/** Locks the waiting items of a batch, in the order of the request. */
export const lockItems = (tx: Tx, { merchantId, id }: TransferKey): Promise<TransferRow[]> =>
  tx<TransferRow[]>`
    select ${transfers.columns} from transfer
     where merchant_id = ${merchantId} and batch_id = ${id} and status = 'PENDING_AUTHORIZATION'
     order by id
       for no key update`

/** Moves all items of a batch from one status to another; returns them. */
export async function updateItems(
  tx: Tx,
  { merchantId, id }: TransferKey,
  from: TransferStatus,
  to: TransferStatus,
): Promise<readonly bigint[]> {
  const moved = await tx<{ id: bigint }[]>`
    update transfer set status = ${to}, authorize_by = case when ${to} = 'PENDING' then null else authorize_by end
     where merchant_id = ${merchantId} and batch_id = ${id} and status = ${from}
    returning id`
  return moved.map((item) => item.id)
}

const byReference = (merchantId: bigint, reference: string): Fragment =>
  sql`where merchant_id = ${merchantId} and reference = ${reference} and not is_duplicate`

export async function findTransfer(db: Db, merchantId: bigint, reference: string): Promise<TransferRow | undefined> {
  const [row] = await db<TransferRow[]>`select ${transfers.columns} from transfer ${byReference(merchantId, reference)}`
  return row
}

export async function lockTransfer(tx: Tx, merchantId: bigint, reference: string): Promise<TransferRow | undefined> {
  const [row] = await tx<TransferRow[]>`
    select ${transfers.columns} from transfer ${byReference(merchantId, reference)} for no key update`
  return row
}

export interface TransferFilter {
  /** Only the items of this batch; null selects single transfers. */
  readonly batchId?: bigint | null
  readonly sourceAccountNumber?: string
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly amountFrom?: Kobo | undefined
  readonly amountTo?: Kobo | undefined
}

function matching(merchantId: bigint, filter: TransferFilter): Fragment {
  const { batchId, sourceAccountNumber, amountFrom, amountTo } = filter
  return sql`
    merchant_id = ${merchantId} and ${madeWithin(filter)}
      ${batchId === undefined ? sql`` : batchId === null ? sql`and batch_id is null` : sql`and batch_id = ${batchId}`}
      ${sourceAccountNumber === undefined ? sql`` : sql`and source_account_number = ${sourceAccountNumber}`}
      ${amountFrom === undefined ? sql`` : sql`and amount >= ${amountFrom}`}
      ${amountTo === undefined ? sql`` : sql`and amount <= ${amountTo}`}`
}

/** Reads a page of a merchant's transfers, newest first; items of a batch in the order of the request. */
export const selectTransfers = (
  db: Db,
  merchantId: bigint,
  filter: TransferFilter,
  page: RequestedPage,
): Promise<CountedPage<TransferRow>> =>
  selectPage(db, transfers, matching(merchantId, filter), page, { oldestFirst: Boolean(filter.batchId) })

/** Inserts a batch; returns whether its reference was free. */
export const insertBatch = async (tx: Tx, row: BatchRow): Promise<boolean> =>
  (await batches.insertNew(tx, [row], sql`(merchant_id, batch_reference)`)) === 1

export const selectBatchesByKey = (db: Db, keys: readonly TransferKey[]): Promise<BatchRow[]> =>
  batches.select(db, keys)

export const lockBatches = (tx: Tx, keys: readonly TransferKey[]): Promise<BatchRow[]> => batches.lock(tx, keys)

export const updateBatches = (tx: Tx, rows: readonly BatchRow[]): void =>
  batches.update(tx, rows, ['status', 'openCount', 'totalAmount', 'totalFee'])

export async function findBatch(
  db: Db | Tx,
  merchantId: bigint,
  batchReference: string,
): Promise<BatchRow | undefined> {
  const [row] = await db<BatchRow[]>`
    select ${batches.columns} from transfer_batch where merchant_id = ${merchantId} and batch_reference = ${batchReference}`
  return row
}

/** Finds a batch by the merchant's reference or ours. */
export async function findBatchByEitherName(
  db: Db,
  merchantId: bigint,
  reference: string,
): Promise<BatchRow | undefined> {
  const [row] = await db<BatchRow[]>`
    select ${batches.columns} from transfer_batch where merchant_id = ${merchantId} and batch_reference = ${reference}
    union all
    select ${batches.columns} from transfer_batch
     where merchant_id = ${merchantId} and transaction_batch_reference = ${reference}
     limit 1`
  return row
}

/** Count and amount of a batch's items with a status. */
export interface ItemSum {
  readonly batchId: bigint
  readonly status: TransferStatus
  readonly count: bigint
  readonly amount: Kobo
}

/** Sums the items of a merchant's batches, by batch and status. */
export const tallyItems = (db: Db, merchantId: bigint, batchIds: readonly bigint[]): Promise<ItemSum[]> =>
  db<ItemSum[]>`
    select batch_id, status, count(*), sum(amount)::bigint as amount
      from transfer
     where merchant_id = ${merchantId} and batch_id = any(${batchIds.map(String)}::bigint[])
     group by batch_id, status`

/** Reads a page of a merchant's batches, newest first. */
export const selectBatches = (
  db: Db,
  merchantId: bigint,
  sourceAccountNumber: string | undefined,
  page: RequestedPage,
): Promise<CountedPage<BatchRow>> =>
  selectPage(
    db,
    batches,
    sql`
      merchant_id = ${merchantId}
      ${sourceAccountNumber === undefined ? sql`` : sql`and source_account_number = ${sourceAccountNumber}`}`,
    page,
  )

/** Finds batches that have progressed a step since the merchant was last notified. */
export const selectBatchesToNotify = (db: Db, limit: number): Promise<BatchRow[]> =>
  db<BatchRow[]>`
    -- over all merchants: due work
    select ${batches.columns}
      from transfer_batch
     where notification_interval is not null and notified_percent < 100
       and status in ('IN_PROGRESS', 'COMPLETED')
       and (items_count - open_count) * 100 / items_count >= least(notified_percent + notification_interval, 100)
     limit ${limit}`

/** Records the progress a merchant was notified of; returns false if another process has done so. */
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

export const insertAuthorizations = (tx: Tx, rows: readonly AuthorizationRow[]): void => authorizations.insert(tx, rows)

/** Finds the OTP of a transfer or a batch. It may be changed only while its owner is locked. */
export const findAuthorization = (tx: Tx, { merchantId, id }: TransferKey): Promise<AuthorizationRow | undefined> =>
  authorizations.find(tx, { merchantId, ownerId: id })

export const updateAuthorization = (tx: Tx, row: AuthorizationRow): void =>
  authorizations.update(tx, [row], ['codeHash', 'sentAt', 'tries'])

/** Counts a merchant's transfers and batches that await authorization. */
export async function countToAuthorize(db: Db, merchantId: bigint): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(distinct coalesce(batch_id, id))::integer as count
      from transfer
     where authorize_by is not null and merchant_id = ${merchantId}`
  return row?.count ?? 0
}

const FOUND_MAX = 20
const SESSION = /^\d{6}(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})\d{12}$/
/** A transfer is sent within this time of its creation, unless it waits for authorization. */
const SENT_WITHIN_SECONDS = 172_800

/** Our reference of a transfer: its kind, digits of the node, and the second of its creation. */
const OWN_REFERENCE = /^KFDS\d{1,5}?(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})\d{6}\w{6}$/
/** The creation times in a reference and in the transfer's id differ by at most this. */
const APART_SECONDS = 60

/**
 * Returns the range of ids of transfers that may have this session id or reference of ours. Neither has an index, but a
 * session id contains the time of sending, and our reference contains the time of creation.
 */
function idsNamed(text: string): { readonly from: bigint; readonly before: bigint } | undefined {
  const [, year, month, day, hour, minute, second] = SESSION.exec(text) ?? []
  const sent = year === undefined ? undefined : fromMoment(`20${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  const created = createdAtOf(text)
  const latest = sent ?? created
  if (latest === undefined) return undefined
  const before = firstIdAt(secondsAfter(latest, APART_SECONDS))
  return { from: before - idsIn(sent === undefined ? 2 * APART_SECONDS : SENT_WITHIN_SECONDS), before }
}

/** Returns the creation time in one of our references, to the second. */
function createdAtOf(reference: string): Date | undefined {
  const [, year, month, day, hour, minute, second] = OWN_REFERENCE.exec(reference) ?? []
  return year === undefined ? undefined : fromMoment(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

/**
 * Reads the session ids of sent transfers by our references. References have no index, but they contain the time of
 * creation, so only the transfers of that time are read.
 */
export async function selectSessions(
  db: Db | Tx,
  keys: readonly { readonly merchantId: bigint; readonly reference: string }[],
): Promise<readonly { readonly merchantId: bigint; readonly reference: string; readonly sessionId: string }[]> {
  const seconds = keys.flatMap(({ reference }) => createdAtOf(reference)?.getTime() ?? [])
  if (seconds.length === 0) return []
  const [first, last] = [new Date(Math.min(...seconds)), new Date(Math.max(...seconds))]
  return db<{ merchantId: bigint; reference: string; sessionId: string }[]>`
    select t.merchant_id, t.transaction_reference as reference, t.session_id from transfer t
     where ${ofMerchants('t', keys)}
       and t.id >= ${firstIdAt(secondsAfter(first, -APART_SECONDS))} and t.id < ${firstIdAt(secondsAfter(last, APART_SECONDS))}
       and t.transaction_reference = any(${keys.map(({ reference }) => reference)}::text[]) and t.session_id <> ''`
}

/** Finds transfers by session id or our reference. */
export async function findTransfersNamed(db: Db, merchantId: bigint, text: string): Promise<TransferRow[]> {
  const ids = idsNamed(text)
  if (ids === undefined) return []
  return db<TransferRow[]>`
    select ${transfers.columns} from transfer
     where merchant_id = ${merchantId} and id >= ${ids.from} and id < ${ids.before}
       and ${text} in (session_id, transaction_reference)
     limit ${FOUND_MAX}`
}

/**
 * Finds transfers of any merchant by either reference or by session id, for operators. It searches each merchant's part
 * of an index. A separate index would cost a write per transfer and hardly ever be read.
 */
export async function findTransfersOfAny(db: Db, reference: string): Promise<readonly TransferRow[]> {
  const ids = idsNamed(reference)
  const [named, sent] = await Promise.all([
    db<TransferRow[]>`
      -- over all merchants: who owns a reference
      select ${transfers.of('t')}
        from ${EVERY_MERCHANT} m
        join transfer t on t.merchant_id = m.id and t.reference = ${reference} and not t.is_duplicate
       limit ${FOUND_MAX}`,
    ids === undefined
      ? []
      : db<TransferRow[]>`
          -- over all merchants: who owns a reference
          select ${transfers.of('t')}
            from ${EVERY_MERCHANT} m
            join transfer t on t.merchant_id = m.id
                           and t.id >= ${ids.from} and t.id < ${ids.before}
                           and ${reference} in (t.session_id, t.transaction_reference)
           limit ${FOUND_MAX}`,
  ])
  return [...named, ...sent]
}

const recipientList = listing(transfers, {
  idFormat: 'standard',
  status: 'status',
  customer: { email: 'destinationAccountName', name: 'destinationAccountName' },
  reference: 'destinationAccountNumber',
})
/** How many transfers are read for a list of recipients. Many of them may go to the same account. */
const RECIPIENT_TRANSFERS_MAX = 200

/** Finds the accounts that were paid last, by part of their name or number. Returns the last transfer to each. */
export async function findRecipients(
  db: Db,
  merchantId: bigint,
  text: string | undefined,
  max: number,
): Promise<readonly TransferRow[]> {
  if (text?.includes('@') === true) return [] // would be looked up as an email address, for which transfers have no index
  const filter = text === undefined ? {} : /^\d+$/.test(text) ? { reference: text } : { customer: text }
  const { rows } = await recipientList(
    db,
    merchantId,
    { ...filter, statuses: ['SUCCESS'] },
    { size: RECIPIENT_TRANSFERS_MAX },
  )
  const accountOf = (row: TransferRow): string => `${row.destinationBankCode} ${row.destinationAccountNumber}`
  // A map keeps the last value, so the newest transfer to an account is inserted last.
  return [...new Map(rows.toReversed().map((row) => [accountOf(row), row])).values()]
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, max)
}

/** Finds the newest single transfers to an account number. */
export const findTransfersTo = (db: Db, merchantId: bigint, accountNumber: string): Promise<TransferRow[]> =>
  db<TransferRow[]>`
    select ${transfers.columns} from transfer
     where merchant_id = ${merchantId} and destination_account_number = ${accountNumber} and batch_id is null
     order by created_at desc limit ${FOUND_MAX}`

/** Expires all transfers of a merchant that await authorization. */
export function expireAll(tx: Tx, merchantId: bigint, at: Date): void {
  void tx`update transfer set authorize_by = ${at} where merchant_id = ${merchantId} and authorize_by > ${at}`
}
