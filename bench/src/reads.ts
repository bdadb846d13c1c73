import * as contract from '@kobo/contract'
import type { Race } from './benchmark.ts'
import { comparedWithNoOp } from './beside-no-op.ts'
import { callOften, openOneTimeAccounts, payInto } from './credits.ts'
import { aTransaction } from './merchant.ts'

const PAID_TRANSACTIONS = 5_000

/** Measures status queries of paid transactions, compared with a route that returns a record from memory. */
export const statusQuery: Race = {
  baseline: 'no-op GET',
  ours: 'status queries',
  open: comparedWithNoOp(async ({ gateway }, merchant) => {
    const references = await payTransactions()
    return (_, nth) =>
      merchant.request(contract.getTransaction, {
        params: { transactionReference: references[nth % references.length] ?? '' },
      })

    async function payTransactions(): Promise<readonly string[]> {
      const { contractCode } = gateway.credentials
      const opened = await callOften(gateway, merchant, PAID_TRANSACTIONS, contract.initTransaction, (nth) =>
        aTransaction(contractCode, `paid-${nth}`),
      )
      const accounts = await openOneTimeAccounts(gateway, merchant, opened)
      await payInto(gateway, accounts, { requestsMax: accounts.length })
      return opened.map(({ transactionReference }) => transactionReference)
    }
  }),
}

/** Measures logins, compared with a route that returns a constant token. */
export const login: Race = {
  baseline: 'no-op POST',
  ours: 'logins',
  open: comparedWithNoOp(async ({ gateway }) => {
    const { apiKey, secretKey } = gateway.credentials
    const request = {
      ...contract.requestOf({ baseUrl: '' }, contract.login, {}),
      headers: { authorization: `Basic ${btoa(`${apiKey}:${secretKey}`)}` },
    }
    return () => request
  }),
}
