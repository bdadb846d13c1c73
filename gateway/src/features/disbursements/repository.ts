import type { BatchStatus, SenderInfo, TransferStatus } from '@kobo/contract'
import type { Static } from 'typebox'
import { ofShard, type Shard } from '../../core/shards/index.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { fromMoment } from '../../kernel/dates.ts'
import { firstIdAt, idsIn } from '../../kernel/ids.ts'
import type { Kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { type ListFilter, type ListPage, listing, type PlaceInList } from '../../platform/listing.ts'
import { type CountedPage, madeWithin, type PageWanted, selectPage } from '../../platform/pages.ts'
import { type Fragment, sql } from '../../platform/sql.ts'
import { column, ofMerchants, type Row, table } from '../../platform/table.ts'

export interface TransferKey {
  readonly merchantId: bigint
  readonly id: bigint
}

/** Transfers from wallets to bank accounts, alone and as items of batches. */
export const transfers = table('transfer', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  transactionReference: column<string>(),
  /** The merchant's own. */
  reference: column<string>(),
  /** Set on an item of a batch. */
  batchId: column<bigint | null>(),
  /** An item whose reference was another transfer's already. */
  isDuplicate: column<boolean>(),
  status: column<TransferStatus>(),
  amount: column<Kobo>(),
  fee: column<Kobo>(),
  currencyCode: column<string>(),
  narration: column<string>(),
  sourceAccountNumber: column<string>(),
  destinationBankCode: column<string>(),
  destinationAccountNumber: column<string>(),
  /** As the bank holds it. On an item of a batch as the merchant wrote it, or null until the bank has been asked. */
  destinationAccountName: column<string | null>(),
  /** The name that the merchant wrote is not quite the bank's. */
  flagged: column<boolean>(),
  twoFaEnabled: column<boolean>(),
  /** Who stands behind it where that is not the merchant, without the BVN. */
  senderInfo: column<Static<typeof SenderInfo> | null>(),
  /** Encrypted. */
  senderBvn: column<string | null>(),
  sessionId: column<string | null>(),
  failureReason: column<string | null>(),
  createdAt: column<Date>(),
  completedAt: column<Date | null>(),
  /** While it awaits authorization: when it expires. */
  authorizeBy: column<Date | null>(),
})
export type TransferRow = Row<typeof transfers>

/** A merchant's transfers as a list. */
export const transferList = listing(transfers, { idsAre: 'moments', status: 'status', amount: 'amount' })

export const batches = table('transfer_batch', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  transactionBatchReference: column<string>(),
  /** The merchant's own. */
  batchReference: column<string>(),
  title: column<string>(),
  narration: column<string>(),
  sourceAccountNumber: column<string>(),
  status: column<BatchStatus>(),
  /** Of the items that were accepted. */
  totalAmount: column<Kobo>(),
  totalFee: column<Kobo>(),
  /** Of all items, those that failed at once among them. */
  itemsCount: column<number>(),
  /** Items that have come to no end yet. */
  openCount: column<number>(),
  notificationInterval: column<number | null>(),
  /** How far it had come when the last notice was sent. */
  notifiedPercent: column<number>(),
  createdAt: column<Date>(),
})
export type BatchRow = Row<typeof batches>

/** The transfers of a batch as a list. */
export const transfersInBatch = (
  db: Db,
  { merchantId, id }: Pick<BatchRow, 'merchantId' | 'id'>,
  filter: ListFilter,
  place: PlaceInList,
): Promise<ListPage<TransferRow>> => transferList(db, merchantId, filter, place, sql`batch_id = ${id}`)

/** A merchant's batches as a list. */
export const batchList = listing(batches, { idsAre: 'moments', status: 'status', amount: 'totalAmount' })

/** The codes that authorise transfers and batches. */
const authorizations = table('transfer_authorization', ['merchantId', 'ownerId'], {
  merchantId: column<bigint>(),
  /** The transfer or the batch. */
  ownerId: column<bigint>(),
  codeHash: column<string>(),
  sentAt: column<Date | null>(),
  tries: column<number>(),
})
export type AuthorizationRow = Row<typeof authorizations>

