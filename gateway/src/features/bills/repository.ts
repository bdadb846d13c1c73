import type { VendStatus } from '@kobo/contract'
import { ofShard, type Shard } from '../../core/shards/index.ts'
import type { Kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { deleteBatch } from '../../platform/postgres/delete-in-batches.ts'
import { listing } from '../../platform/postgres/list-search.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'

/** The details that a biller needs besides product, customer and amount. */
export interface VendDetails {
  readonly validationReference: string | null
  readonly emailAddress: string | null
  readonly phoneNumber: string | null
}

/** Payments to billers. */
export const vends = table('bill_vend', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  /** The merchant's reference. */
  reference: column<string>(),
  transactionReference: column<string>(),
  status: column<VendStatus>(),
  /** The paying wallet. */
  accountNumber: column<string>(),
  productCode: column<string>(),
  productName: column<string>(),
  billerCode: column<string>(),
  billerName: column<string>(),
  customerId: column<string>(),
  vendAmount: column<Kobo>(),
  commission: column<Kobo>(),
  description: column<string>(),
  metadata: column<Readonly<Record<string, string>>>(),
  createdAt: column<Date>(),
  completedAt: column<Date | null>(),
  /** The deadline for its authorization; null if it does not await one. */
  authorizeBy: column<Date | null>(),
  /** Set if the vend had to wait for approval; null again once it is completed. */
  heldDetails: column<VendDetails | null>(),
})
export type VendRow = Row<typeof vends>

/** A merchant's payments to billers as a list. */
export const vendList = listing(vends, { idFormat: 'standard', status: 'status', amount: 'vendAmount' })
type VendKey = Pick<VendRow, 'merchantId' | 'id'>

/** Inserts a vend; returns whether its reference was new. */
export const insertVend = async (tx: Tx, row: VendRow): Promise<boolean> =>
  (await vends.insertNew(tx, [row], sql`(merchant_id, reference)`)) === 1

/** Locks vends until the database transaction ends. */
export const lockVends = (tx: Tx, keys: readonly VendKey[]): Promise<VendRow[]> => vends.lock(tx, keys)

export const selectVendsByKey = (db: Db, keys: readonly VendKey[]): Promise<VendRow[]> => vends.select(db, keys)

export const updateVends = (tx: Tx, rows: readonly VendRow[]): void =>
  vends.update(tx, rows, ['status', 'description', 'metadata', 'completedAt', 'authorizeBy', 'heldDetails'])

/** Records that a vend no longer awaits authorization. */
export const releaseVend = (tx: Tx, row: VendRow): void => vends.update(tx, [row], ['description', 'authorizeBy'])

/** Locks expired vends that were not authorized, skipping those locked elsewhere. */
export const lockUnauthorizedVends = (tx: Tx, shard: Shard, at: Date, limit: number): Promise<VendRow[]> =>
  tx<VendRow[]>`
    select ${vends.columns} from bill_vend v
     where ${ofShard(shard, 'v')} and authorize_by <= ${at}
     order by authorize_by
     limit ${limit}
       for no key update skip locked`

export async function nextUnauthorizedVend(db: Db): Promise<Date | undefined> {
  const [row] = await db<{ due: Date | null }[]>`
    -- over all merchants: due work
    select min(authorize_by) as due from bill_vend where authorize_by is not null`
  return row?.due ?? undefined
}

/** Finds a vend by the merchant's reference or by our own. */
export async function findVend(db: Db, merchantId: bigint, reference: string): Promise<VendRow | undefined> {
  const [row] = await db<VendRow[]>`
    select ${vends.columns} from bill_vend where merchant_id = ${merchantId} and reference = ${reference}
    union all
    select ${vends.columns} from bill_vend where merchant_id = ${merchantId} and transaction_reference = ${reference}
     limit 1`
  return row
}

/** Customers confirmed by a biller, for vends that require it. */
const validations = table('bill_validation', ['merchantId', 'validationReference'], {
  merchantId: column<bigint>(),
  validationReference: column<string>(),
  productCode: column<string>(),
  customerId: column<string>(),
  expiresAt: column<Date>(),
})
export type ValidationRow = Row<typeof validations>

export const insertValidation = (tx: Tx, row: ValidationRow): void => validations.insert(tx, [row])

export const findValidation = (
  tx: Tx,
  merchantId: bigint,
  validationReference: string,
): Promise<ValidationRow | undefined> => validations.find(tx, { merchantId, validationReference })

/** Deletes expired validations; returns how many. */
export const deleteOldValidations = (tx: Tx, shard: Shard, at: Date, limit: number): Promise<number> =>
  deleteBatch(tx, validations, sql`expires_at <= ${at}`, limit, undefined, ofShard(shard, 't'))

/** Expires all bills of a merchant that await authorization. */
export function expireAll(tx: Tx, merchantId: bigint, at: Date): void {
  void tx`update bill_vend set authorize_by = ${at} where merchant_id = ${merchantId} and authorize_by > ${at}`
}
