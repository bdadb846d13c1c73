import { type Kobo, kobo } from '../../../kernel/money.ts'
import type { Db } from '../../../platform/db.ts'
import { RAILS } from './accounts.ts'
import { BALANCES } from './balances.ts'

/** What the books say that a partner holds for us, over all merchants. */
export interface PartnerBalances {
  /** Null for what was booked before accounts said which partner, or came by nobody who told a name. */
  readonly partner: string | null
  /** What it holds: all that came there less all that went out; below zero where more went out. */
  readonly held: Kobo
  /** The same by the means by which it came or went; `returns` is what was not taken, less what is back, and its costs. */
  readonly byRail: Readonly<Record<string, Kobo>>
  /** What of it is owed to payers. */
  readonly suspense: Kobo
  /** What it kept for itself, of what it told. */
  readonly costs: Kobo
}

interface Sum {
  readonly partner: string | null
  readonly kind: 'clearing' | 'suspense' | 'costs'
  readonly rail: string
  readonly balance: bigint
}

/** What each partner holds for us, as the books say: to be held against its own statement. */
export async function partnerBalances(db: Db): Promise<readonly PartnerBalances[]> {
  const sums = await db<Sum[]>`
    -- over all merchants: the house's totals are sums
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
