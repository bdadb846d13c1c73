import { add, type Kobo, percentage, smaller, subtract, ZERO } from '../../../kernel/money.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import { column, type Row, table } from '../../../platform/postgres/table.ts'
import { ofShard, type Shard } from '../../shards/index.ts'

/** The rolling reserve: parts of settlements withheld for some days to cover disputes. */
export const lots = table('reserve_lot', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  /** The settlement's id. */
  id: column<bigint>(),
  amount: column<Kobo>(),
  /** The amount that disputes have taken from the lot. */
  taken: column<Kobo>(),
  releasesAt: column<Date>(),
  releasedAt: column<Date | null>(),
  /** The part of the release that repaid debts. */
  repaidDebts: column<Kobo>(),
})
export type LotRow = Row<typeof lots>

/** How much of a merchant's collections is withheld, and for how long. */
export interface ReserveTerms {
  readonly basisPoints: number
  readonly days: number
}

/** Returns a merchant's reserve terms; undefined if nothing is withheld. */
export const reserveTermsOf = ({
  reserveBasisPoints: basisPoints,
  reserveDays: days,
}: {
  readonly reserveBasisPoints: number | null
  readonly reserveDays: number | null
}): ReserveTerms | undefined => (basisPoints === null || days === null ? undefined : { basisPoints, days })

/** Computes which part of an income is withheld, but never more than `left`. */
export const reserved = (terms: ReserveTerms | undefined, income: Kobo, left: Kobo): Kobo =>
  terms === undefined ? ZERO : smaller(left, percentage(income, BigInt(terms.basisPoints)))

export const insertLots = (tx: Tx, rows: readonly LotRow[]): void => lots.insert(tx, rows)

/** Returns the amount of a lot that disputes have not taken. */
export const leftIn = ({ amount, taken }: Pick<LotRow, 'amount' | 'taken'>): Kobo => subtract(amount, taken)

/** Locks a merchant's unreleased lots with money left, oldest first. */
export const lockLots = (tx: Tx, merchantId: bigint): Promise<LotRow[]> =>
  tx<LotRow[]>`
    select ${lots.columns} from reserve_lot
     where merchant_id = ${merchantId} and released_at is null and taken < amount
     order by id
       for no key update`

/** Takes up to this amount from locked lots, oldest first; returns the amount taken. */
export function takeFromLots(tx: Tx, locked: readonly LotRow[], upTo: Kobo): Kobo {
  let taken: Kobo = ZERO
  const changed = locked.flatMap((lot) => {
    const part = smaller(leftIn(lot), subtract(upTo, taken))
    taken = add(taken, part)
    return part > 0n ? { ...lot, taken: add(lot.taken, part) } : []
  })
  lots.update(tx, changed, ['taken'])
  return taken
}

/** Locks due lots, except those that another process has locked. */
export const lockDueLots = (tx: Tx, shard: Shard, at: Date, limit: number): Promise<LotRow[]> =>
  tx<LotRow[]>`
    select ${lots.columns} from reserve_lot l
     where ${ofShard(shard, 'l')} and released_at is null and releases_at <= ${at}
     order by releases_at
     limit ${limit}
       for no key update skip locked`

export async function nextLotDue(db: Db): Promise<Date | undefined> {
  const [row] = await db<{ due: Date | null }[]>`
    -- over all merchants: due work
    select min(releases_at) as due from reserve_lot where released_at is null`
  return row?.due ?? undefined
}

export const releaseLots = (tx: Tx, rows: readonly LotRow[]): void =>
  lots.update(tx, rows, ['releasedAt', 'repaidDebts'])
