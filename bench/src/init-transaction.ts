import * as contract from '@kobo/contract'
import { type Bench, type Finding, median } from './benchmark.ts'
import { type LoadResult, load } from './load.ts'
import { aTransaction, login } from './merchant.ts'
import { startNoOp } from './processes.ts'

const CONNECTIONS = 64

/** Durable init-transactions beside a route that checks the same body and does nothing. */
export async function initTransaction({ gateway, seconds, rounds, progress }: Bench): Promise<Finding> {
  const noOp = await startNoOp()
  const merchant = await login(gateway)
  const round = (url: string, name: string): Promise<LoadResult> =>
    load({
      url,
      connections: CONNECTIONS,
      requestsMax: Number.MAX_SAFE_INTEGER,
      secondsMax: seconds,
      request: (nth) =>
        merchant.request(contract.initTransaction, aTransaction(gateway.credentials.contractCode, `${name}-${nth}`)),
    })
  await round(noOp.url, 'warm')
  await round(gateway.url, 'warm')
  const pairs: { base: LoadResult; ours: LoadResult }[] = []
  for (let n = 1; n <= rounds; n++) {
    progress(`round ${n} of ${rounds}`)
    pairs.push({ base: await round(noOp.url, `no-op-${n}`), ours: await round(gateway.url, `init-${n}`) })
  }
  await noOp.stop()
  const bad = pairs.reduce((sum, { ours }) => sum + ours.requests - (ours.statuses[200] ?? 0), 0)
  return {
    name: 'init-transaction',
    figures: {
      'no-op route, requests a second': median(pairs.map(({ base }) => base.perSecond)).toFixed(0),
      'init-transaction, requests a second': median(pairs.map(({ ours }) => ours.perSecond)).toFixed(0),
      ratio: median(pairs.map(({ base, ours }) => ours.perSecond / base.perSecond)).toFixed(2),
      'p50 / p99 of init-transaction, milliseconds': `${median(pairs.map(({ ours }) => ours.p50Milliseconds)).toFixed(1)} / ${median(pairs.map(({ ours }) => ours.p99Milliseconds)).toFixed(1)}`,
      'answers other than 200': String(bad),
    },
  }
}
