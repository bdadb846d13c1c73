import type { AccountPurpose, NOBODYS } from '../../core/money/virtual-accounts/index.ts'
import type { Kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { sql } from '../../platform/sql.ts'
import { column, type Key, ofMerchants, type Row, table } from '../../platform/table.ts'

/** BY_PARTNER is none of ours; WAITING calls a person; RETURNING is under way; RETURNED is with the payer. */
export type ReturnState = 'BY_PARTNER' | 'WAITING' | 'RETURNING' | 'RETURNED'

/** By a transfer of ours to an account; or the partner sends it to where it came from. */
export type ReturnWay = 'TRANSFER' | 'SEND_BACK'

/** Credits that were not taken, and go back. */
export const returns = table('credit_return', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  /** Ours: its journals are keyed by it, and its orders are known by it. */
  reference: column<string>(),
  partner: column<string>(),
  bankCode: column<string>(),
  railReference: column<string>(),
  accountNumber: column<string>(),
  amount: column<Kobo>(),
  /** What its account number collects for, and the row that it collects for. */
  purpose: column<AccountPurpose | typeof NOBODYS>(),
  ownerId: column<bigint>(),
  reason: column<string>(),
  payerName: column<string | null>(),
  payerAccountNumber: column<string | null>(),
  payerBankCode: column<string | null>(),
  receivedAt: column<Date>(),
  state: column<ReturnState>(),
  way: column<ReturnWay | null>(),
  destinationBankCode: column<string | null>(),
  destinationAccountNumber: column<string | null>(),
  destinationAccountName: column<string | null>(),
  /** Its newest order, and how many there were. */
  orderId: column<bigint | null>(),
  sends: column<number>(),
  failure: column<string | null>(),
  /** The partner through whom it went back. */
  returnedBy: column<string | null>(),
  returnedAt: column<Date | null>(),
  /** What a person said who wrote down that it is back. */
  note: column<string | null>(),
})
export type ReturnRow = Row<typeof returns>
export type ReturnKey = Pick<ReturnRow, 'merchantId' | 'id'>

const NAME = ['merchantId', 'railReference', 'bankCode', 'partner'] as const
/** What names a credit. */
export type CreditName = Pick<ReturnRow, (typeof NAME)[number]>

const CHANGING = [
  'state',
  'way',
  'destinationBankCode',
  'destinationAccountNumber',
  'destinationAccountName',
  'orderId',
  'sends',
  'failure',
  'returnedBy',
  'returnedAt',
  'note',
] as const
const SHOWN_MAX = 1_000
const OF_OWNER_MAX = 20

/** Keeps credits that go back. One whose name is taken fails the transaction. */
export const insertReturns = (tx: Tx, rows: readonly ReturnRow[]): void => returns.insert(tx, rows)

export const updateReturns = (tx: Tx, rows: readonly ReturnRow[]): void => returns.update(tx, rows, CHANGING)

/** Credits of these names that go back, or have. */
export const selectByName = async (tx: Tx, credits: readonly CreditName[]): Promise<ReturnRow[]> =>
  credits.length === 0
    ? []
    : tx<ReturnRow[]>`
        select ${returns.of('r')}
          from (select distinct ${returns.only(...NAME)} from ${returns.set(credits, NAME)}) k
          join credit_return r using (merchant_id, rail_reference, bank_code, partner)
         where ${ofMerchants('r', credits)}`

/** What came for the rows that account numbers collect for and went back, newest first; `id` is the owner's. */
export const selectOfOwners = async (
  db: Db,
  purpose: AccountPurpose,
  owners: readonly ReturnKey[],
): Promise<readonly ReturnRow[]> =>
  owners.length === 0
    ? []
    : db<ReturnRow[]>`
    select ${returns.of('r')}
      from ${returns.set(owners, ['merchantId', 'id'])} k
     cross join lateral (
       select ${returns.columns} from credit_return o
        where ${ofMerchants('o', owners)} and o.merchant_id = k.merchant_id and o.owner_id = k.id and o.purpose = ${purpose}
        order by o.id desc limit ${OF_OWNER_MAX}) r
     order by r.id desc`

/** How much came for the row of an owner and was not taken, and how much of that is back. */
export interface ReturnCount extends ReturnKey {
  readonly all: number
  readonly returned: number
}

/** How many credits go back, or have, for each of these owners that has any; `id` is the owner's. */
export const countReturns = (db: Db, purpose: AccountPurpose, owners: readonly ReturnKey[]): Promise<ReturnCount[]> =>
  db<ReturnCount[]>`
    select r.merchant_id, r.owner_id as id, count(*)::int as all, count(r.returned_at)::int as returned
      from ${returns.set(owners, ['merchantId', 'id'])} k
      join credit_return r on r.merchant_id = k.merchant_id and r.owner_id = k.id
     where ${ofMerchants('r', owners)} and r.purpose = ${purpose}
     group by r.merchant_id, r.owner_id`

/** The credits for which a person is called, oldest first. */
export const selectWaiting = (db: Db): Promise<ReturnRow[]> =>
  db<ReturnRow[]>`
    -- over all merchants: for the operator
    select ${returns.columns} from credit_return where state = 'WAITING' order by id limit ${SHOWN_MAX}`

/** Locks the credit that an operator names, where a person is called for it. */
export async function lockWaiting(tx: Tx, id: bigint): Promise<ReturnRow | undefined> {
  const [found] = await tx<Key<typeof returns>[]>`
    -- over all merchants: for the operator, who knows it by its id
    select merchant_id, id from credit_return where id = ${id} and state = 'WAITING'`
  if (found === undefined) return undefined
  const [row] = await returns.lock(tx, [found])
  return row?.state === 'WAITING' ? row : undefined
}

/** For how many credits a person is called, by partner. */
export async function countWaiting(db: Db): Promise<readonly (readonly [string, number])[]> {
  const rows = await db<{ partner: string; count: bigint }[]>`
    -- over all merchants: for the operator
    select partner, count(*) from credit_return where state = 'WAITING' group by partner`
  return rows.map(({ partner, count }) => [partner, Number(count)])
}

/** The condition that a row came for one of these owners. */
export const ofOwners = (merchantId: bigint, purpose: AccountPurpose, owners: readonly string[]) =>
  sql`merchant_id = ${merchantId} and purpose = ${purpose} and owner_id = any(${owners}::bigint[])`

/** The banks' references of credits that were not taken, by merchant and our reference of each. */
export const selectUntaken = (
  db: Db | Tx,
  returned: readonly Pick<ReturnRow, 'merchantId' | 'reference'>[],
): Promise<Pick<ReturnRow, 'merchantId' | 'reference' | 'railReference'>[]> =>
  db<Pick<ReturnRow, 'merchantId' | 'reference' | 'railReference'>[]>`
    select r.merchant_id, r.reference, r.rail_reference
      from ${returns.set(returned, ['merchantId', 'reference'])} k
      join credit_return r using (merchant_id, reference)
     where ${ofMerchants('r', returned)}`
