import * as contract from '@kobo/contract'
import { type LoadRequest, type LoadResult, load } from './load.ts'
import { initRequest } from './merchant.ts'
import type { RunningGateway } from './processes.ts'

const CONNECTIONS = 64
const SETUP_SECONDS_MAX = 120

export interface AccountNumber {
  readonly bankCode: string
  readonly accountNumber: string
}

type Headers = LoadRequest['headers'] & object

/** Carries out so many requests as fast as it goes, and answers their bodies. */
export async function carryOut(
  { url }: RunningGateway,
  count: number,
  request: (nth: number) => LoadRequest,
): Promise<readonly unknown[]> {
  const bodies: unknown[] = []
  await load({
    url,
    connections: CONNECTIONS,
    requestsMax: count,
    secondsMax: SETUP_SECONDS_MAX,
    request,
    onAnswer: (_, body) => {
      const { requestSuccessful, responseBody } = JSON.parse(body)
      if (requestSuccessful !== true) throw new Error(body)
      bodies.push(responseBody)
    },
  })
  return bodies
}

/** Transactions of 9,000 naira, each with an account of its own to pay into. */
export async function openOneTimeAccounts(
  gateway: RunningGateway,
  headers: Headers,
  name: string,
  count: number,
): Promise<readonly AccountNumber[]> {
  const { contractCode } = gateway.credentials
  const transactions = await carryOut(gateway, count, (nth) => initRequest(contractCode, headers, `${name}-${nth}`))
  const accounts = await carryOut(gateway, transactions.length, (nth) => ({
    method: 'POST',
    path: contract.initBankTransfer.path,
    headers,
    body: JSON.stringify({
      transactionReference: (transactions[nth] as { transactionReference: string }).transactionReference,
    }),
  }))
  return accounts as readonly AccountNumber[]
}

/** Pays 9,000 naira into one account after the other, from many connections, all of which must be kept. */
export const payInto = (
  { url }: RunningGateway,
  accounts: readonly AccountNumber[],
  requestsMax: number,
  secondsMax: number,
): Promise<LoadResult> =>
  load({
    url,
    connections: CONNECTIONS,
    requestsMax,
    secondsMax,
    request: (nth) => {
      const { bankCode, accountNumber } = accounts[nth % accounts.length] as AccountNumber
      return {
        method: 'POST',
        path: contract.payIntoAccount.path,
        body: JSON.stringify({ bankCode, accountNumber, amount: 9_000 }),
      }
    },
    onAnswer: (_, body) => {
      if (!body.includes('ACCEPTED')) throw new Error(body)
    },
  })
