import { invariant } from '../../kernel/errors.ts'
import { type Db, rowSet, type Tx } from '../../platform/postgres/db.ts'
import { column, ofMerchants, type Row, table } from '../../platform/postgres/table.ts'
import type { UnitOfWork } from '../unit-of-work.ts'

/** The purpose of an account number. One feature handles the money of each purpose. */
export type AccountPurpose = 'transaction' | 'wallet' | 'mandate' | 'reserved-account'

/** The purpose of an unassigned number that received money. */
export const UNASSIGNED = 'nobody'

/** Account numbers at partner banks. This table is also the directory that leads from a number to its merchant. */
export const accounts = table('virtual_account', ['bankCode', 'accountNumber'], {
  bankCode: column<string>(),
  accountNumber: column<string>(),
  merchantId: column<bigint>(),
  purpose: column<AccountPurpose | typeof UNASSIGNED>(),
  ownerId: column<bigint>(),
  accountName: column<string>(),
  openedAt: column<Date>(),
  closesAt: column<Date | null>(),
  /** The partner that reports credits to this number; null if the number is unassigned or older than this column. */
  partner: column<string | null>(),
})
export type VirtualAccount = Row<typeof accounts>

export type AssignedAccount = VirtualAccount & { readonly purpose: AccountPurpose }

export const isAssigned = (account: VirtualAccount): account is AssignedAccount => account.purpose !== UNASSIGNED

/** An account to be opened, still without its number and partner. */
export type UnnumberedAccount = Omit<VirtualAccount, 'accountNumber' | 'partner'>

const ACCOUNTS_PER_OWNER_MAX = 20
const ACCOUNT_NAME_LENGTH_MAX = 40

/** Cuts a name to the length that bank apps can show, in whole characters. */
export const accountName = (name: string): string => [...name].slice(0, ACCOUNT_NAME_LENGTH_MAX).join('')

type AccountNumber = Pick<VirtualAccount, 'bankCode' | 'accountNumber'>

/** Identifies an account across banks. */
export const accountKey = ({ bankCode, accountNumber }: AccountNumber): string => `${bankCode}/${accountNumber}`

/** Opens accounts whose numbers are free or were closed before `restedBefore`; returns the opened accounts' keys. */
export async function insertAccounts(
  tx: Tx,
  rows: readonly VirtualAccount[],
  restedBefore: Date,
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set()
  const inserted = await tx<AccountNumber[]>`
    insert into virtual_account (${accounts.columns})
    select ${accounts.columns} from ${accounts.set(rows)} new
        on conflict (bank_code, account_number) do update
       set merchant_id = excluded.merchant_id, purpose = excluded.purpose, owner_id = excluded.owner_id,
           account_name = excluded.account_name, opened_at = excluded.opened_at, closes_at = excluded.closes_at,
           partner = excluded.partner
     where virtual_account.closes_at < ${restedBefore}
    returning bank_code, account_number`
  return new Set(inserted.map(accountKey))
}

/**
 * Opens accounts under numbers that banks issued. If a bank issues a number again, credits that arrived before are
 * still credited to the former holder.
 */
export async function insertIssuedAccounts(tx: Tx, rows: readonly VirtualAccount[]): Promise<void> {
  if (rows.length === 0) return
  const { count } = await tx`
    with earlier as (
      insert into earlier_account (${accounts.columns})
      select ${accounts.of('v')}
        from virtual_account v
        join ${accounts.set(rows)} new on new.bank_code = v.bank_code and new.account_number = v.account_number
       where v.closes_at <= new.opened_at
    )
    insert into virtual_account (${accounts.columns})
    select ${accounts.columns} from ${accounts.set(rows)} new
        on conflict (bank_code, account_number) do update
       set merchant_id = excluded.merchant_id, purpose = excluded.purpose, owner_id = excluded.owner_id,
           account_name = excluded.account_name, opened_at = excluded.opened_at, closes_at = excluded.closes_at,
           partner = excluded.partner
     where virtual_account.closes_at <= excluded.opened_at`
  invariant(count === rows.length, 'a number that a bank has issued has only one owner')
}

/** Returns the numbers at a bank that are not free: they are open, or were closed at `restedBefore` or later. */
export async function selectHeld(
  tx: Tx,
  bankCode: string,
  accountNumbers: readonly string[],
  restedBefore: Date,
): Promise<ReadonlySet<string>> {
  const rows = await tx<{ accountNumber: string }[]>`
    -- over all merchants: the directory of account numbers
    select account_number from virtual_account
     where bank_code = ${bankCode} and account_number = any(${accountNumbers}::text[])
       and (closes_at is null or closes_at >= ${restedBefore})`
  return new Set(rows.map(({ accountNumber }) => accountNumber))
}

/** Counts the numbers of a prefix: those in use or not yet reusable, and those that can be reused. */
export async function countNumbers(
  db: Db,
  bankCode: string,
  prefix: string,
  restedBefore: Date,
): Promise<{ readonly used: number; readonly rested: number }> {
  const [row] = await db<{ all: bigint; rested: bigint }[]>`
    -- over all merchants: for the operator
    select count(*) as all, count(*) filter (where closes_at < ${restedBefore}) as rested
      from virtual_account
     where bank_code = ${bankCode} and starts_with(account_number, ${prefix})`
  const rested = Number(row?.rested ?? 0n)
  return { used: Number(row?.all ?? 0n) - rested, rested }
}

