import * as contract from '@kobo/contract'
import type { Race } from './benchmark.ts'
import { besideNoOp } from './beside-no-op.ts'
import { aTransaction } from './merchant.ts'

/** Durable init-transactions beside a route that checks the same body and does nothing. */
export const initTransaction: Race = {
  baseline: 'no-op route',
  ours: 'init-transaction',
  open: besideNoOp(
    async (bench, merchant) => (round, nth) =>
      merchant.request(
        contract.initTransaction,
        aTransaction(bench.gateway.credentials.contractCode, `${round}-${nth}`),
      ),
  ),
}
