import { type Kobo, kobo } from '../../../kernel/money.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { accounts, RAILS } from './accounts.ts'
import { BALANCES } from './balances.ts'

/** A partner's balance in our ledger, over all merchants. */
export interface PartnerBalances {
  /** Null for ledger entries that name no partner. */
  readonly partner: string | null
  /** Money received minus money sent; negative if more was sent. */
  readonly held: Kobo
  /** The partner's balance by rail; `returns` has rejected credits minus returned ones, `bank charges` its fees. */
  readonly byRail: Readonly<Record<string, Kobo>>
  /** The part that belongs to payers whose credits were not accepted. */
  readonly suspense: Kobo
  /** The fees that the partner reported. */
  readonly costs: Kobo
}

interface Sum {
  readonly partner: string | null
  readonly kind: 'clearing' | 'suspense' | 'costs'
  readonly rail: string
  readonly balance: bigint
}

/** Reads each partner's balance in our ledger, to compare with its statement. Leaves out the operator's own account. */
export async function partnerBalances(db: Db): Promise<readonly PartnerBalances[]> {
  const sums = await db<Sum[]>`
    -- over all merchants: Kobo's totals are sums
    with named as (
      select split_part(code, '/', 1) as kind, split_part(code, '/', 2) as second, split_part(code, '/', 3) as third, balance
        from ${BALANCES} account
       where (code like 'clearing/%' or code like 'suspense/%' or code like 'costs/%') and code <> ${accounts.clearing('own')})
    select kind, case when third <> '' then third when kind = 'clearing' and second = any(${RAILS}::text[]) then null else second end as partner,
           case when kind = 'clearing' and second = any(${RAILS}::text[]) then second else 'returns' end as rail,
           sum(balance)::bigint as balance
      from named
     group by 1, 2, 3
     order by 2, 1, 3`
  return [...Map.groupBy(sums, ({ partner }) => partner)].map(([partner, all]) => {
    const clearing = all.filter(({ kind }) => kind === 'clearing')
    const total = (some: readonly Sum[]): bigint => some.reduce((sum, { balance }) => sum + balance, 0n)
    // Every fee was also booked on the partner's `returns` clearing account.
    const spent = total(all.filter(({ kind }) => kind === 'costs'))
    const byRail = clearing.map(({ rail, balance }): [string, Kobo] => [
      rail,
      kobo(rail === 'returns' ? -balance - spent : -balance),
    ])
    return {
      partner,
      held: kobo(-total(clearing)),
      byRail: Object.fromEntries(
        spent === 0n ? byRail : [...byRail.filter(([, amount]) => amount !== 0n), ['bank charges', kobo(spent)]],
      ),
      suspense: kobo(total(all.filter(({ kind }) => kind === 'suspense'))),
      costs: kobo(-spent),
    }
  })
}

/** Our debts according to the ledger, over all merchants. */
export interface Owed {
  /** Merchants' own money. */
  readonly wallets: Kobo
  /** Money collected and not yet settled. */
  readonly payable: Kobo
  /** Money that is leaving us or held for a dispute. */
  readonly 'in flight': Kobo
  /** Money withheld to cover disputes. */
  readonly reserve: Kobo
  /** Money of payers whose credits were not accepted. */
  readonly suspense: Kobo
}

/** The money that partners hold, compared with the money that is owed to merchants and payers. */
export interface Safeguarding {
  readonly partners: readonly PartnerBalances[]
  readonly held: Kobo
  readonly owed: Owed
  readonly owedInAll: Kobo
  /** If negative, merchants' money is missing. A merchant's debt does not reduce the money of other merchants. */
  readonly surplus: Kobo
}

export async function safeguarding(db: Db): Promise<Safeguarding> {
  const partners = await partnerBalances(db)
  const sums = await db<{ kind: keyof Owed; balance: bigint }[]>`
    -- over all merchants: Kobo's totals are sums
    select kind, sum(balance)::bigint as balance
      from (select case when code like 'wallet/%' then 'wallets'
                        when code = 'payable' or code like 'payable/%' then 'payable'
                        when code like 'in-flight/%' then 'in flight'
                        when code = 'reserve' then 'reserve'
                        when code like 'suspense/%' then 'suspense' end as kind, balance
              from ${BALANCES} account) named
     where kind is not null
     group by kind`
  const of = (kind: keyof Owed): Kobo => kobo(sums.find((one) => one.kind === kind)?.balance ?? 0n)
  const owed: Owed = {
    wallets: of('wallets'),
    payable: of('payable'),
    'in flight': of('in flight'),
    reserve: of('reserve'),
    suspense: of('suspense'),
  }
  const held = kobo(partners.reduce((sum, one) => sum + one.held, 0n))
  const owedInAll = kobo(Object.values(owed).reduce((sum, amount: Kobo) => sum + amount, 0n))
  return { partners, held, owed, owedInAll, surplus: kobo(held - owedInAll) }
}
