import type { Db, Tx } from '../../../platform/db.ts'
import { inOneStatement } from '../../../platform/db.ts'
import { sql } from '../../../platform/sql.ts'
import { column, ofMerchants, type Row, table } from '../../../platform/table.ts'
import { type AccountPurpose, accounts } from './accounts.ts'

/** ASKED is asked about; OPENED waits for who needs it; USED is in the directory; CLOSING is to be told to the bank. */
export type RequestState = 'ASKED' | 'OPENED' | 'USED' | 'REFUSED' | 'LOST' | 'CLOSING' | 'CLOSED'

/** Account numbers that banks were asked to issue. */
export const requests = table('account_request', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  purpose: column<AccountPurpose>(),
  /** What it is for, as the merchant calls it: whoever asks again for the same gets this one. */
  ownerKey: column<string>(),
  bankCode: column<string>(),
  /** Who is asked for it, and about it for ever. */
  partner: column<string>(),
  accountName: column<string>(),
  expiresAt: column<Date | null>(),
  state: column<RequestState>(),
  accountNumber: column<string | null>(),
  /** Until when the bank keeps it for us. */
  closesAt: column<Date | null>(),
  reason: column<string | null>(),
  createdAt: column<Date>(),
})
export type AccountRequest = Row<typeof requests>
type RequestKey = Pick<AccountRequest, 'merchantId' | 'purpose' | 'ownerKey' | 'bankCode'>

/** The request for a number that was not given to anything yet, if there is one. */
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

/** Writes a request down unless there is one for the same; answers whether it was new. The index decides. */
export const insertRequest = async (tx: Tx, request: AccountRequest): Promise<boolean> =>
  (await requests.insertNew(
    tx,
    [request],
    sql`(merchant_id, purpose, owner_key, bank_code) where state in ('ASKED', 'OPENED')`,
  )) === 1

/** Which of some numbers somebody has already, or is about to have: keys of accounts. */
export async function selectTaken(
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

/** Gives numbers that were issued to what needs them: from now on they are in the directory. */
export function markUsed(tx: Tx, issued: readonly Pick<AccountRequest, 'merchantId' | 'id'>[]): void {
  if (issued.length === 0) return
  void tx`
    update account_request r set state = 'USED'
      from ${requests.set(issued, ['merchantId', 'id'])} i
     where ${ofMerchants('r', issued)} and r.merchant_id = i.merchant_id and r.id = i.id and r.state = 'OPENED'`
}

/** Has banks told that accounts of some owners take no more money, where they have issued them. */
export function closeIssued(
  tx: Tx,
  purpose: AccountPurpose,
  owners: readonly { readonly merchantId: bigint; readonly ownerId: bigint }[],
  at: Date,
): void {
  if (owners.length === 0) return
  void tx`
    with told as (
      update account_request r set state = 'CLOSING'
        from ${accounts.set(owners, ['merchantId', 'ownerId'])} o
        join virtual_account v on v.merchant_id = o.merchant_id and v.purpose = ${purpose} and v.owner_id = o.owner_id
       where ${ofMerchants('r', owners)}
         and r.merchant_id = v.merchant_id and r.bank_code = v.bank_code and r.account_number = v.account_number
         and r.state = 'USED'
      returning r.bank_code, r.account_number
    )
    update virtual_account v set closes_at = ${at}
      from told
     where ${ofMerchants('v', owners)}
       and v.bank_code = told.bank_code and v.account_number = told.account_number
       and (v.closes_at is null or v.closes_at > ${at})`
}

/** Gives up numbers that were issued before a moment and that nothing has needed since; answers how many. */
export const giveUpUnused = (db: Db, before: Date, limit: number): Promise<number> =>
  // Over all merchants: what has fallen due.
  inOneStatement(
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

/** Takes requests whose banks are to be told that they are closed. */
export const takeClosing = (tx: Tx, limit: number): Promise<AccountRequest[]> =>
  // Over all merchants: what has fallen due.
  tx<AccountRequest[]>`
    with taken as materialized (
      select merchant_id, id from account_request
       where state = 'CLOSING' order by merchant_id, id limit ${limit} for update skip locked)
    update account_request r set state = 'CLOSED'
      from taken t
     where r.merchant_id = t.merchant_id and r.id = t.id
    returning ${requests.of('r')}`

/** Takes requests whose banks are to be told what they are called now. */
export const takeRenamed = (tx: Tx, limit: number): Promise<AccountRequest[]> =>
  // Over all merchants: what has fallen due.
  tx<AccountRequest[]>`
    with taken as materialized (
      select merchant_id, id from account_request
       where renamed order by merchant_id, id limit ${limit} for update skip locked)
    update account_request r set renamed = false
      from taken t
     where r.merchant_id = t.merchant_id and r.id = t.id
    returning ${requests.of('r')}`
