import type { Kobo } from '../../kernel/money.ts'
import { type Db, rowSet, type Tx } from '../../platform/db.ts'

/** How much may be paid into an account, at once and on one day in Lagos. */
export interface Limits {
  readonly singleTransactionValue: Kobo
  readonly dailyTransactionValue: Kobo
  readonly dailyTransactionVolume: number
}

export interface LimitProfileRow extends Limits {
  readonly merchantId: bigint
  readonly id: bigint
  readonly code: string
  readonly name: string
  readonly createdAt: Date
  readonly modifiedAt: Date
}

/** Inserts a profile whose name is new; answers whether it was. */
export async function insertLimitProfile(tx: Tx, row: LimitProfileRow): Promise<boolean> {
  const { count } = await tx`
    insert into limit_profile
    select * from json_populate_recordset(null::limit_profile, ${rowSet([row])}::text::json)
        on conflict (merchant_id, name) do nothing`
  return count === 1
}

export async function lockLimitProfile(tx: Tx, merchantId: bigint, code: string): Promise<LimitProfileRow | undefined> {
  const [row] = await tx<LimitProfileRow[]>`
    select * from limit_profile where merchant_id = ${merchantId} and code = ${code} for no key update`
  return row
}

/** Writes what may change of a profile. */
export async function updateLimitProfile(tx: Tx, row: LimitProfileRow): Promise<void> {
  await tx`
    update limit_profile
       set name = ${row.name}, single_transaction_value = ${row.singleTransactionValue},
           daily_transaction_value = ${row.dailyTransactionValue},
           daily_transaction_volume = ${row.dailyTransactionVolume}, modified_at = ${row.modifiedAt}
     where merchant_id = ${row.merchantId} and id = ${row.id}`
}

export async function findLimitProfile(
  db: Db | Tx,
  merchantId: bigint,
  code: string,
): Promise<LimitProfileRow | undefined> {
  const [row] = await db<LimitProfileRow[]>`
    select * from limit_profile where merchant_id = ${merchantId} and code = ${code}`
  return row
}

/** A page of a merchant's profiles, newest first. */
export const selectLimitProfiles = (
  db: Db,
  merchantId: bigint,
  limit: number,
  offset: number,
): Promise<LimitProfileRow[]> => db<LimitProfileRow[]>`
    select * from limit_profile where merchant_id = ${merchantId} order by id desc limit ${limit} offset ${offset}`

export async function countLimitProfiles(db: Db, merchantId: bigint): Promise<number> {
  const [row] = await db<{ count: bigint }[]>`select count(*) from limit_profile where merchant_id = ${merchantId}`
  return Number(row?.count ?? 0n)
}
