import * as contract from '@kobo/contract'
import type { Race } from './benchmark.ts'
import { type AccountNumber, callOften, openPayable, payInto } from './credits.ts'
import { login, type Merchant } from './merchant.ts'
import type { RunningGateway } from './processes.ts'

const CREDITS_A_ROUND = 20_000
const RESERVED_ACCOUNTS = 2_000
const WIDE = 9_999_999_999_999

/** Credits to reserved accounts that have a split and a limit profile, beside credits to plain one-time accounts. */
export const reservedCredit: Race = {
  baseline: 'credits to one-time accounts',
  ours: 'credits to reserved ones, split and limited',
  open: async ({ gateway, seconds }) => {
    const merchant = await login(gateway)
    const reserved = await reserveAccounts(gateway, merchant)
    let plain: readonly AccountNumber[] = []
    return {
      prepare: async (n) => {
        plain = await openPayable(gateway, merchant, `reserved-${n}`, CREDITS_A_ROUND)
      },
      baseline: () => payInto(gateway, plain, { requestsMax: CREDITS_A_ROUND, secondsMax: seconds }),
      ours: () => payInto(gateway, reserved, { requestsMax: CREDITS_A_ROUND, secondsMax: seconds }),
    }
  },
}

async function reserveAccounts(gateway: RunningGateway, merchant: Merchant): Promise<readonly AccountNumber[]> {
  const { contractCode } = gateway.credentials
  const [subAccount] = await merchant.call(contract.createSubAccounts, {
    body: {
      currencyCode: 'NGN',
      bankCode: '058',
      accountNumber: '0123456789',
      email: 'partner@example.com',
      defaultSplitPercentage: 20,
    },
  })
  const { limitProfileCode } = await merchant.call(contract.createLimitProfile, {
    body: {
      limitProfileName: 'Wide',
      singleTransactionValue: WIDE,
      dailyTransactionValue: WIDE,
      dailyTransactionVolume: 1_000_000,
    },
  })
  const reserved = await callOften(gateway, merchant, RESERVED_ACCOUNTS, contract.reserveAccountWithLimit, (nth) => ({
    body: {
      accountReference: `customer-${nth}`,
      accountName: 'Ada Obi Stores',
      currencyCode: 'NGN',
      contractCode,
      customerEmail: 'ada@example.com',
      customerName: 'Ada Obi',
      bvn: '22212345678',
      incomeSplitConfig: [{ subAccountCode: subAccount?.subAccountCode ?? '', feeBearer: true, feePercentage: 50 }],
      limitProfileCode,
      metaData: { customer: `customer-${nth}`, channel: 'web' },
    },
  }))
  return reserved.flatMap(({ accounts }) => accounts.slice(0, 1))
}
