import { type Bench, type Finding, median } from './benchmark.ts'
import { openOneTimeAccounts, payInto } from './credits.ts'
import type { LoadResult } from './load.ts'
import { login } from './merchant.ts'
import { pgbench } from './processes.ts'

const ACCOUNTS_A_ROUND = 20_000

/** Credits that make a transaction PAID, with payment, journal, balances and event, beside PostgreSQL's own TPC-B. */
export async function inboundCredit({ gateway, pgbenchUrl, seconds, rounds, progress }: Bench): Promise<Finding> {
  const merchant = await login(gateway)
  const credits: LoadResult[] = []
  const baselines: number[] = []
  for (let n = 1; n <= rounds; n++) {
    progress(`round ${n} of ${rounds}: opening accounts`)
    const accounts = await openOneTimeAccounts(gateway, merchant, `inbound-round-${n}`, ACCOUNTS_A_ROUND)
    progress(`round ${n} of ${rounds}: paying`)
    credits.push(await payInto(gateway, accounts, accounts.length, seconds))
    progress(`round ${n} of ${rounds}: pgbench`)
    const tps = await pgbench(pgbenchUrl, seconds, false)
    if (tps !== undefined) baselines.push(tps)
  }
  const ratios = credits.flatMap(({ perSecond }, n) => (baselines[n] === undefined ? [] : perSecond / baselines[n]))
  return {
    name: 'inbound-credit',
    figures: {
      'pgbench TPC-B (prepared, 16 clients), a second':
        baselines.length === 0 ? 'not measured' : median(baselines).toFixed(0),
      'credits to PAID, a second': median(credits.map(({ perSecond }) => perSecond)).toFixed(0),
      ratio: ratios.length === 0 ? 'not measured' : median(ratios).toFixed(2),
      'p50 / p99 of a credit, milliseconds': `${median(credits.map(({ p50Milliseconds }) => p50Milliseconds)).toFixed(1)} / ${median(credits.map(({ p99Milliseconds }) => p99Milliseconds)).toFixed(1)}`,
    },
  }
}
