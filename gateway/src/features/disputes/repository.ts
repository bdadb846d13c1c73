import type { DisputeStatus, DisputeType, EvidenceFileType } from '@kobo/contract'
import { EVERY_MERCHANT } from '../../core/merchants/index.ts'
import type { ReceivedBy } from '../../core/money/settlement-cycle/index.ts'
import { ofShard, type Shard } from '../../core/shards/index.ts'
import type { Kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { listing } from '../../platform/postgres/list-search.ts'
import { type CountedPage, type RequestedPage, selectPage } from '../../platform/postgres/pagination.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, ofMerchants, type Row, table } from '../../platform/postgres/table.ts'
import type { TransactionKey } from '../transactions/index.ts'

/** Disputes over payments, in full or in part. */
export const disputes = table('dispute', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  /** Our reference, which the merchant sees. */
  reference: column<string>(),
  /** The partner that reported the dispute, and the partner's reference for it. */
  partner: column<string>(),
  partnerReference: column<string>(),
  kind: column<DisputeType>(),
  status: column<DisputeStatus>(),
  transactionId: column<bigint>(),
  transactionReference: column<string>(),
  paymentId: column<bigint>(),
  /** The payment's method, and the partner that holds its money; empty if unknown. */
  method: column<ReceivedBy>(),
  clearingPartner: column<string>(),
  amount: column<Kobo>(),
  currencyCode: column<string>(),
  reason: column<string>(),
  walletAccountNumber: column<string>(),
  /** The parts of the held amount: from the wallet, from the reserve, and as the merchant's debt. */
  fromWallet: column<Kobo>(),
  fromReserve: column<Kobo>(),
  fromDebt: column<Kobo>(),
  /** The part of a won dispute that repaid debts. */
  repaidDebts: column<Kobo>(),
  evidenceDueAt: column<Date>(),
  evidence: column<string | null>(),
  evidenceAt: column<Date | null>(),
  openedAt: column<Date>(),
  endedAt: column<Date | null>(),
  comment: column<string | null>(),
})
export type DisputeRow = Row<typeof disputes>
type DisputeKey = Pick<DisputeRow, 'merchantId' | 'id'>

export const disputeList = listing(disputes, {
  idFormat: 'standard',
  status: 'status',
  method: 'kind',
  amount: 'amount',
})

/** Evidence files of merchants. Their content is encrypted. */
export const files = table('dispute_file', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  disputeId: column<bigint>(),
  name: column<string>(),
  type: column<EvidenceFileType>(),
  bytes: column<number>(),
  content: column<Buffer>(),
})
export type FileRow = Row<typeof files>

export const insertDispute = (tx: Tx, row: DisputeRow): void => disputes.insert(tx, [row])
export const insertFiles = (tx: Tx, rows: readonly FileRow[]): void => files.insert(tx, rows)

export const updateDisputes = (tx: Tx, rows: readonly DisputeRow[]): void =>
  disputes.update(tx, rows, ['status', 'repaidDebts', 'evidence', 'evidenceAt', 'endedAt', 'comment'])

export const lockDispute = async (tx: Tx, key: DisputeKey): Promise<DisputeRow | undefined> =>
  (await disputes.lock(tx, [key]))[0]

export async function findDispute(db: Db | Tx, merchantId: bigint, reference: string): Promise<DisputeRow | undefined> {
  const [row] = await db<DisputeRow[]>`
    select ${disputes.columns} from dispute where merchant_id = ${merchantId} and reference = ${reference}`
  return row
}

export async function findByPartnerReference(
  db: Db | Tx,
  { merchantId, partner, partnerReference }: Pick<DisputeRow, 'merchantId' | 'partner' | 'partnerReference'>,
): Promise<DisputeRow | undefined> {
  const [row] = await db<DisputeRow[]>`
    select ${disputes.columns} from dispute
     where merchant_id = ${merchantId} and partner = ${partner} and partner_reference = ${partnerReference}`
  return row
}

/** The merchant of each dispute, by the partner's reference, which is unique over all merchants. */
const names = table('dispute_name', ['partner', 'partnerReference'], {
  partner: column<string>(),
  partnerReference: column<string>(),
  merchantId: column<bigint>(),
})

/** Claims a partner's reference for a merchant's dispute; returns the merchant that has it. */
export async function claimReference(
  tx: Tx,
  { merchantId, partner, partnerReference }: Pick<DisputeRow, 'merchantId' | 'partner' | 'partnerReference'>,
): Promise<bigint> {
  // If another transaction is claiming the same reference, this insert waits for it.
  void tx`
    insert into dispute_name (partner, partner_reference, merchant_id)
    values (${partner}, ${partnerReference}, ${merchantId}) on conflict (partner, partner_reference) do nothing`
  const [named, [older]] = await Promise.all([
    names.find(tx, { partner, partnerReference }),
    tx<{ merchantId: bigint }[]>`
      -- over all merchants: disputes that are older than dispute_name
      select d.merchant_id
        from ${EVERY_MERCHANT} m
        join dispute d on d.merchant_id = m.id and d.partner = ${partner} and d.partner_reference = ${partnerReference}
       limit 1`,
  ])
  return older?.merchantId ?? named?.merchantId ?? merchantId
}

