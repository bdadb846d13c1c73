import type { Core } from '../../core/core.ts'
import { NOT_CARRIED_OUT, type OrderRow, type Orders, type OrdersOf, unroutedOrders } from '../../core/orders/index.ts'
import { invariant } from '../../kernel/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { SendBackOrder } from '../../rails/returns.ts'
import type { FoundTransfer, TransferOrder } from '../../rails/transfer.ts'
import { concludeReturns } from './conclude.ts'
import { type ReturnRow, returns } from './repository.ts'

const NARRATION = 'Returned: the payment could not be taken'

/** The order that takes a credit back. It holds no money of its own: that stays in suspense until the payer has it. */
export function returnOrder(row: ReturnRow, at: Date): OrderRow {
  invariant(row.orderId !== null && row.way !== null, 'a return under way has an order')
  return unroutedOrders.newOrder(
    {
      merchantId: row.merchantId,
      id: row.orderId,
      purpose: 'return',
      // Who has the money gives it back. A transfer of ours somebody else can send too, where that one does not.
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

/** Returns as something that is asked of a partner, by the way that was written down before it was sent. */
export const returnOrders = ({ core, orders, log }: Deps): OrdersOf<ReturnRow, FoundTransfer> =>
  orders.define<ReturnRow, FoundTransfer>({
    purpose: 'return',
    subjects: async (db, placed) => {
      const keys = placed.map(({ merchantId, subjectId: id }) => ({ merchantId, id }))
      const rows = new Map((await returns.select(db, keys)).map((row) => [row.id, row]))
      return placed.map(({ subjectId }) => {
        const row = rows.get(subjectId)
        invariant(row !== undefined, 'an order for a return has one')
        return row
      })
    },
    send: async (order, row, rails) =>
      row.way === 'SEND_BACK'
        ? rails.returns.send(sendBackOf(order, row))
        : rails.transfer.send(await transferOf(core, order, row)),
    ask: ({ reference, amount }, { way }, rails) =>
      way === 'SEND_BACK' ? rails.returns.find(reference, amount) : rails.transfer.find(reference, amount),
    found: {
      succeeded: ({ sessionId = '' }) => ({ kind: 'succeeded', sessionId }),
      failed: () => ({ kind: 'failed', reason: NOT_CARRIED_OUT }),
      'not-found': () => ({ kind: 'not found' }),
    },
    conclude: (unit, answers) => concludeReturns(log, unit, answers),
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
    // It comes from where the payer sent it.
    sender: {
      name: merchant?.name ?? null,
      accountNumber: row.accountNumber,
      bankCode: row.bankCode,
      bvn: null,
    },
  }
}
