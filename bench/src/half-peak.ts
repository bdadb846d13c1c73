import * as contract from '@kobo/contract'
import { median, type PlainBenchmark } from './benchmark.ts'
import { openPayable, payInto } from './credits.ts'
import { delivered } from './events.ts'
import type { LoadResult } from './load.ts'
import { login } from './merchant.ts'
import { startReceiver } from './processes.ts'

const ACCOUNTS_A_SECOND = 5_000

/**
 * Measures the latency of credits at half of the peak rate while their events are delivered, and of credits that are
 * sent one after the other.
 */
export const halfPeak: PlainBenchmark = async ({ gateway, seconds, rounds, progress }) => {
  const merchant = await login(gateway)
  const receiver = await startReceiver()
  try {
    await merchant.call(contract.changeSettings, { body: { webhookUrl: receiver.url } })
    const found: { readonly alone: LoadResult; readonly half: LoadResult }[] = []
    for (let n = 1; n <= rounds; n++) {
      progress(`round ${n} of ${rounds}`)
      const count = Math.ceil(ACCOUNTS_A_SECOND * seconds)
      const accounts = await openPayable(gateway, merchant, `half-peak-${n}`, 3 * count)
      const before = await receiver.count()
      const peak = await payInto(gateway, accounts.slice(0, count), { requestsMax: count, secondsMax: seconds })
      // Waits until the events of the peak are delivered, so that they do not disturb the next measurement.
      await delivered(receiver, before + peak.requests)
      const alone = await payInto(gateway, accounts.slice(count), {
        requestsMax: count,
        secondsMax: seconds,
        connections: 1,
      })
      const half = await payInto(gateway, accounts.slice(2 * count), {
        requestsMax: count,
        secondsMax: seconds,
        paceASecond: peak.perSecond / 2,
      })
      found.push({ alone, half })
    }
    const medianText = (of: (one: (typeof found)[number]) => number, digits = 1): string =>
      median(found.map(of)).toFixed(digits)
    return {
      'credits a second, half of the most': medianText(({ half }) => half.perSecond, 0),
      'p50 / p99, milliseconds': `${medianText(({ half }) => half.p50Milliseconds)} / ${medianText(({ half }) => half.p99Milliseconds)}`,
      'one after the other: p50 / p99': `${medianText(({ alone }) => alone.p50Milliseconds)} / ${medianText(({ alone }) => alone.p99Milliseconds)}`,
    }
  } finally {
    await receiver.stop()
  }
}
