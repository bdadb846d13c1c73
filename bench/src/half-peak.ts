import * as contract from '@kobo/contract'
import { type Look, median } from './benchmark.ts'
import { openPayable, payInto } from './credits.ts'
import { delivered } from './events.ts'
import { login } from './merchant.ts'
import { startReceiver } from './processes.ts'

const ACCOUNTS_A_SECOND = 5_000

/** How long credits take at half of the rate that is the most, while their events are delivered. */
export const halfPeak: Look = async ({ gateway, seconds, rounds, progress }) => {
  const merchant = await login(gateway)
  const receiver = await startReceiver()
  try {
    await merchant.call(contract.changeSettings, { body: { webhookUrl: receiver.url } })
    const found: { readonly rate: number; readonly p50: number; readonly p99: number }[] = []
    for (let n = 1; n <= rounds; n++) {
      progress(`round ${n} of ${rounds}`)
      const count = Math.ceil(ACCOUNTS_A_SECOND * seconds)
      const accounts = await openPayable(gateway, merchant, `half-peak-${n}`, 2 * count)
      const before = await receiver.count()
      const peak = await payInto(gateway, accounts.slice(0, count), { requestsMax: count, secondsMax: seconds })
      // What the most has left to be told is none of what half of it takes.
      await delivered(receiver, before + peak.requests)
      const paceASecond = peak.perSecond / 2
      const half = await payInto(gateway, accounts.slice(count), {
        requestsMax: count,
        secondsMax: seconds,
        paceASecond,
      })
      found.push({ rate: half.perSecond, p50: half.p50Milliseconds, p99: half.p99Milliseconds })
    }
    const middle = (of: (one: (typeof found)[number]) => number, digits: number): string =>
      median(found.map(of)).toFixed(digits)
    return {
      'credits a second, half of the most': middle(({ rate }) => rate, 0),
      'p50 / p99, milliseconds': `${middle(({ p50 }) => p50, 1)} / ${middle(({ p99 }) => p99, 1)}`,
    }
  } finally {
    await receiver.stop()
  }
}
