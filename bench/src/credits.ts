import type { Input, Reply, Route } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { type LoadResult, load } from './load.ts'
import { aTransaction, type Merchant } from './merchant.ts'
import type { RunningGateway } from './processes.ts'

const CONNECTIONS = 64
const SETUP_SECONDS_MAX = 120

export interface AccountNumber {
  readonly bankCode: string
  readonly accountNumber: string
}

/** Calls a route many times at full speed; returns the responses. */
export async function callOften<R extends Route>(
  { url }: RunningGateway,
  merchant: Merchant,
  count: number,
  route: R,
  input: (nth: number) => Input<R>,
): Promise<readonly Reply<R>[]> {
  const replies: Reply<R>[] = []
  await load({
    url,
    connections: CONNECTIONS,
    requestsMax: count,
    secondsMax: SETUP_SECONDS_MAX,
    request: (nth) => merchant.request(route, input(nth)),
    onResponse: (_, body) => {
      const { requestSuccessful, responseBody } = JSON.parse(body)
      if (requestSuccessful !== true) throw new Error(body)
      replies.push(responseBody)
    },
  })
  return replies
}

/** Opens an account to pay into for each transaction. */
export const openOneTimeAccounts = (
  gateway: RunningGateway,
  merchant: Merchant,
  transactions: readonly { readonly transactionReference: string }[],
): Promise<readonly AccountNumber[]> =>
  callOften(gateway, merchant, transactions.length, contract.initBankTransfer, (nth) => ({
    body: { transactionReference: transactions[nth]?.transactionReference ?? '' },
  }))

/** Creates transactions of 9,000 naira; returns the account of each. */
export async function openPayable(
  gateway: RunningGateway,
  merchant: Merchant,
  name: string,
  count: number,
): Promise<readonly AccountNumber[]> {
  const { contractCode } = gateway.credentials
  const transactions = await callOften(gateway, merchant, count, contract.initTransaction, (nth) =>
    aTransaction(contractCode, `${name}-${nth}`),
  )
  return openOneTimeAccounts(gateway, merchant, transactions)
}

interface Paying {
  readonly requestsMax: number
  readonly connections?: number
  readonly secondsMax?: number
  readonly paceASecond?: number
}

/** Pays 9,000 naira into each account from many connections; all must be accepted. */
export const payInto = (
  { url }: RunningGateway,
  accounts: readonly AccountNumber[],
  { requestsMax, connections = CONNECTIONS, secondsMax = SETUP_SECONDS_MAX, paceASecond = 0 }: Paying,
): Promise<LoadResult> =>
  load({
    url,
    connections,
    requestsMax,
    secondsMax,
    paceASecond,
    request: (nth) => {
      const { bankCode, accountNumber } = accounts[nth % accounts.length] as AccountNumber
      const body = { bankCode, accountNumber, amount: 9_000 }
      return contract.requestOf({ baseUrl: '' }, contract.payIntoAccount, { body })
    },
    onResponse: (_, body) => {
      if (!body.includes('ACCEPTED')) throw new Error(body)
    },
  })