export async function findAnyDispute(db: Db, reference: string): Promise<DisputeRow | undefined> {
  const [row] = await db<DisputeRow[]>`
    -- over all merchants: for the operator
    select ${disputes.columns} from dispute where reference = ${reference} limit 1`
  return row
}

export interface OperatorsFilter {
  readonly merchantId: bigint | null
  readonly status: DisputeStatus | null
  readonly from: bigint
  readonly before: bigint
}

/** Reads a page of the disputes of one or all merchants, newest first. */
export const selectAnyDisputes = (
  db: Db,
  { merchantId, status, from, before }: OperatorsFilter,
  limit: number,
): Promise<DisputeRow[]> =>
  // Over all merchants: for the operator.
  db<DisputeRow[]>`
    select ${disputes.columns} from dispute
     where id >= ${from} and id < ${before}
       and (${merchantId}::bigint is null or merchant_id = ${merchantId}::bigint)
       and (${status}::text is null or status = ${status}::text)
     order by id desc
     limit ${limit}`

/** Counts the open disputes whose response is due by a time. */
export async function countDisputesDue(db: Db, by: Date): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count
      from dispute -- over all merchants: for the operator
     where status = 'OPEN' and evidence_due_at <= ${by}`
  return row?.count ?? 0
}

/** A disputed or lost amount of a payment. */
export interface Disputed extends Pick<DisputeRow, 'paymentId' | 'amount' | 'method'> {}

export const selectDisputed = (db: Db | Tx, { merchantId, id }: TransactionKey): Promise<Disputed[]> =>
  db<Disputed[]>`
    select payment_id, amount, method from dispute
     where merchant_id = ${merchantId} and transaction_id = ${id} and status <> 'WON'`

/** Reads the partners' references of disputes, by our references. */
export const selectPartnerReferences = (
  db: Db | Tx,
  keys: readonly Pick<DisputeRow, 'merchantId' | 'reference'>[],
): Promise<Pick<DisputeRow, 'merchantId' | 'reference' | 'partnerReference'>[]> =>
  db<Pick<DisputeRow, 'merchantId' | 'reference' | 'partnerReference'>[]>`
    select d.merchant_id, d.reference, d.partner_reference from dispute d
      join ${disputes.set(keys, ['merchantId', 'reference'])} k on k.merchant_id = d.merchant_id and k.reference = d.reference
     where ${ofMerchants('d', keys)}`

const DISPUTES_SHOWN_MAX = 100

/** Reads the disputes of a transaction, oldest first. */
export const selectDisputesOf = (db: Db, { merchantId, id }: TransactionKey): Promise<DisputeRow[]> =>
  db<DisputeRow[]>`
    select ${disputes.columns} from dispute
     where merchant_id = ${merchantId} and transaction_id = ${id} order by id limit ${DISPUTES_SHOWN_MAX}`

/** Reads the newest disputes of some transactions, newest first. */
export const selectDisputesOfMany = (
  db: Db,
  merchantId: bigint,
  transactionIds: readonly bigint[],
  limit: number,
): Promise<DisputeRow[]> =>
  db<DisputeRow[]>`
    select ${disputes.columns} from dispute
     where merchant_id = ${merchantId} and transaction_id = any(${transactionIds.map(String)}::bigint[])
     order by id desc
     limit ${limit}`

/** Locks disputes past their deadline, skipping those locked elsewhere. */
export const lockExpired = (tx: Tx, shard: Shard, at: Date, limit: number): Promise<DisputeRow[]> =>
  tx<DisputeRow[]>`
    select ${disputes.columns} from dispute d
     where ${ofShard(shard, 'd')} and status = 'OPEN' and evidence_due_at <= ${at}
     order by evidence_due_at
     limit ${limit}
       for no key update skip locked`

/** Counts a merchant's disputes that it can still respond to. */
export async function countOpenDisputes(db: Db, merchantId: bigint): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from dispute where merchant_id = ${merchantId} and status = 'OPEN'`
  return row?.count ?? 0
}

export async function nextExpiry(db: Db): Promise<Date | undefined> {
  const [row] = await db<{ due: Date | null }[]>`
    -- over all merchants: due work
    select min(evidence_due_at) as due from dispute where status = 'OPEN'`
  return row?.due ?? undefined
}

export interface DisputeFilter {
  readonly status?: DisputeStatus | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

/** Reads a page of a merchant's disputes, newest first. */
export const selectDisputes = (
  db: Db,
  merchantId: bigint,
  { status, from, to }: DisputeFilter,
  page: RequestedPage,
): Promise<CountedPage<DisputeRow>> =>
  selectPage(
    db,
    disputes,
    sql`
      merchant_id = ${merchantId}
      ${status === undefined ? sql`` : sql`and status = ${status}`}
      ${from === undefined ? sql`` : sql`and opened_at >= ${from}`}
      ${to === undefined ? sql`` : sql`and opened_at <= ${to}`}`,
    page,
  )

export const selectFiles = (db: Db | Tx, { merchantId, id }: DisputeKey): Promise<Omit<FileRow, 'content'>[]> =>
  db<Omit<FileRow, 'content'>[]>`
    select ${files.only('merchantId', 'id', 'disputeId', 'name', 'type', 'bytes')} from dispute_file
     where merchant_id = ${merchantId} and dispute_id = ${id} order by id`

export const findFile = (db: Db, key: DisputeKey): Promise<FileRow | undefined> => files.find(db, key)
