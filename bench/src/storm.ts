import * as contract from '@kobo/contract'
import type { PlainBenchmark } from './benchmark.ts'
import type { LoadRequest } from './load.ts'
import { aTransaction, login } from './merchant.ts'

const CONNECTIONS = 64
const REQUESTS = 10_000
const LARGE_BYTES = 60_000

/** Measures the gateway's memory before and after many bad requests: no JSON, too deep, too large, unknown paths. */
export const storm: PlainBenchmark = async ({ gateway, progress }) => {
  const merchant = await login(gateway)
  const { contractCode } = gateway.credentials
  const good = merchant.request(contract.initTransaction, aTransaction(contractCode, 'storm'))
  const bad: readonly LoadRequest[] = [
    { ...good, body: '{"amount": ' },
    { ...good, body: '['.repeat(1_000) },
    { ...good, body: `{"metaData":{"x":"${'y'.repeat(LARGE_BYTES)}"}}` },
    { ...good, body: `[${'0,'.repeat(LARGE_BYTES / 2)}0]` },
    { ...good, headers: { ...good.headers, authorization: 'Bearer nobody' } },
    { ...good, url: '/api/nothing/here' },
    { ...good, body: '{}' },
  ]
  const before = await gateway.rssBytes()
  progress(`${REQUESTS} requests`)
  const statuses: Record<number, number> = {}
  let sent = 0
  const keepSending = async (): Promise<void> => {
    while (sent < REQUESTS) {
      const { method, url, headers, body = '' } = bad[sent++ % bad.length] as LoadRequest
      // A request may need a new connection, because the gateway closes the connection after some bad requests.
      const response = await fetch(new URL(url, gateway.url), { method, headers, body })
      await response.arrayBuffer()
      statuses[response.status] = (statuses[response.status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, keepSending))
  const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(0)
  return {
    'resident before / after, MB': `${megabytes(before)} / ${megabytes(await gateway.rssBytes())}`,
    responses: Object.entries(statuses)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', '),
  }
}
