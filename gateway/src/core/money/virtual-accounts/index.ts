import { secondsAfter } from '../../../kernel/clock.ts'
import { invariant } from '../../../kernel/errors.ts'
import { nuban } from '../../../kernel/nuban.ts'
import type { Db, Tx } from '../../../platform/db.ts'
import { column, ofMerchants, type Row, table } from '../../../platform/table.ts'
import type { UnitOfWork } from '../../unit-of-work.ts'

/** What an account number collects for. A feature receives the money of each. */
export type AccountPurpose = 'transaction' | 'wallet' | 'mandate' | 'reserved-account'

/** Account numbers at partner banks, opened for merchants: also the directory from a number to whose it is. */
const accounts = table('virtual_account', ['bankCode', 'accountNumber'], {
  bankCode: column<string>(),
  accountNumber: column<string>(),
  merchantId: column<bigint>(),
  purpose: column<AccountPurpose>(),
  ownerId: column<bigint>(),
  accountName: column<string>(),
  openedAt: column<Date>(),
  closesAt: column<Date | null>(),
})
export type VirtualAccount = Row<typeof accounts>

/** A closed number rests this long before it is given to someone else, so that nobody's saved payee pays a stranger. */
const REST_DAYS = 90
const REST_SECONDS = REST_DAYS * 86_400
const BLOCK_SIZE = 100
const SERIALS = 1_000_000_000n
/** Odd and no multiple of five, so multiplying by it modulo 10^9 gives every serial once, in no order that can be guessed at a glance. */
const SCATTER = 387_420_489n
const ROUNDS_MAX = 20
const ACCOUNTS_PER_OWNER_MAX = 20
const ACCOUNT_NAME_LENGTH_MAX = 40

/** A name that a bank's app can show: as many whole characters as fit, since half of one would be no text. */
export const accountName = (name: string): string => [...name].slice(0, ACCOUNT_NAME_LENGTH_MAX).join('')

/** Hands out account numbers and opens accounts under them. */
export interface VirtualAccounts {
  readonly open: (
    tx: Tx,
    wanted: readonly Omit<VirtualAccount, 'accountNumber'>[],
  ) => Promise<readonly VirtualAccount[]>
}

export function openVirtualAccounts(): VirtualAccounts {
  let block = 0n
  let left = 0

  /**
   * Serials are taken in blocks. A sequence makes nobody wait and takes nothing back, so the caller's own transaction asks
   * it: a further connection never comes while every one of the pool is held by a caller who waits for one.
   */
  async function nextSerials(tx: Tx, count: number): Promise<readonly string[]> {
    const serials: string[] = []
    while (serials.length < count) {
      if (left === 0) {
        const [row] = await tx<{ block: bigint }[]>`select nextval('virtual_account_block') as block`
        invariant(row !== undefined, 'a sequence gives a number')
        block = row.block
        left = BLOCK_SIZE
      }
      const place = block * BigInt(BLOCK_SIZE) + BigInt(BLOCK_SIZE - left)
      left--
      serials.push(((place * SCATTER) % SERIALS).toString().padStart(9, '0'))
    }
    return serials
  }

  return {
    open: async (tx, wanted) => {
      const opened = new Map<number, VirtualAccount>()
      for (let round = 0; opened.size < wanted.length; round++) {
        invariant(round < ROUNDS_MAX, 'a free account number is found in a few rounds')
        const missing = wanted.map((account, index) => ({ account, index })).filter(({ index }) => !opened.has(index))
        const serials = await nextSerials(tx, missing.length)
        const proposed = missing.map(({ account, index }, i) => ({
          index,
          account: { ...account, accountNumber: nuban(account.bankCode, serials[i] ?? '') },
        }))
        const taken = await insertAccounts(
          tx,
          proposed.map(({ account }) => account),
        )
        for (const { index, account } of proposed) if (taken.has(key(account))) opened.set(index, account)
      }
      return wanted.map((_, index) => opened.get(index) as VirtualAccount)
    },
  }
}

const key = ({ bankCode, accountNumber }: Pick<VirtualAccount, 'bankCode' | 'accountNumber'>): string =>
  `${bankCode}/${accountNumber}`

/** Opens the accounts whose numbers are free or have rested long enough; answers which. */
async function insertAccounts(tx: Tx, rows: readonly VirtualAccount[]): Promise<ReadonlySet<string>> {
  const [first] = rows
  if (first === undefined) return new Set()
  const restedBefore = secondsAfter(first.openedAt, -REST_SECONDS)
  const inserted = await tx<{ bankCode: string; accountNumber: string }[]>`
    insert into virtual_account (${accounts.columns})
    select ${accounts.columns} from ${accounts.set(rows)} new
        on conflict (bank_code, account_number) do update
       set merchant_id = excluded.merchant_id, purpose = excluded.purpose, owner_id = excluded.owner_id,
           account_name = excluded.account_name, opened_at = excluded.opened_at, closes_at = excluded.closes_at
     where virtual_account.closes_at < ${restedBefore}
    returning bank_code, account_number`
  return new Set(inserted.map(key))
}

/** The accounts behind account numbers, wherever they belong: how the outside world's money finds its merchant. */
export async function findAccounts(
  db: Db | Tx,
  numbers: readonly { readonly bankCode: string; readonly accountNumber: string }[],
): Promise<ReadonlyMap<string, VirtualAccount>> {
  const rows = await db<VirtualAccount[]>`
    -- over all merchants: the directory of account numbers
    select ${accounts.of('v')}
      from ${accounts.set(numbers, ['bankCode', 'accountNumber'])} wanted
     cross join lateral (
       select ${accounts.columns} from virtual_account
        where bank_code = wanted.bank_code and account_number = wanted.account_number limit 1) v`
  return new Map(rows.map((row) => [key(row), row]))
}
export const accountKey = key

const OWNER = ['merchantId', 'ownerId'] as const

/** The accounts of some owners, by owner. */
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

/** Closes the accounts of some owners: from then on their numbers rest, and are given to others one day. */
export function closeAccounts(
  { tx, at }: UnitOfWork,
  purpose: AccountPurpose,
  owners: readonly { readonly merchantId: bigint; readonly ownerId: bigint }[],
): void {
  if (owners.length === 0) return
  void tx`
    update virtual_account v
       set closes_at = ${at}
      from ${accounts.set(owners, OWNER)} o
     where ${ofMerchants('v', owners)}
       and v.merchant_id = o.merchant_id and v.purpose = ${purpose} and v.owner_id = o.owner_id
       and (v.closes_at is null or v.closes_at > ${at})`
}

/** Gives the accounts of some owners another name. */
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
}
