import * as contract from '@kobo/contract'
import { type LoadResult, load } from './load.ts'
import { type Bench, type Finding, median } from './main.ts'
import { initRequest, login } from './merchant.ts'
import { pgbench } from './processes.ts'

const CONNECTIONS = 64
const ACCOUNTS_A_ROUND = 20_000

/** Credits that make a transaction PAID, with payment, journal, balances and event, beside PostgreSQL's own TPC-B. */
export async function inboundCredit({ gateway, pgbenchUrl, seconds, rounds, progress }: Bench): Promise<Finding> {
  const headers = await login(gateway)
  const credits: LoadResult[] = []
  const baselines: number[] = []
  for (let n = 1; n <= rounds; n++) {
    progress(`round ${n} of ${rounds}: opening accounts`)
    const accounts = await openAccounts(`round-${n}`)
    progress(`round ${n} of ${rounds}: paying`)
    credits.push(
      await load({
        url: gateway.url,
        connections: CONNECTIONS,
        requestsMax: accounts.length,
        secondsMax: seconds,
        request: (nth) => ({
          method: 'POST',
          path: contract.payIntoAccount.path,
          body: JSON.stringify({
            bankCode: accounts[nth]?.bankCode,
            accountNumber: accounts[nth]?.accountNumber,
            amount: 9_000,
          }),
        }),
        onAnswer: (_, body) => {
          if (!body.includes('ACCEPTED')) throw new Error(body)
        },
      }),
    )
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

  async function openAccounts(name: string): Promise<readonly { bankCode: string; accountNumber: string }[]> {
    const references: string[] = []
    await load({
      url: gateway.url,
      connections: CONNECTIONS,
      requestsMax: ACCOUNTS_A_ROUND,
      secondsMax: 120,
      request: (nth) => initRequest(gateway.credentials.contractCode, headers, `${name}-${nth}`),
      onAnswer: (_, body) => references.push(JSON.parse(body).responseBody.transactionReference),
    })
    const accounts: { bankCode: string; accountNumber: string }[] = []
    await load({
      url: gateway.url,
      connections: CONNECTIONS,
      requestsMax: references.length,
      secondsMax: 120,
      request: (nth) => ({
        method: 'POST',
        path: contract.initBankTransfer.path,
        headers,
        body: JSON.stringify({ transactionReference: references[nth] }),
      }),
      onAnswer: (_, body) => accounts.push(JSON.parse(body).responseBody),
    })
    return accounts
  }
}
