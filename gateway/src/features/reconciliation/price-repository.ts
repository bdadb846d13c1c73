import type { PriceStep } from '../../core/pricing/index.ts'
import { type Kobo, kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'

/** A price step as stored in JSON, with amounts in kobo. */
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

/** A partner's price, valid from a given time. */
export type PartnerPrice = Omit<Row<typeof prices>, 'steps'> & { readonly steps: readonly PriceStep[] }

const PRICES_MAX = 10_000

const toNumber = (amount: Kobo | null): number | null => (amount === null ? null : Number(amount))
const amountOf = (stored: number | null): Kobo | null => (stored === null ? null : kobo(BigInt(stored)))

export const insertPrice = (tx: Tx, price: PartnerPrice): void =>
  prices.insert(tx, [
    {
      ...price,
      steps: price.steps.map(({ upTo, basisPoints, flat, cap }) => ({
        upTo: toNumber(upTo),
        basisPoints,
        flat: Number(flat),
        cap: toNumber(cap),
      })),
    },
  ])

/** Returns the prices of one partner or all, newest first. */
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

/** A group of entries with the same partner, kind, method, day and amount. */
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
  readonly key: string
  readonly method: string
  readonly day: number
  readonly amount: Kobo
  readonly charged: Kobo
}

/**
 * Finds a day's payments that a partner charged a fee for. Payment and fee have a reference in common. The partner
 * reported the fee, or it is only on the statement.
 */
export const selectCharged = (db: Db, partner: string, day: number): Promise<Charged[]> =>
  db<Charged[]>`
    with costs as (
      select e.merchant_id, e.key as id, e.amount, e.named
        from reconciliation_entry e
       where e.partner = ${partner} and e.day between ${day - 1}::integer and ${day + 1}::integer and e.kind = 'COST'
       union all
      select null, l.id::text, l.amount, array_append(l.named, l.bank_reference)
        from statement_line l
        join reconciliation_item i on i.partner = l.partner and i.id = l.item_id
       where l.partner = ${partner} and l.day between ${day - 1}::integer and ${day + 1}::integer
         and l.is_fee and i.reason = 'UNBOOKED_FEE'),
    fees as (
      select merchant_id, key, -sum(amount)::bigint as charged
        from (select distinct p.merchant_id, p.key, c.id, c.amount -- payment and fee may have several references in common
                from reconciliation_entry p
               cross join lateral unnest(p.named) n (name)
                join (select k.merchant_id, k.id, k.amount, m.name from costs k cross join lateral unnest(k.named) m (name)) c on c.name = n.name
               where p.partner = ${partner} and p.day = ${day} and p.kind = 'PAYMENT'
                 and (c.merchant_id is null or c.merchant_id = p.merchant_id)) found
       group by merchant_id, key)
    select p.partner, p.merchant_id, p.key, p.method, p.day, p.amount, f.charged
      from fees f
      join reconciliation_entry p on p.partner = ${partner} and p.merchant_id = f.merchant_id and p.key = f.key
     order by p.merchant_id, p.key`
