import * as contract from '@kobo/contract'
import { type Bench, type Finding, median } from './benchmark.ts'
import { callOften, openOneTimeAccounts, payInto } from './credits.ts'
import type { LoadResult } from './load.ts'
import { login } from './merchant.ts'

const CREDITS_A_ROUND = 20_000
const RESERVED_ACCOUNTS = 2_000
const WIDE = 9_999_999_999_999

/** Credits to reserved accounts that have a split and a limit profile, beside credits to plain one-time accounts. */
export async function reservedCredit({ gateway, seconds, rounds, progress }: Bench): Promise<Finding> {
  const merchant = await login(gateway)
  const { contractCode } = gateway.credentials

  progress('reserving accounts')
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
  const numbers = reserved.flatMap(({ accounts }) => accounts.slice(0, 1))

  const plain: LoadResult[] = []
  const split: LoadResult[] = []
  for (let n = 1; n <= rounds; n++) {
    progress(`round ${n} of ${rounds}: opening one-time accounts`)
    const accounts = await openOneTimeAccounts(gateway, merchant, `reserved-round-${n}`, CREDITS_A_ROUND)
    progress(`round ${n} of ${rounds}: paying into one-time accounts`)
    plain.push(await payInto(gateway, accounts, CREDITS_A_ROUND, seconds))
    progress(`round ${n} of ${rounds}: paying into reserved accounts`)
    split.push(await payInto(gateway, numbers, CREDITS_A_ROUND, seconds))
  }
  const ratios = split.map(({ perSecond }, n) => perSecond / (plain[n]?.perSecond ?? Number.NaN))
  return {
    name: 'reserved-credit',
    figures: {
      'credits to one-time accounts, a second': median(plain.map(({ perSecond }) => perSecond)).toFixed(0),
      'to reserved ones, split and limited, a second': median(split.map(({ perSecond }) => perSecond)).toFixed(0),
      ratio: median(ratios).toFixed(2),
      'p50 / p99 of these, milliseconds': `${median(split.map(({ p50Milliseconds }) => p50Milliseconds)).toFixed(1)} / ${median(split.map(({ p99Milliseconds }) => p99Milliseconds)).toFixed(1)}`,
    },
  }
}
