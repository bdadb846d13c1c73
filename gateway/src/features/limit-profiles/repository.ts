import type { Kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { listing } from '../../platform/postgres/list-search.ts'
import { type CountedPage, type RequestedPage, selectPage } from '../../platform/postgres/pagination.ts'
import { type Fragment, names, sql } from '../../platform/postgres/sql.ts'
import { column, ofMerchants, type Row, table } from '../../platform/postgres/table.ts'

const limitProfiles = table('limit_profile', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  code: column<string>(),
  name: column<string>(),
  singleTransactionValue: column<Kobo>(),
  dailyTransactionValue: column<Kobo>(),
  dailyTransactionVolume: column<number>(),
  createdAt: column<Date>(),
  modifiedAt: column<Date>(),
})

export type LimitProfileRow = Row<typeof limitProfiles>

export const limitProfileList = listing(limitProfiles, { idFormat: 'standard' })

/** How much may be paid into an account, per payment and per day in Lagos. */
export type Limits = Pick<
  LimitProfileRow,
  'singleTransactionValue' | 'dailyTransactionValue' | 'dailyTransactionVolume'
>

/** Inserts a profile; returns whether its name was new. */
export const insertLimitProfile = async (tx: Tx, row: LimitProfileRow): Promise<boolean> =>
  (await limitProfiles.insertNew(tx, [row], sql`(merchant_id, name)`)) === 1

export async function lockLimitProfile(tx: Tx, merchantId: bigint, code: string): Promise<LimitProfileRow | undefined> {
  const [row] = await tx<LimitProfileRow[]>`
    select ${limitProfiles.columns}
      from limit_profile
     where merchant_id = ${merchantId} and code = ${code}
       for no key update`
  return row
}

/** Writes the columns that may change. */
export const updateLimitProfile = (tx: Tx, row: LimitProfileRow): void =>
  limitProfiles.update(
    tx,
    [row],
    ['name', 'singleTransactionValue', 'dailyTransactionValue', 'dailyTransactionVolume', 'modifiedAt'],
  )

export async function findLimitProfile(
  db: Db | Tx,
  merchantId: bigint,
  code: string,
): Promise<LimitProfileRow | undefined> {
  const [row] = await db<LimitProfileRow[]>`
    select ${limitProfiles.columns} from limit_profile where merchant_id = ${merchantId} and code = ${code}`
  return row
}

/** Returns a subquery that selects the limits of a row's `limit_profile_code`, by the row's alias. */
export const limitsOf = (of: readonly object[], alias: string): Fragment => sql`(
       select single_transaction_value, daily_transaction_value, daily_transaction_volume
         from limit_profile
        where ${ofMerchants('limit_profile', of)} and merchant_id = ${names(alias)}.merchant_id and code = ${names(alias)}.limit_profile_code limit 1)`

/** Reads a page of a merchant's profiles, newest first. */
export const selectLimitProfiles = (
  db: Db,
  merchantId: bigint,
  page: RequestedPage,
): Promise<CountedPage<LimitProfileRow>> => selectPage(db, limitProfiles, sql`merchant_id = ${merchantId}`, page)
