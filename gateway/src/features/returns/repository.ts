import type { AccountPurpose, UNASSIGNED } from '../../core/account-numbers/index.ts'
import type { Kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, type Key, ofMerchants, type Row, table } from '../../platform/postgres/table.ts'

/**
 * BY_PARTNER: the partner returns it; WAITING: needs manual review; RETURNING: in progress; RETURNED: the payer has it.
 */
export type ReturnState = 'BY_PARTNER' | 'WAITING' | 'RETURNING' | 'RETURNED'

/** TRANSFER: we send it to an account; SEND_BACK: the partner sends it back to its origin. */
export type ReturnMethod = 'TRANSFER' | 'SEND_BACK'

/** Rejected credits that are returned to their payers. */
export const returns = table('credit_return', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  /** Our reference: the key of its journals and the base of its orders' references. */
  reference: column<string>(),
  partner: column<string>(),
  bankCode: column<string>(),
  railReference: column<string>(),
  accountNumber: column<string>(),
  amount: column<Kobo>(),
  /** The purpose and the owner of its account number. */
  purpose: column<AccountPurpose | typeof UNASSIGNED>(),
  ownerId: column<bigint>(),
  reason: column<string>(),
  payerName: column<string | null>(),
  payerAccountNumber: column<string | null>(),
  payerBankCode: column<string | null>(),
  receivedAt: column<Date>(),
  state: column<ReturnState>(),
  way: column<ReturnMethod | null>(),
  destinationBankCode: column<string | null>(),
  destinationAccountNumber: column<string | null>(),
  destinationAccountName: column<string | null>(),
  /** Its newest order, and the number of orders so far. */
  orderId: column<bigint | null>(),
  sends: column<number>(),
  failure: column<string | null>(),
  returnedBy: column<string | null>(),
  returnedAt: column<Date | null>(),
  /** The inter-bank reference of the money that went back. */
  sessionId: column<string | null>(),
  /** The operator's note when recording a return made by other means. */
  note: column<string | null>(),
})
export type ReturnRow = Row<typeof returns>
export type ReturnKey = Pick<ReturnRow, 'merchantId' | 'id'>

const IDENTITY = ['merchantId', 'railReference', 'bankCode', 'partner'] as const
/** The identity of a credit. */
export type CreditName = Pick<ReturnRow, (typeof IDENTITY)[number]>

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
  'sessionId',
  'note',
] as const
const SHOWN_MAX = 1_000
const OF_OWNER_MAX = 20

/** Stores credits to return. If a credit with the same identity is already stored, the transaction fails. */
export const insertReturns = (tx: Tx, rows: readonly ReturnRow[]): void => returns.insert(tx, rows)

export const updateReturns = (tx: Tx, rows: readonly ReturnRow[]): void => returns.update(tx, rows, CHANGING)

/** Finds the stored returns of credits by the credits' identity. */
export const selectByName = async (tx: Tx, credits: readonly CreditName[]): Promise<ReturnRow[]> =>
  credits.length === 0
    ? []
    : tx<ReturnRow[]>`
        select ${returns.of('r')}
          from (select distinct ${returns.only(...IDENTITY)} from ${returns.set(credits, IDENTITY)}) k
          join credit_return r using (merchant_id, rail_reference, bank_code, partner)
         where ${ofMerchants('r', credits)}`

/** Returns the newest rejected credits of these owners, newest first. `id` in `owners` is the owner's id. */
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

/** The number of an owner's rejected credits, and how many of them were returned. */
export interface ReturnCount extends ReturnKey {
  readonly all: number
  readonly returned: number
}

/** Counts the rejected credits of each owner that has any. Each `id` is the owner's id. */
export const countReturns = (db: Db, purpose: AccountPurpose, owners: readonly ReturnKey[]): Promise<ReturnCount[]> =>
  db<ReturnCount[]>`
    select r.merchant_id, r.owner_id as id, count(*)::int as all, count(r.returned_at)::int as returned
      from ${returns.set(owners, ['merchantId', 'id'])} k
      join credit_return r on r.merchant_id = k.merchant_id and r.owner_id = k.id
     where ${ofMerchants('r', owners)} and r.purpose = ${purpose}
     group by r.merchant_id, r.owner_id`

/** Returns the credits that need manual review, oldest first. */
export const selectWaiting = (db: Db): Promise<ReturnRow[]> =>
  db<ReturnRow[]>`
    -- over all merchants: for the operator
    select ${returns.columns} from credit_return where state = 'WAITING' order by id limit ${SHOWN_MAX}`

/** Locks the credit that an operator names, if it needs manual review. */
export async function lockWaiting(tx: Tx, id: bigint): Promise<ReturnRow | undefined> {
  const [found] = await tx<Key<typeof returns>[]>`
    -- over all merchants: for the operator, who knows it by its id
    select merchant_id, id from credit_return where id = ${id} and state = 'WAITING'`
  if (found === undefined) return undefined
  const [row] = await returns.lock(tx, [found])
  return row?.state === 'WAITING' ? row : undefined
}

/** Counts the credits that need manual review, by partner. */
export async function countWaiting(db: Db): Promise<readonly (readonly [string, number])[]> {
  const rows = await db<{ partner: string; count: bigint }[]>`
    -- over all merchants: for the operator
    select partner, count(*) from credit_return where state = 'WAITING' group by partner`
  return rows.map(({ partner, count }) => [partner, Number(count)])
}

/** Returns the SQL condition that a credit was paid to one of these owners. */
export const ofOwners = (merchantId: bigint, purpose: AccountPurpose, owners: readonly string[]) =>
  sql`merchant_id = ${merchantId} and purpose = ${purpose} and owner_id = any(${owners}::bigint[])`

/** The references of a rejected credit at banks: one of the incoming payment, and one of the return. */
export type BankReferences = Pick<ReturnRow, 'merchantId' | 'reference' | 'railReference' | 'sessionId'>

/** Finds the bank references of rejected credits, by merchant and our reference. */
export const selectRejected = (
  db: Db | Tx,
  returned: readonly Pick<ReturnRow, 'merchantId' | 'reference'>[],
): Promise<BankReferences[]> =>
  db<BankReferences[]>`
    select r.merchant_id, r.reference, r.rail_reference, r.session_id
      from ${returns.set(returned, ['merchantId', 'reference'])} k
      join credit_return r using (merchant_id, reference)
     where ${ofMerchants('r', returned)}`
