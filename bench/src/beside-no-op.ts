import type { Bench, Measure, Runners } from './benchmark.ts'
import { type LoadRequest, load } from './load.ts'
import { login, type Merchant } from './merchant.ts'
import { startNoOp } from './processes.ts'

const CONNECTIONS = 64
/** With fewer requests, V8 is still compiling, and creating a payment takes up to 50 % more processor time. */
const WARM_UP = { requestsMax: 30_000, secondsMax: 60 }

/** Returns the nth request of a named round. */
type Requests = (round: string, nth: number) => LoadRequest

/**
 * Sends the same requests to the gateway and to a route that only validates them and returns a similar response.
 */
export const comparedWithNoOp =
  (open: (bench: Bench, merchant: Merchant) => Promise<Requests>) =>
  async (bench: Bench): Promise<Runners> => {
    const { gateway, seconds } = bench
    const noOp = await startNoOp()
    const request = await open(bench, await login(gateway))
    const round = async (
      url: string,
      name: string,
      bounds = { requestsMax: Number.MAX_SAFE_INTEGER, secondsMax: seconds },
    ): Promise<Measure> => {
      const { statuses, ...measured } = await load({
        url,
        connections: CONNECTIONS,
        ...bounds,
        request: (nth) => request(name, nth),
      })
      if (measured.requests !== statuses[200]) throw new Error(`responses other than 200: ${JSON.stringify(statuses)}`)
      return measured
    }
    await round(noOp.url, 'warm', WARM_UP)
    await round(gateway.url, 'warm', WARM_UP)
    return {
      baseline: (n) => round(noOp.url, `no-op-${n}`),
      ours: (n) => round(gateway.url, `round-${n}`),
      close: noOp.stop,
    }
  }
