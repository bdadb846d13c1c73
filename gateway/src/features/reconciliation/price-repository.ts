import type { PriceStep } from '../../core/money/pricing/index.ts'
import { type Kobo, kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { column, type Row, table } from '../../platform/table.ts'

/** A step as JSON has it: kobo as whole numbers, which are exact. */
interface StoredStep {
  readonly upTo: number | null
  readonly basisPoints: number
  readonly flat: number
  readonly cap: number | null
}

/** What partners charge us. */
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

/** A price of a partner from a time on. */
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

/** The prices of partners, of one or all, the newest first. */
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

/** Entries of some days that are alike: of one partner, kind, method, day and amount. */
export interface Alike {
  readonly partner: string
  readonly kind: 'PAYMENT' | 'COST'
  readonly method: string
  readonly day: number
  readonly amount: Kobo
  readonly count: bigint
  readonly income: Kobo
}

export const selectAlike = (db: Db, partner: string | null, from: number, to: number): Promise<Alike[]> =>
  db<Alike[]>`
    select partner, kind, method, day, amount, count(*), sum(income)::bigint as income
      from reconciliation_entry
     where (${partner}::text is null or partner = ${partner}::text) and day between ${from} and ${to}
     group by partner, kind, method, day, amount`

/** A payment for which a partner took a fee. */
export interface Charged {
  readonly partner: string
  readonly merchantId: bigint
  /** The journal's. */
  readonly key: string
  readonly method: string
  readonly day: number
  readonly amount: Kobo
  readonly charged: Kobo
}

/** The payments of a day for which a partner took a fee, by the name that both have; oldest first. */
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
