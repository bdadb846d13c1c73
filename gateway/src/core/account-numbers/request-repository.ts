import type { Db, Tx } from '../../platform/postgres/db.ts'
import { inOneQuery } from '../../platform/postgres/db.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, ofMerchants, type Row, table } from '../../platform/postgres/table.ts'
import { type AccountPurpose, accounts } from './accounts.ts'

/**
 * ASKED: the outcome is unknown and is queried. OPENED: issued, not used yet. USED: in the directory. REFUSED: rejected
 * by the bank. LOST: the bank never got the request. CLOSING: the closing must still be reported to the bank.
 */
export type RequestState = 'ASKED' | 'OPENED' | 'USED' | 'REFUSED' | 'LOST' | 'CLOSING' | 'CLOSED'

/** Account numbers requested from banks. */
export const requests = table('account_request', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  purpose: column<AccountPurpose>(),
  /** Identifies the owner: a repeated request with this key gets the same number. */
  ownerKey: column<string>(),
  bankCode: column<string>(),
  /** The partner that gets the request and all later queries. */
  partner: column<string>(),
  accountName: column<string>(),
  expiresAt: column<Date | null>(),
  state: column<RequestState>(),
  accountNumber: column<string | null>(),
  /** When the bank's reservation ends. */
  closesAt: column<Date | null>(),
  reason: column<string | null>(),
  createdAt: column<Date>(),
})
export type AccountRequest = Row<typeof requests>
type RequestKey = Pick<AccountRequest, 'merchantId' | 'purpose' | 'ownerKey' | 'bankCode'>

export async function findOpenRequest(
  tx: Tx,
  { merchantId, purpose, ownerKey, bankCode }: RequestKey,
): Promise<AccountRequest | undefined> {
  const [row] = await tx<AccountRequest[]>`
    select ${requests.columns} from account_request
     where merchant_id = ${merchantId} and purpose = ${purpose} and owner_key = ${ownerKey} and bank_code = ${bankCode}
       and state in ('ASKED', 'OPENED')`
  return row
}

/**
 * Inserts a request unless there is one for the same owner; returns whether it was new. A unique index prevents
 * duplicates.
 */
export const insertRequest = async (tx: Tx, request: AccountRequest): Promise<boolean> =>
  (await requests.insertNew(
    tx,
    [request],
    sql`(merchant_id, purpose, owner_key, bank_code) where state in ('ASKED', 'OPENED')`,
  )) === 1

/** Returns which of these numbers are in use, or issued and not used yet. */
export async function selectNumbersInUse(
  tx: Tx,
  numbers: readonly { readonly bankCode: string; readonly accountNumber: string }[],
  at: Date,
): Promise<ReadonlySet<string>> {
  // Over all merchants: the directory of account numbers.
  const rows = await tx<{ key: string }[]>`
    select n.bank_code || '/' || n.account_number as key
      from ${accounts.set(numbers, ['bankCode', 'accountNumber'])} n
     where exists (select from virtual_account v
                    where v.bank_code = n.bank_code and v.account_number = n.account_number
                      and (v.closes_at is null or v.closes_at > ${at}))
        or exists (select from account_request r
                    where r.bank_code = n.bank_code and r.account_number = n.account_number and r.state = 'OPENED')`
  return new Set(rows.map(({ key }) => key))
}

/** Marks issued numbers as used: they are in the directory from now on. */
export function markUsed(tx: Tx, issued: readonly Pick<AccountRequest, 'merchantId' | 'id'>[]): void {
  if (issued.length === 0) return
  void tx`
    update account_request r set state = 'USED'
      from ${requests.set(issued, ['merchantId', 'id'])} i
     where ${ofMerchants('r', issued)} and r.merchant_id = i.merchant_id and r.id = i.id and r.state = 'OPENED'`
}

/** Closes the accounts of owners that have issued numbers, and marks the numbers for closing at their banks. */
export function closeIssued(
  tx: Tx,
  purpose: AccountPurpose,
  owners: readonly { readonly merchantId: bigint; readonly ownerId: bigint }[],
  at: Date,
): void {
  if (owners.length === 0) return
  void tx`
    with closing as (
      update account_request r set state = 'CLOSING'
        from ${accounts.set(owners, ['merchantId', 'ownerId'])} o
        join virtual_account v on v.merchant_id = o.merchant_id and v.purpose = ${purpose} and v.owner_id = o.owner_id
       where ${ofMerchants('r', owners)}
         and r.merchant_id = v.merchant_id and r.bank_code = v.bank_code and r.account_number = v.account_number
         and r.state = 'USED'
      returning r.bank_code, r.account_number
    )
    update virtual_account v set closes_at = ${at}
      from closing
     where ${ofMerchants('v', owners)}
       and v.bank_code = closing.bank_code and v.account_number = closing.account_number
       and (v.closes_at is null or v.closes_at > ${at})`
}

/** Gives up numbers that were issued before a time and never used; returns how many. */
export const giveUpUnused = (db: Db, before: Date, limit: number): Promise<number> =>
  // Over all merchants: due work.
  inOneQuery(
    db,
    async (tx) =>
      (
        await tx`
    with taken as materialized (
      select merchant_id, id from account_request
       where state = 'OPENED' and created_at < ${before}
       order by created_at limit ${limit} for update skip locked)
    update account_request r set state = 'CLOSING'
      from taken t
     where r.merchant_id = t.merchant_id and r.id = t.id`
      ).count,
  )

/** Takes requests whose closing must be reported to the bank, and marks them as reported. */
export const takeClosing = (tx: Tx, limit: number): Promise<AccountRequest[]> =>
  // Over all merchants: due work.
  tx<AccountRequest[]>`
    with taken as materialized (
      select merchant_id, id from account_request
       where state = 'CLOSING' order by merchant_id, id limit ${limit} for update skip locked)
    update account_request r set state = 'CLOSED'
      from taken t
     where r.merchant_id = t.merchant_id and r.id = t.id
    returning ${requests.of('r')}`

/** Takes requests whose new name must be reported to the bank, and marks them as reported. */
export const takeRenamed = (tx: Tx, limit: number): Promise<AccountRequest[]> =>
  // Over all merchants: due work.
  tx<AccountRequest[]>`
    with taken as materialized (
      select merchant_id, id from account_request
       where renamed order by merchant_id, id limit ${limit} for update skip locked)
    update account_request r set renamed = false
      from taken t
     where r.merchant_id = t.merchant_id and r.id = t.id
    returning ${requests.of('r')}`
