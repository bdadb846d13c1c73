import type { Kobo } from '../../../kernel/money.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import { column, ofMerchants, type Row, table } from '../../../platform/postgres/table.ts'

/** The name of a credit: its reference with the partner and the bank, because each of them has its own references. */
export interface CreditName {
  readonly merchantId: bigint
  /** The partner that reported the credit; empty if we requested the money under our own reference. */
  readonly partner: string
  /** The bank that received it; null if it did not arrive on an account number. */
  readonly bankCode: string | null
  readonly railReference: string
}

export interface ReportedCredit extends CreditName {
  readonly accountNumber: string | null
  readonly amount: Kobo
}

/** The directory of credits over all merchants: partner, bank and reference together identify one credit. */
const names = table('credit_name', ['railReference', 'bankCode', 'partner'], {
  railReference: column<string>(),
  bankCode: column<string>(),
  partner: column<string>(),
  /** The merchant that received the credit, or that owned its account number then. */
  merchantId: column<bigint>(),
  accountNumber: column<string>(),
  amount: column<Kobo>(),
})
type NameRow = Row<typeof names>

/** The credit that holds a name. */
export interface NameHolder extends Pick<NameRow, 'merchantId' | 'accountNumber' | 'amount'> {
  /** Whether the credit got the name in this transaction. */
  readonly isNew: boolean
  /** Why it was sent back; null if it was accepted. */
  readonly reason: string | null
}

/** The credits that hold names, by `nameKey`. */
export type NameHolders = ReadonlyMap<string, NameHolder>

export const NO_HOLDERS: NameHolders = new Map()

type Name = Omit<CreditName, 'merchantId'>

/** Returns a name as text, unique over all merchants. */
export const nameKey = ({ partner, bankCode, railReference }: Name): string => `${partner}/${bankCode}/${railReference}`

/** Sorts names, because transactions that claim them in the same order do not deadlock. */
const inOrder = (one: NameRow, other: NameRow): number =>
  one.railReference < other.railReference ||
  (one.railReference === other.railReference && nameKey(one) < nameKey(other))
    ? -1
    : 1

/** Returns the names of credits that arrived on account numbers. No bank has named the other credits. */
const namesOf = (credits: readonly ReportedCredit[]): readonly NameRow[] =>
  credits.flatMap(({ merchantId, partner, bankCode, railReference, accountNumber, amount }) =>
    bankCode === null || accountNumber === null
      ? []
      : { merchantId, partner, bankCode, railReference, accountNumber, amount },
  )

/**
 * Claims names for credits; returns the credits that hold them, or none if all names were free. Waits for a name that
 * another transaction is claiming.
 */
export async function claimNames(tx: Tx, credits: readonly ReportedCredit[]): Promise<NameHolders> {
  const requested = namesOf(credits)
  if (requested.length === 0) return NO_HOLDERS
  const { count } = await tx`
    -- over all merchants: the directory of credits
    insert into credit_name (${names.columns})
    select ${names.columns} from ${names.set(requested.toSorted(inOrder))}
        on conflict (rail_reference, bank_code, partner) do nothing`
  return count === requested.length ? NO_HOLDERS : selectHolders(tx, requested)
}

/** Selects the credits that hold these names. */
export async function selectHolders(db: Db | Tx, requested: readonly Name[]): Promise<NameHolders> {
  const rows = await db<(NameRow & { readonly isNew: boolean })[]>`
    -- over all merchants: the directory of credits
    select ${names.of('n')}, n.xmin = pg_current_xact_id()::xid as is_new
      from ${names.set(requested as readonly NameRow[], ['railReference', 'bankCode', 'partner'])} wanted
      join credit_name n using (rail_reference, bank_code, partner)`
  const returned = await selectReturned(db, rows)
  const reasons = new Map(returned.map((one) => [nameKey(one), one.reason]))
  return new Map(
    rows.map((row): [string, NameHolder] => [nameKey(row), { ...row, reason: reasons.get(nameKey(row)) ?? null }]),
  )
}

type ReturnedName = Pick<NameRow, 'railReference' | 'bankCode' | 'partner'> & { readonly reason: string }

/** Selects those of the credits that were sent back, with the reason. */
const selectReturned = async (db: Db | Tx, rows: readonly NameRow[]): Promise<readonly ReturnedName[]> =>
  rows.length === 0
    ? []
    : db<ReturnedName[]>`
        select r.rail_reference, r.bank_code, r.partner, r.reason
          from ${names.set(rows)} k
          join credit_return r using (merchant_id, rail_reference, bank_code, partner)
         where ${ofMerchants('r', rows)}`