/** An account, and whether its number belonged to another of our accounts before. */
export type FoundAccount = VirtualAccount & { readonly isReassigned: boolean }

/** Finds accounts by number over all merchants, to find the owner of incoming money. */
export async function findAccounts(
  db: Db | Tx,
  numbers: readonly AccountNumber[],
): Promise<ReadonlyMap<string, FoundAccount>> {
  const rows = await db<FoundAccount[]>`
    -- over all merchants: the directory of account numbers
    select ${accounts.of('v')},
           exists (select from earlier_account e
                    where e.bank_code = v.bank_code and e.account_number = v.account_number) as is_reassigned
      from ${accounts.set(numbers, ['bankCode', 'accountNumber'])} wanted
     cross join lateral (
       select ${accounts.columns} from virtual_account
        where bank_code = wanted.bank_code and account_number = wanted.account_number limit 1) v`
  return new Map(rows.map((row) => [accountKey(row), row]))
}

/** Finds who held each reassigned number at the given time. */
export async function findEarlierAccounts(
  db: Db | Tx,
  numbers: readonly (AccountNumber & { readonly at: Date })[],
): Promise<ReadonlyMap<string, VirtualAccount>> {
  const rows = await db<VirtualAccount[]>`
    -- over all merchants: the directory of account numbers
    select distinct on (e.bank_code, e.account_number) ${accounts.of('e')}
      from json_to_recordset(${rowSet(numbers, ['bankCode', 'accountNumber', 'at'])}::text::json)
             as n (bank_code text, account_number text, at timestamptz)
      join earlier_account e on e.bank_code = n.bank_code and e.account_number = n.account_number and e.opened_at <= n.at
     order by e.bank_code, e.account_number, e.opened_at desc`
  return new Map(rows.map((row) => [accountKey(row), row]))
}

const OWNER = ['merchantId', 'ownerId'] as const

/** Reads the accounts of the given owners, by owner. */
export async function accountsOf(
  db: Db | Tx,
  purpose: AccountPurpose,
  owners: readonly { readonly merchantId: bigint; readonly ownerId: bigint }[],
): Promise<readonly VirtualAccount[]> {
  return db<VirtualAccount[]>`
    select ${accounts.of('v')}
      from ${accounts.set(owners, OWNER)} wanted
     cross join lateral (
       select ${accounts.of('a')} from virtual_account a
        where ${ofMerchants('a', owners)}
          and a.merchant_id = wanted.merchant_id and a.purpose = ${purpose} and a.owner_id = wanted.owner_id
        order by a.bank_code limit ${ACCOUNTS_PER_OWNER_MAX}) v
     order by v.opened_at, v.account_number`
}

/** Renames the accounts of owners, also at the banks that issued them. */
export function renameAccounts(
  { tx }: UnitOfWork,
  purpose: AccountPurpose,
  owners: readonly { readonly merchantId: bigint; readonly ownerId: bigint }[],
  name: string,
): void {
  if (owners.length === 0) return
  void tx`
    update virtual_account v
       set account_name = ${accountName(name)}
      from ${accounts.set(owners, OWNER)} o
     where ${ofMerchants('v', owners)}
       and v.merchant_id = o.merchant_id and v.purpose = ${purpose} and v.owner_id = o.owner_id`
  void tx`
    update earlier_account e
       set account_name = ${accountName(name)}
      from ${accounts.set(owners, OWNER)} o
     where ${ofMerchants('e', owners)}
       and e.merchant_id = o.merchant_id and e.purpose = ${purpose} and e.owner_id = o.owner_id`
  // Marks the requests for these numbers, so that a sweep reports the new name to the bank.
  void tx`
    update account_request r
       set account_name = ${accountName(name)}, renamed = true
      from ${accounts.set(owners, OWNER)} o
      join virtual_account v on v.merchant_id = o.merchant_id and v.purpose = ${purpose} and v.owner_id = o.owner_id
     where ${ofMerchants('r', owners)}
       and r.merchant_id = v.merchant_id and r.bank_code = v.bank_code and r.account_number = v.account_number`
}

/**
 * Blocks unassigned numbers that received money. They are not assigned for a while, so that their next holder does not
 * get the money. Concurrent calls for a number wait for its row lock. Returns the numbers that are still unassigned.
 */
export async function restNumbers(
  { tx, ids, at }: UnitOfWork,
  merchantId: bigint,
  numbers: readonly AccountNumber[],
): Promise<ReadonlySet<string>> {
  const rows = [...new Map(numbers.map((number) => [accountKey(number), number])).values()]
    .toSorted((a, b) => (accountKey(a) < accountKey(b) ? -1 : 1))
    .map(
      ({ bankCode, accountNumber }): VirtualAccount => ({
        bankCode,
        accountNumber,
        merchantId,
        purpose: UNASSIGNED,
        ownerId: ids.id(),
        accountName: '',
        openedAt: at,
        closesAt: at,
        partner: null,
      }),
    )
  const blocked = await tx<AccountNumber[]>`
    -- over all merchants: the directory of account numbers
    insert into virtual_account (${accounts.columns})
    select ${accounts.columns} from ${accounts.set(rows)} new
        on conflict (bank_code, account_number) do update set closes_at = excluded.closes_at
     where virtual_account.purpose = ${UNASSIGNED}
    returning bank_code, account_number`
  return new Set(blocked.map(accountKey))
}