/** Inserts new transfers. A reference that is taken fails the transaction. */
export const insertTransfers = (tx: Tx, rows: readonly TransferRow[]): void => transfers.insert(tx, rows)

/** Inserts items of a batch whose reference is free; answers the ids of those. The unique index decides. */
export async function insertItems(tx: Tx, rows: readonly TransferRow[]): Promise<ReadonlySet<bigint>> {
  const inserted = await tx<{ id: bigint }[]>`
    insert into transfer (${transfers.columns})
    select ${transfers.columns} from ${transfers.set(rows)}
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
export interface Conflicts {
  /** Another transfer has its reference. */
  readonly isTaken: boolean
  /** The same amount went from the same wallet to the same account a moment ago, alone, and has not failed. */
  readonly hasTwin: boolean
}

/** What stands in the way of transfers, by their ids; twins are looked for since a moment. */
export async function findConflicts(
  tx: Tx,
  rows: readonly TransferRow[],
  twinsSince: Date,
): Promise<ReadonlyMap<bigint, Conflicts>> {
  const found = await tx<(Conflicts & { id: bigint })[]>`
    select k.id, taken.id is not null as is_taken, twin.id is not null as has_twin
      from ${transfers.set(rows, ASKED)} k
      left join lateral (
        select id from transfer t
         where ${ofMerchants('t', rows)} and t.merchant_id = k.merchant_id and t.reference = k.reference and not t.is_duplicate
         limit 1) taken on true
      left join lateral (
        select id from transfer t
         where ${ofMerchants('t', rows)} and t.merchant_id = k.merchant_id and t.destination_account_number = k.destination_account_number
           and t.amount = k.amount and t.created_at > ${twinsSince} and t.batch_id is null
           and t.destination_bank_code = k.destination_bank_code and t.source_account_number = k.source_account_number
           and t.status not in ('FAILED', 'EXPIRED')
         limit 1) twin on true`
  return new Map(found.map(({ id, ...conflicts }) => [id, conflicts]))
}

/** Locks transfers until the database transaction ends. */
export const lockTransfers = (tx: Tx, keys: readonly TransferKey[]): Promise<TransferRow[]> => transfers.lock(tx, keys)

/** The transfers with these keys. */
export const selectTransfersByKey = (db: Db, keys: readonly TransferKey[]): Promise<TransferRow[]> =>
  transfers.select(db, keys)

/** Locks the transfers whose time to be authorised is over and that nobody else is working on. */
export const lockUnauthorized = (tx: Tx, shard: Shard, at: Date, limit: number): Promise<TransferRow[]> =>
  tx<TransferRow[]>`
    select ${transfers.of('t')}
      from transfer t
     where ${ofShard(shard, 't')} and authorize_by <= ${at}
     order by authorize_by, merchant_id, id
     limit ${limit}
       for no key update skip locked`

/** When the next transfer expires that nobody has authorised. */
export async function nextUnauthorized(db: Db): Promise<Date | undefined> {
  const [row] = await db<{ due: Date | null }[]>`
    -- over all merchants: what is due
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

/** Writes what may change of transfers. They are locked. */
export const updateTransfers = (tx: Tx, rows: readonly TransferRow[]): void => transfers.update(tx, rows, CHANGING)

/** The same without a lock, for transfers that were pending. Where one no longer is, the transaction fails as outdated. */
export const updatePending = (tx: Tx, rows: readonly TransferRow[]): void =>
  transfers.updateUnchanged(tx, rows, CHANGING, sql`t.status = 'PENDING'`)

/** Locks the items of a batch that wait with it, in the order in which they were sent. */
export const lockItems = (tx: Tx, { merchantId, id }: TransferKey): Promise<TransferRow[]> =>
  tx<TransferRow[]>`
    select ${transfers.columns} from transfer
     where merchant_id = ${merchantId} and batch_id = ${id} and status = 'PENDING_AUTHORIZATION'
     order by id
       for no key update`

/** Moves all items of a batch from one status to another; answers which they are. */
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
  /** Those of a batch; null for those that are in none. */
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

/** A page of a merchant's transfers, newest first; items of one batch in the order in which they were sent. */
export const selectTransfers = (
  db: Db,
  merchantId: bigint,
  filter: TransferFilter,
  wanted: PageWanted,
): Promise<CountedPage<TransferRow>> =>
  selectPage(db, transfers, matching(merchantId, filter), wanted, { oldestFirst: Boolean(filter.batchId) })

/** Inserts a batch; answers whether its reference was free. */
export const insertBatch = async (tx: Tx, row: BatchRow): Promise<boolean> =>
  (await batches.insertNew(tx, [row], sql`(merchant_id, batch_reference)`)) === 1

export const lockBatches = (tx: Tx, keys: readonly TransferKey[]): Promise<BatchRow[]> => batches.lock(tx, keys)

/** Writes what may change of batches. */
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

/** A page of a merchant's batches, newest first. */
export const selectBatches = (
  db: Db,
  merchantId: bigint,
  sourceAccountNumber: string | undefined,
  wanted: PageWanted,
): Promise<CountedPage<BatchRow>> =>
  selectPage(
    db,
    batches,
    sql`
      merchant_id = ${merchantId}
      ${sourceAccountNumber === undefined ? sql`` : sql`and source_account_number = ${sourceAccountNumber}`}`,
    wanted,
  )

/** Batches that have come a step further since their merchant was last told. */
export const selectBatchesToNotify = (db: Db, limit: number): Promise<BatchRow[]> =>
  db<BatchRow[]>`
    -- over all merchants: what is due
    select ${batches.columns}
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

export const insertAuthorizations = (tx: Tx, rows: readonly AuthorizationRow[]): void => authorizations.insert(tx, rows)

/** The code of a transfer or a batch. It is changed only by whoever holds the lock of that. */
export const findAuthorization = (tx: Tx, { merchantId, id }: TransferKey): Promise<AuthorizationRow | undefined> =>
  authorizations.find(tx, { merchantId, ownerId: id })

export const updateAuthorization = (tx: Tx, row: AuthorizationRow): void =>
  authorizations.update(tx, [row], ['codeHash', 'sentAt', 'tries'])

/** How many transfers and batches of a merchant wait to be authorised. */
export async function countToAuthorize(db: Db, merchantId: bigint): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(distinct coalesce(batch_id, id))::integer as count
      from transfer
     where authorize_by is not null and merchant_id = ${merchantId}`
  return row?.count ?? 0
}

