import pg from 'pg'
import type { Measure, Race } from './benchmark.ts'
import { type AccountNumber, openPayable, payInto } from './credits.ts'
import { login } from './merchant.ts'

const ACCOUNTS_A_SECOND = 5_000

/** Measures credits while a snapshot is open, as during a backup, compared with credits without one. */
export const longSnapshot: Race = {
  baseline: 'credits to PAID',
  ours: 'credits to PAID under a long snapshot',
  open: async ({ gateway, databaseUrl, seconds }) => {
    const merchant = await login(gateway)
    const client = new pg.Client(databaseUrl)
    await client.connect()
    const halves: (readonly AccountNumber[])[] = []
    const pay = (half: number): Promise<Measure> => {
      const accounts = halves[half] ?? []
      return payInto(gateway, accounts, { requestsMax: accounts.length, secondsMax: seconds })
    }
    return {
      prepare: async (n) => {
        for (const half of [0, 1])
          halves[half] = await openPayable(
            gateway,
            merchant,
            `snapshot-${n}-${half}`,
            Math.ceil(ACCOUNTS_A_SECOND * seconds),
          )
      },
      baseline: () => pay(0),
      ours: async () => {
        await client.query('begin isolation level repeatable read')
        await client.query('select count(*) from merchant') // the first query takes the snapshot
        const measured = await pay(1)
        await client.query('commit')
        return measured
      },
      close: () => client.end(),
    }
  },
}
