import { type Kobo, kobo } from '../../../kernel/money.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { RAILS } from './accounts.ts'
import { BALANCES } from './balances.ts'

/** A partner's balance by our ledger, over all merchants. */
export interface PartnerBalances {
  /** Null for entries without a partner. */
  readonly partner: string | null
  /** Money in less money out; negative if more went out. */
  readonly held: Kobo
  /** The same by rail; `returns` is rejected credits less returned ones, and costs. */
  readonly byRail: Readonly<Record<string, Kobo>>
  /** The part owed to payers. */
  readonly suspense: Kobo
  /** The fees it reported. */
  readonly costs: Kobo
}

interface Sum {
  readonly partner: string | null
  readonly kind: 'clearing' | 'suspense' | 'costs'
  readonly rail: string
  readonly balance: bigint
}

/** Each partner's balance by our ledger, to compare with its statement. */
export async function partnerBalances(db: Db): Promise<readonly PartnerBalances[]> {
  const sums = await db<Sum[]>`
    -- over all merchants: Kobo's totals are sums
    with named as (
      select split_part(code, '/', 1) as kind, split_part(code, '/', 2) as second, split_part(code, '/', 3) as third, balance
        from ${BALANCES} account
       where code like 'clearing/%' or code like 'suspense/%' or code like 'costs/%')
    select kind, case when third <> '' then third when kind = 'clearing' and second = any(${RAILS}::text[]) then null else second end as partner,
           case when kind = 'clearing' and second = any(${RAILS}::text[]) then second else 'returns' end as rail,
           sum(balance)::bigint as balance
      from named
     group by 1, 2, 3
     order by 2, 1, 3`
  return [...Map.groupBy(sums, ({ partner }) => partner)].map(([partner, all]) => {
    const clearing = all.filter(({ kind }) => kind === 'clearing')
    const total = (some: readonly Sum[]): bigint => some.reduce((sum, { balance }) => sum + balance, 0n)
    return {
      partner,
      held: kobo(-total(clearing)),
      byRail: Object.fromEntries(clearing.map(({ rail, balance }) => [rail, kobo(-balance)])),
      suspense: kobo(total(all.filter(({ kind }) => kind === 'suspense'))),
      costs: kobo(-total(all.filter(({ kind }) => kind === 'costs'))),
    }
  })
}
