import type { Kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { listing } from '../../platform/listing.ts'
import { type CountedPage, type PageWanted, selectPage } from '../../platform/pages.ts'
import { type Fragment, names, sql } from '../../platform/sql.ts'
import { column, ofMerchants, type Row, table } from '../../platform/table.ts'

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

/** A merchant's limit profiles as a list. */
export const limitProfileList = listing(limitProfiles, { idsAre: 'moments' })

/** How much may be paid into an account, at once and on one day in Lagos. */
export type Limits = Pick<
  LimitProfileRow,
  'singleTransactionValue' | 'dailyTransactionValue' | 'dailyTransactionVolume'
>

/** Inserts a profile whose name is new; answers whether it was. */
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

/** Writes what may change of a profile. */
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

/** The limits that a row with an alias has by its `limit_profile_code`, to be joined where a statement must see them. */
export const limitsOf = (of: readonly object[], alias: string): Fragment => sql`(
       select single_transaction_value, daily_transaction_value, daily_transaction_volume
         from limit_profile
        where ${ofMerchants('limit_profile', of)} and merchant_id = ${names(alias)}.merchant_id and code = ${names(alias)}.limit_profile_code limit 1)`

/** A page of a merchant's profiles, newest first. */
export const selectLimitProfiles = (
  db: Db,
  merchantId: bigint,
  wanted: PageWanted,
): Promise<CountedPage<LimitProfileRow>> => selectPage(db, limitProfiles, sql`merchant_id = ${merchantId}`, wanted)
