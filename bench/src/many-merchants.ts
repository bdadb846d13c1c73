import * as contract from '@kobo/contract'
import type { Measure, Race } from './benchmark.ts'
import { type AccountNumber, openPayable, payInto } from './credits.ts'
import { load } from './load.ts'
import { aTransaction, login, type Merchant } from './merchant.ts'
import type { RunningGateway } from './processes.ts'

const MERCHANTS = 1_000
const ACCOUNTS_A_SECOND = 5_000
const CONNECTIONS = 64
const SETUP_SECONDS_MAX = 120

/** A merchant that receives payments. */
export interface Payee {
  readonly merchant: Merchant
  readonly contractCode: string
}

/** Measures credits to many merchants in turn, compared with credits to a single merchant. */
export const manyMerchants: Race = {
  baseline: 'credits to PAID of one merchant',
  ours: `credits to PAID over ${MERCHANTS} merchants`,
  open: async ({ gateway, seconds, progress }) => {
    const one = await login(gateway)
    progress(`making ${MERCHANTS} merchants`)
    const payees = await payeesOf(gateway, MERCHANTS)
    if (payees.length === 0) throw new Error('That version cannot make merchants for a benchmark')
    const count = Math.ceil(ACCOUNTS_A_SECOND * seconds)
    const halves: (readonly AccountNumber[])[] = []
    const pay = (half: number): Promise<Measure> =>
      payInto(gateway, halves[half] ?? [], { requestsMax: count, secondsMax: seconds })
    return {
      prepare: async (n) => {
        halves[0] = await openPayable(gateway, one, `one-of-many-${n}`, count)
        halves[1] = await openOverAll(gateway, payees, `many-${n}`, count)
      },
      baseline: () => pay(0),
      ours: () => pay(1),
    }
  },
}

/** Creates merchants to pay; returns none if the measured version cannot create them. */
export async function payeesOf(gateway: RunningGateway, count: number): Promise<readonly Payee[]> {
  const payees: Payee[] = []
  for (const credentials of await gateway.makeMerchants(count))
    payees.push({ merchant: await login({ ...gateway, credentials }), contractCode: credentials.contractCode })
  return payees
}

/** Opens accounts to pay into, in turn for each merchant. */
export async function openOverAll(
  { url }: RunningGateway,
  payees: readonly Payee[],
  name: string,
  count: number,
): Promise<readonly AccountNumber[]> {
  const payee = (nth: number): Payee => payees[nth % payees.length] as Payee
  const call = async <Result>(request: (nth: number) => contract.HttpRequest): Promise<Result[]> => {
    const responses: Result[] = []
    await load({
      url,
      connections: CONNECTIONS,
      requestsMax: count,
      secondsMax: SETUP_SECONDS_MAX,
      request,
      onResponse: (nth, body) => {
        const { requestSuccessful, responseBody } = JSON.parse(body)
        if (requestSuccessful !== true) throw new Error(body)
        responses[nth] = responseBody
      },
    })
    return responses
  }
  const opened = await call<{ transactionReference: string }>((nth) => {
    const { merchant, contractCode } = payee(nth)
    return merchant.request(contract.initTransaction, aTransaction(contractCode, `${name}-${nth}`))
  })
  return call<AccountNumber>((nth) =>
    payee(nth).merchant.request(contract.initBankTransfer, {
      body: { transactionReference: opened[nth]?.transactionReference ?? '' },
    }),
  )
}