const FOUND_MAX = 20
const SESSION = /^\d{6}(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})\d{12}$/
/** A transfer is sent within this time of being asked for, unless it waits for leave. */
const SENT_WITHIN_SECONDS = 172_800

/** Transfers that banks call so. There is no index: the moment at which they were sent stands in the session id. */
export async function findTransfersBySession(db: Db, merchantId: bigint, sessionId: string): Promise<TransferRow[]> {
  const [, year, month, day, hour, minute, second] = SESSION.exec(sessionId) ?? []
  const sent = year === undefined ? undefined : fromMoment(`20${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (sent === undefined) return []
  const before = firstIdAt(secondsAfter(sent, 60))
  return db<TransferRow[]>`
    select ${transfers.columns} from transfer
     where merchant_id = ${merchantId} and id >= ${before - idsIn(SENT_WITHIN_SECONDS)} and id < ${before} and session_id = ${sessionId}
     limit ${FOUND_MAX}`
}

/** The newest single transfers to an account number. */
export const findTransfersTo = (db: Db, merchantId: bigint, accountNumber: string): Promise<TransferRow[]> =>
  db<TransferRow[]>`
    select ${transfers.columns} from transfer
     where merchant_id = ${merchantId} and destination_account_number = ${accountNumber} and batch_id is null
     order by created_at desc limit ${FOUND_MAX}`
