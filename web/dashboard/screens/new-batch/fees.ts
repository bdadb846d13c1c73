import type { getTransferFee, Reply } from '@kobo/contract'
import * as routes from '../../../routes.ts'
import { koboOf } from '../../../ui/money.ts'
import { type CallResult, call } from '../../api/call.ts'
import { useLookups } from '../../api/use-lookups.ts'
import type { BatchRow } from './batch-file.ts'

/** With more different amounts than this, asking for each fee would take too many requests. */
const AMOUNTS_MAX = 200
const NO_ROWS: readonly BatchRow[] = []

const amountOf = ({ amount }: BatchRow): string => amount
const feeOf = ({ amount }: BatchRow): Promise<CallResult<Reply<typeof getTransferFee>>> =>
  call(routes.getTransferFee, { query: { amount } })

/** The fees of all rows in kobo, once they are known. The fee of each amount is requested once. */
export function useFees(rows: readonly BatchRow[]): number | undefined {
  const isFew = new Set(rows.map(amountOf)).size <= AMOUNTS_MAX
  const replies = useLookups(isFew ? rows : NO_ROWS, amountOf, feeOf)
  const fees = rows.map(({ amount }) => {
    const reply = replies.get(amount)
    return reply?.kind === 'done' ? koboOf(reply.body.fee) : undefined
  })
  return rows.length === 0
    ? undefined
    : fees.reduce((sum, fee) => (sum === undefined || fee === undefined ? undefined : sum + fee), 0)
}
