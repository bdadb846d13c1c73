import * as contract from '@kobo/contract'
import type { Race } from './benchmark.ts'
import { comparedWithPgbench, TPC_B } from './beside-pgbench.ts'
import { type LoadRequest, type LoadResult, load } from './load.ts'
import { login, type Merchant } from './merchant.ts'
import type { RunningGateway } from './processes.ts'

const CONNECTIONS = 64
const ACCOUNTS = 100
const FUNDS = 1_000_000_000

/** Measures transfers until they are sent, booked and reported as successful, compared with TPC-B. */
export const transfers: Race = {
  baseline: TPC_B,
  ours: 'transfers to SUCCESS',
  open: async (bench) => {
    const { gateway, seconds } = bench
    const request = await openTransfers(gateway, await login(gateway))
    const round = (name: string): Promise<LoadResult> =>
      load({
        url: gateway.url,
        connections: CONNECTIONS,
        requestsMax: Number.MAX_SAFE_INTEGER,
        secondsMax: seconds,
        request: (nth) => request(name, nth),
        onResponse: (_, body) => {
          if (!body.includes('"SUCCESS"')) throw new Error(body)
        },
      })
    await round('warm')
    return comparedWithPgbench(bench, { ours: (n) => round(`round-${n}`) })
  },
}

/** Turns OTPs off, funds the wallet and looks up account holders. Returns the request of the nth transfer. */
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
        amount: ((made++ % 1_000_000) + 2_000) / 100, // a repeated amount would look like a duplicate transfer
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
