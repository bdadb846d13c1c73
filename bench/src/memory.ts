import * as contract from '@kobo/contract'
import type { Look } from './benchmark.ts'
import { load } from './load.ts'
import { aTransaction, login } from './merchant.ts'

const CONNECTIONS = 64
const REQUESTS = 200_000
const STEPS = 8

/** What the gateway's process takes in memory as requests go on. */
export const memory: Look = async ({ gateway, progress }) => {
  const merchant = await login(gateway)
  const megabytes: number[] = []
  for (let step = 1; step <= STEPS; step++) {
    progress(`${(step * REQUESTS) / STEPS} requests`)
    await load({
      url: gateway.url,
      connections: CONNECTIONS,
      requestsMax: REQUESTS / STEPS,
      secondsMax: 300,
      request: (nth) =>
        merchant.request(
          contract.initTransaction,
          aTransaction(gateway.credentials.contractCode, `memory-${step}-${nth}`),
        ),
    })
    megabytes.push((await gateway.rssBytes()) / 1_000_000)
  }
  return {
    [`resident after each ${REQUESTS / STEPS} requests, MB`]: megabytes.map((mb) => mb.toFixed(0)).join(' '),
  }
}
