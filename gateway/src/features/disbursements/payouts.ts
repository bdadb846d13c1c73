import { findBank } from '../../core/bank-list/index.ts'
import type { Core } from '../../core/core.ts'
import { findOrder } from '../../core/orders/index.ts'
import { invariant } from '../../kernel/errors.ts'
import type { Facts, Payout, PayoutDefinition } from '../approvals/index.ts'
import { singleTransfer, wholeBatch } from './authorize.ts'
import { rejectTransfers } from './conclude.ts'
import type { TransferOrders } from './orders.ts'
import {
  type BatchRow,
  lockBatches,
  lockItems,
  lockTransfers,
  selectBatchesByKey,
  selectTransfersByKey,
  type TransferRow,
} from './repository.ts'

/** Returns the facts that an approval of transfers covers: amount, source, destination and narration of each. */
export const factsOf = (transfers: readonly TransferRow[]): Facts =>
  transfers.map((one) => [
    one.reference,
    String(one.amount),
    one.sourceAccountNumber,
    one.destinationBankCode,
    one.destinationAccountNumber,
    one.narration,
  ])

const transferPayout = (transfer: TransferRow): Payout => ({
  ...transfer,
  recipient: [
    transfer.destinationAccountName,
    transfer.destinationAccountNumber,
    findBank(transfer.destinationBankCode)?.name ?? `bank ${transfer.destinationBankCode}`,
  ]
    .filter((text) => text !== null)
    .join(', '),
  itemsCount: 1,
})

/** Single transfers as payouts waiting for approval. */
export const transferPayouts = ({ db }: Pick<Core, 'db'>, transfers: TransferOrders): PayoutDefinition => ({
  select: async (reads, keys) => (await selectTransfersByKey(reads, keys)).map(transferPayout),
  lock: async (unit, key) => {
    const [row] = await lockTransfers(unit.tx, [key])
    invariant(row !== undefined, 'a transfer is never deleted')
    return {
      ...row,
      facts: factsOf([row]),
      release: async () => {
        const released = await singleTransfer.move(unit, row, 'authorize')
        return async () => {
          const order = await findOrder(db, released)
          if (order !== undefined) await transfers.send(order, released)
        }
      },
      reject: (reason) => rejectTransfers(unit, [row], reason),
    }
  },
})

const batchPayout = (batch: BatchRow): Payout => ({
  ...batch,
  reference: batch.batchReference,
  amount: batch.totalAmount,
  fee: batch.totalFee,
  recipient: `${batch.itemsCount} transfers`,
})

/** Batches as payouts waiting for approval. */
export const batchPayouts: PayoutDefinition = {
  select: async (db, keys) => (await selectBatchesByKey(db, keys)).map(batchPayout),
  lock: async (unit, key) => {
    const [row] = await lockBatches(unit.tx, [key])
    invariant(row !== undefined, 'a batch is never deleted')
    const items = await lockItems(unit.tx, row)
    return {
      ...batchPayout(row),
      facts: factsOf(items),
      release: async () => {
        await wholeBatch.move(unit, row, 'authorize')
        return undefined
      },
      reject: (reason) => rejectTransfers(unit, items, reason),
    }
  },
}
