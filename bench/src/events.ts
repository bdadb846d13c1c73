import { setTimeout as pause } from 'node:timers/promises'
import * as contract from '@kobo/contract'
import type { Bench, Measure, Race, Runners } from './benchmark.ts'
import { comparedWithPgbench, TPC_B } from './beside-pgbench.ts'
import { type AccountNumber, openPayable, payInto } from './credits.ts'
import { load } from './load.ts'
import { login } from './merchant.ts'
import { type Receiver, startJobQueue, startReceiver } from './processes.ts'

const ACCOUNTS_A_SECOND = 5_000
const BACKLOG = 5_000
/** The number of concurrent deliveries per endpoint. */
const LOOP_CONNECTIONS = 16
const POLL_MILLISECONDS = 10
const DELIVERED_SECONDS_MAX = 120
/** An event about as long as that of a payment. */
const EVENT = { eventType: 'SUCCESSFUL_TRANSACTION', eventData: { text: 'x'.repeat(1_000) } }
const EVENT_BODY = JSON.stringify(EVENT)

/** Waits until enough events have arrived. */
export async function delivered({ count }: Receiver, expected: number): Promise<void> {
  const deadline = performance.now() + DELIVERED_SECONDS_MAX * 1_000
  while ((await count()) < expected) {
    if (performance.now() > deadline) throw new Error('events do not arrive')
    await pause(POLL_MILLISECONDS)
  }
}

/** Measures credits to PAID until their last event is delivered, compared with TPC-B. */
export const creditWithEvent: Race = {
  baseline: TPC_B,
  ours: 'credits to PAID with their events delivered',
  open: async (bench) => {
    const { gateway, seconds } = bench
    const merchant = await login(gateway)
    const receiver = await startReceiver()
    await merchant.call(contract.changeSettings, { body: { webhookUrl: receiver.url } })
    let accounts: readonly AccountNumber[] = []
    return comparedWithPgbench(bench, {
      prepare: async (n) => {
        accounts = await openPayable(gateway, merchant, `with-event-${n}`, Math.ceil(ACCOUNTS_A_SECOND * seconds))
      },
      ours: async (): Promise<Measure> => {
        const before = await receiver.count()
        const started = performance.now()
        const paid = await payInto(gateway, accounts, { requestsMax: accounts.length, secondsMax: seconds })
        await delivered(receiver, before + paid.requests)
        return { ...paid, perSecond: (paid.requests / (performance.now() - started)) * 1_000 }
      },
      close: receiver.stop,
    })
  },
}

/** Posts to the receiver in a loop, and does nothing else. */
const bareLoop = ({ url }: Receiver, seconds: number): Promise<Measure> =>
  load({
    url,
    connections: LOOP_CONNECTIONS,
    requestsMax: Number.MAX_SAFE_INTEGER,
    secondsMax: seconds,
    request: () => ({ method: 'POST', url: '/', headers: { 'content-type': 'application/json' }, body: EVENT_BODY }),
  })

/** Measures how fast a backlog of events is sent once the endpoint responds again, compared with another sender. */
const drained = (
  baseline: string,
  openBaseline: (bench: Bench, receiver: Receiver) => Promise<Pick<Runners, 'baseline' | 'close'>>,
): Race => ({
  baseline,
  ours: `events of a backlog of ${BACKLOG}`,
  open: async (bench) => {
    const { gateway } = bench
    const merchant = await login(gateway)
    const receiver = await startReceiver()
    await merchant.call(contract.changeSettings, { body: { webhookUrl: receiver.url } })
    const other = await openBaseline(bench, receiver)
    return {
      baseline: other.baseline,
      ours: async (n): Promise<Measure> => {
        const accounts = await openPayable(gateway, merchant, `drained-${n}`, BACKLOG)
        await receiver.shut()
        const expected = (await receiver.count()) + BACKLOG
        await payInto(gateway, accounts, { requestsMax: BACKLOG })
        return timeBacklog(receiver, expected, receiver.open)
      },
      close: async () => {
        await other.close?.()
        await receiver.stop()
      },
    }
  },
})

/** Starts the delivery of a backlog; returns its rate until the last delivery. */
async function timeBacklog(receiver: Receiver, expected: number, start: () => Promise<unknown>): Promise<Measure> {
  const started = performance.now()
  await start()
  await delivered(receiver, expected)
  return { requests: BACKLOG, perSecond: (BACKLOG / (performance.now() - started)) * 1_000 }
}

export const eventsDrained = drained(
  `bare POST loop over ${LOOP_CONNECTIONS} connections`,
  async ({ seconds }, receiver) => ({ baseline: () => bareLoop(receiver, seconds) }),
)

/** Compares events with the jobs of another library on the same PostgreSQL server. */
const comparedWithJobQueue = (library: string): Race =>
  drained(`jobs of ${library} that post as much`, async ({ pgbenchUrl }, receiver) => {
    const queue = await startJobQueue(library, pgbenchUrl, receiver.url)
    return {
      baseline: async () => {
        if (queue === undefined) return undefined
        await queue.add(Array.from({ length: BACKLOG }, () => EVENT))
        const measured = await timeBacklog(receiver, (await receiver.count()) + BACKLOG, queue.start)
        await queue.finish()
        return measured
      },
      ...(queue === undefined ? {} : { close: queue.stop }),
    }
  })

export const eventsComparedWithPgBoss = comparedWithJobQueue('pg-boss')
export const eventsComparedWithGraphileWorker = comparedWithJobQueue('graphile-worker')
