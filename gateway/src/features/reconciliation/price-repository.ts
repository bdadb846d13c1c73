import type { PriceStep } from '../../core/pricing/index.ts'
import { type Kobo, kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'

/** A price step as JSON: kobo as exact integers. */
interface StoredStep {
  readonly upTo: number | null
  readonly basisPoints: number
  readonly flat: number
  readonly cap: number | null
}

const prices = table('partner_price', ['id'], {
  id: column<bigint>(),
  partner: column<string>(),
  method: column<string>(),
  steps: column<readonly StoredStep[]>(),
  vatBasisPoints: column<number>(),
  validFrom: column<Date>(),
  madeAt: column<Date>(),
  madeBy: column<string>(),
})

/** A partner's price from a time on. */
export type PartnerPrice = Omit<Row<typeof prices>, 'steps'> & { readonly steps: readonly PriceStep[] }

const PRICES_MAX = 10_000

const whole = (amount: Kobo | null): number | null => (amount === null ? null : Number(amount))
const amountOf = (stored: number | null): Kobo | null => (stored === null ? null : kobo(BigInt(stored)))

export const insertPrice = (tx: Tx, price: PartnerPrice): void =>
  prices.insert(tx, [
    {
      ...price,
      steps: price.steps.map(({ upTo, basisPoints, flat, cap }) => ({
        upTo: whole(upTo),
        basisPoints,
        flat: Number(flat),
        cap: whole(cap),
      })),
    },
  ])

/** The prices of one partner or all, newest first. */
export async function selectPrices(db: Db, partner: string | null): Promise<readonly PartnerPrice[]> {
  const rows = await db<Row<typeof prices>[]>`
    select ${prices.columns} from partner_price
     where ${partner}::text is null or partner = ${partner}::text
     order by valid_from desc, id desc limit ${PRICES_MAX}`
  return rows.map((row) => ({
    ...row,
    steps: row.steps.map(({ upTo, basisPoints, flat, cap }) => ({
      upTo: amountOf(upTo),
      basisPoints,
      flat: kobo(BigInt(flat)),
      cap: amountOf(cap),
    })),
  }))
}

/** Entries of some days grouped by partner, kind, method, day and amount. */
export interface EntryGroup {
  readonly partner: string
  readonly kind: 'PAYMENT' | 'COST'
  readonly method: string
  readonly day: number
  readonly amount: Kobo
  readonly count: bigint
  readonly income: Kobo
}

export const selectEntryGroups = (db: Db, partner: string | null, from: number, to: number): Promise<EntryGroup[]> =>
  db<EntryGroup[]>`
    select partner, kind, method, day, amount, count(*), sum(income)::bigint as income
      from reconciliation_entry
     where (${partner}::text is null or partner = ${partner}::text) and day between ${from} and ${to}
     group by partner, kind, method, day, amount`

/** A payment that a partner charged a fee for. */
export interface Charged {
  readonly partner: string
  readonly merchantId: bigint
  /** The journal's key. */
  readonly key: string
  readonly method: string
  readonly day: number
  readonly amount: Kobo
  readonly charged: Kobo
}

/** A day's payments that a partner charged a fee for, matched by reference; oldest first. */
export const selectCharged = (db: Db, partner: string, day: number): Promise<Charged[]> =>
  db<Charged[]>`
    with fees as (
      select p.merchant_id, p.key, -sum(c.amount)::bigint as charged
        from reconciliation_entry p
       cross join lateral unnest(p.named) n (name)
        join (select e.merchant_id, e.amount, m.name from reconciliation_entry e
               cross join lateral unnest(e.named) m (name)
               where e.partner = ${partner} and e.day between ${day - 1}::integer and ${day + 1}::integer and e.kind = 'COST') c
          on c.merchant_id = p.merchant_id and c.name = n.name
       where p.partner = ${partner} and p.day = ${day} and p.kind = 'PAYMENT'
       group by p.merchant_id, p.key)
    select p.partner, p.merchant_id, p.key, p.method, p.day, p.amount, f.charged
      from fees f
      join reconciliation_entry p on p.partner = ${partner} and p.merchant_id = f.merchant_id and p.key = f.key
     order by p.merchant_id, p.key`
