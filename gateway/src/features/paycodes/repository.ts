import type { PaycodeStatus } from '@kobo/contract'
import { ofShard, type Shard } from '../../core/shards/index.ts'
import type { Kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { listing } from '../../platform/postgres/list-search.ts'
import { type CountedPage, madeWithin, type RequestedPage, selectPage } from '../../platform/postgres/pagination.ts'
import { type Fragment, sql } from '../../platform/postgres/sql.ts'
import { column, ofMerchants, type Row, table } from '../../platform/postgres/table.ts'

export const paycodes = table('paycode', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  paycodeReference: column<string>(),
  transactionReference: column<string>(),
  /** The code, encrypted. */
  sealed: column<Buffer>(),
  beneficiaryName: column<string>(),
  walletAccountNumber: column<string>(),
  amount: column<Kobo>(),
  fee: column<Kobo>(),
  status: column<PaycodeStatus>(),
  createdAt: column<Date>(),
  /** The API keys that created and last changed it. */
  createdBy: column<string>(),
  modifiedBy: column<string | null>(),
  expiresAt: column<Date>(),
  completedAt: column<Date | null>(),
  /** The deadline for its authorization; null once it is authorized. Until then it has no code. */
  authorizeBy: column<Date | null>(),
})
export type PaycodeRow = Row<typeof paycodes>

export const paycodeList = listing(paycodes, { idFormat: 'standard', status: 'status', amount: 'amount' })

/** Claims a code for a paycode; returns false if another open paycode has it. */
export async function claimCode(
  tx: Tx,
  codeHash: Buffer,
  { merchantId, id }: Pick<PaycodeRow, 'merchantId' | 'id'>,
): Promise<boolean> {
  const { count } = await tx`
    insert into open_paycode (code_hash, merchant_id, paycode_id) values (${codeHash}, ${merchantId}, ${id})
        on conflict (code_hash) do nothing`
  return count === 1
}

export function releaseCodes(tx: Tx, rows: readonly PaycodeRow[]): void {
  void tx`
    delete from open_paycode o
     using ${paycodes.set(rows, ['merchantId', 'id'])} k
     where ${ofMerchants('o', rows)} and o.merchant_id = k.merchant_id and o.paycode_id = k.id`
}

/** Inserts a paycode; returns whether its reference was new. */
export const insertPaycode = async (tx: Tx, row: PaycodeRow): Promise<boolean> =>
  (await paycodes.insertNew(tx, [row], sql`(merchant_id, paycode_reference)`)) === 1

/** Locks a paycode until the database transaction ends, so that it is paid out or cancelled, never both. */
export async function lockPaycode(
  tx: Tx,
  merchantId: bigint,
  paycodeReference: string,
): Promise<PaycodeRow | undefined> {
  const [row] = await tx<PaycodeRow[]>`
    select ${paycodes.columns} from paycode
     where merchant_id = ${merchantId} and paycode_reference = ${paycodeReference}
       for update`
  return row
}

/** Locks paycodes that have expired or were not authorized in time, skipping those locked elsewhere. */
export const lockDuePaycodes = (tx: Tx, shard: Shard, at: Date, limit: number): Promise<PaycodeRow[]> =>
  tx<PaycodeRow[]>`
    select ${paycodes.columns} from paycode p
     where ${ofShard(shard, 'p')} and status = 'PENDING' and least(expires_at, authorize_by) <= ${at}
     order by least(expires_at, authorize_by)
     limit ${limit}
       for update skip locked`

export async function nextPaycodeDue(db: Db): Promise<Date | undefined> {
  const [row] = await db<{ due: Date | null }[]>`
    -- over all merchants: due work
    select min(least(expires_at, authorize_by)) as due from paycode where status = 'PENDING'`
  return row?.due ?? undefined
}

export const updatePaycodes = (tx: Tx, rows: readonly PaycodeRow[]): void =>
  paycodes.update(tx, rows, ['status', 'modifiedBy', 'completedAt', 'authorizeBy'])

/** Stores the code of an approved paycode. */
export const releasePaycode = (tx: Tx, row: PaycodeRow): void => paycodes.update(tx, [row], ['sealed', 'authorizeBy'])

export const lockPaycodes = (tx: Tx, keys: readonly Pick<PaycodeRow, 'merchantId' | 'id'>[]): Promise<PaycodeRow[]> =>
  paycodes.lock(tx, keys)

export const selectPaycodesByKey = (
  db: Db,
  keys: readonly Pick<PaycodeRow, 'merchantId' | 'id'>[],
): Promise<PaycodeRow[]> => paycodes.select(db, keys)

export async function findPaycode(
  db: Db,
  merchantId: bigint,
  paycodeReference: string,
): Promise<PaycodeRow | undefined> {
  const [row] = await db<PaycodeRow[]>`
    select ${paycodes.columns} from paycode where merchant_id = ${merchantId} and paycode_reference = ${paycodeReference}`
  return row
}

/** Finds a paycode by the merchant's reference or ours. */
export async function findPaycodeByEitherName(
  db: Db,
  merchantId: bigint,
  reference: string,
): Promise<PaycodeRow | undefined> {
  const [row] = await db<PaycodeRow[]>`
    select ${paycodes.columns} from paycode where merchant_id = ${merchantId} and paycode_reference = ${reference}
    union all
    select ${paycodes.columns} from paycode where merchant_id = ${merchantId} and transaction_reference = ${reference}
     limit 1`
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
  const { transactionReference, beneficiaryName, transactionStatus } = filter
  return sql`
    merchant_id = ${merchantId} and ${madeWithin(filter)}
      ${transactionReference === undefined ? sql`` : sql`and transaction_reference = ${transactionReference}`}
      ${beneficiaryName === undefined ? sql`` : sql`and beneficiary_name ilike ${contains(beneficiaryName)}`}
      ${transactionStatus === undefined ? sql`` : sql`and status = ${transactionStatus}`}`
}

/** Returns a page of a merchant's paycodes, newest first. */
export const selectPaycodes = (
  db: Db,
  merchantId: bigint,
  filter: PaycodeFilter,
  page: RequestedPage,
): Promise<CountedPage<PaycodeRow>> => selectPage(db, paycodes, matching(merchantId, filter), page)

/**
 * Expires all pending paycodes of a merchant now. The expiry is always after the creation, even if the clock of the
 * node that created the paycode was ahead of ours.
 */
export function expireAll(tx: Tx, merchantId: bigint, at: Date): void {
  void tx`
    update paycode set expires_at = greatest(${at}, created_at + interval '1 millisecond')
     where merchant_id = ${merchantId} and status = 'PENDING' and expires_at > ${at}`
}
