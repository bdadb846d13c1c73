import type { Race } from './benchmark.ts'
import { comparedWithPgbench, TPC_B } from './beside-pgbench.ts'
import { type AccountNumber, openPayable, payInto } from './credits.ts'
import { login } from './merchant.ts'

const ACCOUNTS_A_SECOND = 6_000

/** Compares credits that make a transaction PAID (each with payment, journal, balances and event) with TPC-B. */
const credits = (connections: number): Race => ({
  baseline: TPC_B,
  ours: `credits to PAID over ${connections} connections`,
  open: async (bench) => {
    const { gateway, seconds } = bench
    const merchant = await login(gateway)
    let accounts: readonly AccountNumber[] = []
    return comparedWithPgbench(bench, {
      prepare: async (n) => {
        accounts = await openPayable(
          gateway,
          merchant,
          `inbound-${connections}-${n}`,
          Math.ceil(ACCOUNTS_A_SECOND * seconds),
        )
      },
      ours: () => payInto(gateway, accounts, { connections, requestsMax: accounts.length, secondsMax: seconds }),
    })
  },
})

export const inboundCredit = credits(64)
export const inboundCreditOf256 = credits(256)
