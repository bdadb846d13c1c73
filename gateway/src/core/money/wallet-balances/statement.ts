import { firstIdAt } from '../../../kernel/ids.ts'
import { type Kobo, kobo } from '../../../kernel/money.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { type ListFilter, type ListPage, listing, type PlaceInList } from '../../../platform/postgres/list-search.ts'
import { type CountedPage, type RequestedPage, selectPage } from '../../../platform/postgres/pagination.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../../platform/postgres/table.ts'
import type { WalletKey } from './repository.ts'

/** Changes of wallets' available balances: the entries of their statements. */
export const walletEntries = table('wallet_entry', ['merchantId', 'accountNumber', 'id'], {
  merchantId: column<bigint>('bigint'),
  accountNumber: column<string>('text'),
  /** Grows from one entry of a wallet to the next, because it is created under the wallet's lock. */
  id: column<bigint>('bigint'),
  type: column<'DEBIT' | 'CREDIT'>('text'),
  amount: column<Kobo>('bigint'),
  balanceBefore: column<Kobo>('bigint'),
  balanceAfter: column<Kobo>('bigint'),
  /** The merchant's reference for the change. */
  reference: column<string>('text'),
  transactionReference: column<string>('text'),
  narration: column<string | null>('text'),
  message: column<string>('text'),
  at: column<Date>('timestamptz'),
})
export type WalletEntryRow = Row<typeof walletEntries>

const lines = listing(walletEntries, { idFormat: 'standard', method: 'type', amount: 'amount' })

export const statementList = (
  db: Db,
  { merchantId, accountNumber }: WalletKey,
  filter: ListFilter,
  place: PlaceInList,
): Promise<ListPage<WalletEntryRow>> => lines(db, merchantId, filter, place, sql`account_number = ${accountNumber}`)

/** Reads a wallet's balance at the start and the end of a period, from the entries next to these times. */
export async function balancesOfPeriod(
  db: Db,
  { merchantId, accountNumber }: WalletKey,
  { from, to }: Pick<ListFilter, 'from' | 'to'>,
): Promise<{ readonly opening: Kobo; readonly closing: Kobo }> {
  const of = sql`wallet_entry where merchant_id = ${merchantId} and account_number = ${accountNumber}`
  const end = to === undefined ? null : firstIdAt(new Date(to.getTime() + 1))
  const start = from === undefined ? 0n : firstIdAt(from)
  const [row] = await db<{ opening: Kobo | null; closing: Kobo | null; now: Kobo }[]>`
    select coalesce((select balance_before from ${of} and id >= ${start} order by id limit 1),
                    (select balance_after from ${of} and id < ${start} order by id desc limit 1)) as opening,
           coalesce((select balance_after from ${of} and (${end}::bigint is null or id < ${end}::bigint) order by id desc limit 1),
                    (select balance_before from ${of} order by id limit 1)) as closing,
           coalesce((select balance from account where merchant_id = ${merchantId} and code = 'wallet/' || ${accountNumber}::text), 0) as now`
  const now = kobo(row?.now ?? 0n)
  return { opening: row?.opening ?? now, closing: row?.closing ?? now }
}

/** Selects a page of a wallet's statement, newest first. */
export const selectStatement = (
  db: Db,
  { merchantId, accountNumber }: WalletKey,
  page: RequestedPage,
): Promise<CountedPage<WalletEntryRow>> =>
  selectPage(db, walletEntries, sql`merchant_id = ${merchantId} and account_number = ${accountNumber}`, page)
