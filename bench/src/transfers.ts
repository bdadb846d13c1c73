import * as contract from '@kobo/contract'
import { type Bench, type Finding, median } from './benchmark.ts'
import { type LoadRequest, type LoadResult, load } from './load.ts'
import { login, type Merchant } from './merchant.ts'
import { pgbench, type RunningGateway } from './processes.ts'

const CONNECTIONS = 64
const ACCOUNTS = 100
const FUNDS = 1_000_000_000

/** Transfers that are accepted, sent and told of, with their money taken and gone, beside PostgreSQL's own TPC-B. */
export async function transfers({ gateway, pgbenchUrl, seconds, rounds, progress }: Bench): Promise<Finding> {
  const merchant = await login(gateway)
  const request = await openTransfers(gateway, merchant)
  const round = (name: string): Promise<LoadResult> =>
    load({
      url: gateway.url,
      connections: CONNECTIONS,
      requestsMax: Number.MAX_SAFE_INTEGER,
      secondsMax: seconds,
      request: (nth) => request(name, nth),
      onAnswer: (_, body) => {
        if (!body.includes('"SUCCESS"')) throw new Error(body)
      },
    })
  await round('warm')
  const sent: LoadResult[] = []
  const baselines: number[] = []
  for (let n = 1; n <= rounds; n++) {
    progress(`round ${n} of ${rounds}: sending`)
    sent.push(await round(`round-${n}`))
    progress(`round ${n} of ${rounds}: pgbench`)
    const tps = await pgbench(pgbenchUrl, seconds, false)
    if (tps !== undefined) baselines.push(tps)
  }
  const ratios = sent.flatMap(({ perSecond }, n) => (baselines[n] === undefined ? [] : perSecond / baselines[n]))
  return {
    name: 'transfers',
    figures: {
      'pgbench TPC-B (prepared, 16 clients), a second':
        baselines.length === 0 ? 'not measured' : median(baselines).toFixed(0),
      'transfers to SUCCESS, a second': median(sent.map(({ perSecond }) => perSecond)).toFixed(0),
      ratio: ratios.length === 0 ? 'not measured' : median(ratios).toFixed(2),
      'p50 / p99 of a transfer, milliseconds': `${median(sent.map(({ p50Milliseconds }) => p50Milliseconds)).toFixed(1)} / ${median(sent.map(({ p99Milliseconds }) => p99Milliseconds)).toFixed(1)}`,
    },
  }
}

/** Makes ready to send: no codes, money in the wallet, and accounts whose holders are known. */
async function openTransfers(
  gateway: RunningGateway,
  merchant: Merchant,
): Promise<(name: string, nth: number) => LoadRequest> {
  await merchant.call(contract.changeSettings, { body: { otpEnabled: false } })
  await merchant.call(contract.fundWallet, { body: { amount: FUNDS } })
  const accounts = await Promise.all(
    Array.from({ length: ACCOUNTS }, (_, n) =>
      merchant.call(contract.validateAccount, {
        query: { accountNumber: `${1_000_000 + n}789`, bankCode: '058' },
      }),
    ),
  )
  let made = 0
  return (name, nth) => {
    const account = accounts[made % ACCOUNTS]
    return merchant.request(contract.initiateTransfer, {
      body: {
        amount: ((made++ % 1_000_000) + 2_000) / 100, // never the same twice: that would be taken for a mistake
        reference: `${name}-${nth}`,
        narration: 'Rent for March',
        destinationBankCode: '058',
        destinationAccountNumber: account?.accountNumber ?? '',
        destinationAccountName: account?.accountName ?? '',
        currency: 'NGN',
        sourceAccountNumber: gateway.credentials.walletAccountNumber,
      },
    })
  }
}
