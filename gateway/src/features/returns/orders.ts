import type { Core } from '../../core/core.ts'
import {
  NOT_CARRIED_OUT,
  type OrderRow,
  type Orders,
  type OrdersOf,
  subjectsById,
  unroutedOrders,
} from '../../core/orders/index.ts'
import { invariant } from '../../kernel/errors.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { SendBackOrder } from '../../rails/returns.ts'
import type { FoundTransfer, TransferOrder } from '../../rails/transfer.ts'
import { concludeReturns } from './conclude.ts'
import { type ReturnRow, returns } from './repository.ts'

const NARRATION = 'Returned: payment not accepted'

/** Creates the order that returns a credit. The order holds no money: it stays in suspense until the payer has it. */
export function returnOrder(row: ReturnRow, at: Date): OrderRow {
  invariant(row.orderId !== null && row.way !== null, 'a return in progress has an order')
  return unroutedOrders.newOrder(
    {
      merchantId: row.merchantId,
      id: row.orderId,
      purpose: 'return',
      // The partner that holds the money returns it, also by transfer: no other partner pays for it.
      partner: row.partner,
      subjectId: row.id,
      reference: row.sends === 1 ? row.reference : `${row.reference}-${row.sends}`,
      slot: row.way === 'SEND_BACK' ? `send-back/${row.partner}` : `transfer/${row.destinationBankCode}`,
      amount: row.amount,
      sentBy: 'worker',
    },
    at,
  )
}

interface Deps {
  readonly core: Core
  readonly orders: Orders
  readonly log: Log
}

/** Defines how returns are sent and queried, by the method that was stored before sending. */
export const returnOrders = ({ core, orders, log }: Deps): OrdersOf<ReturnRow, FoundTransfer> =>
  orders.define<ReturnRow, FoundTransfer>({
    purpose: 'return',
    subjects: async (db, placed) => {
      const keys = placed.map(({ merchantId, subjectId: id }) => ({ merchantId, id }))
      return subjectsById(placed, await returns.select(db, keys), ({ id }) => id)
    },
    send: async (order, row, rails) =>
      row.way === 'SEND_BACK'
        ? rails.returns.send(sendBackOf(order, row))
        : rails.transfer.send(await transferOf(core, order, row)),
    query: ({ reference, amount }, { way }, rails) =>
      way === 'SEND_BACK' ? rails.returns.find(reference, amount) : rails.transfer.find(reference, amount),
    found: {
      succeeded: ({ sessionId = '' }) => ({ kind: 'succeeded', sessionId }),
      failed: () => ({ kind: 'failed', reason: NOT_CARRIED_OUT }),
      'not-found': () => ({ kind: 'not found' }),
    },
    conclude: (unit, responses) => concludeReturns(log, unit, responses),
  })

const sendBackOf = (
  { reference, amount }: OrderRow,
  { railReference, bankCode, accountNumber }: ReturnRow,
): SendBackOrder => ({
  reference,
  amount,
  credit: { railReference, bankCode, accountNumber },
  narration: NARRATION,
})

async function transferOf(
  { directory }: Core,
  { reference, amount }: OrderRow,
  row: ReturnRow,
): Promise<TransferOrder> {
  const { destinationBankCode, destinationAccountNumber, destinationAccountName } = row
  invariant(destinationBankCode !== null && destinationAccountNumber !== null, 'a transfer goes to an account')
  const merchant = await directory.byId(row.merchantId)
  return {
    reference,
    amount,
    destination: {
      bankCode: destinationBankCode,
      accountNumber: destinationAccountNumber,
      accountName: destinationAccountName ?? '',
    },
    narration: NARRATION,
    // The sender is the account into which the payer had paid.
    sender: {
      name: merchant?.name ?? null,
      accountNumber: row.accountNumber,
      bankCode: row.bankCode,
      bvn: null,
    },
  }
}
