import * as contract from '@kobo/contract'
import type { Race } from './benchmark.ts'
import { comparedWithNoOp } from './beside-no-op.ts'
import { aTransaction } from './merchant.ts'

/** Measures how fast payments are created and committed to disk, compared with a route that only validates the body. */
export const initTransaction: Race = {
  baseline: 'no-op route',
  ours: 'init-transaction',
  open: comparedWithNoOp(
    async (bench, merchant) => (round, nth) =>
      merchant.request(
        contract.initTransaction,
        aTransaction(bench.gateway.credentials.contractCode, `${round}-${nth}`),
      ),
  ),
}
