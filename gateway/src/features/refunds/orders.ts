import type { Core } from '../../core/core.ts'
import { WALLET_BANK } from '../../core/money/bank-list/index.ts'
import { accounts } from '../../core/money/ledger/index.ts'
import { newOrder, type OrderRow, type Orders, type OrdersOf } from '../../core/orders/index.ts'
import { invariant } from '../../kernel/errors.ts'
import { add } from '../../kernel/money.ts'
import type { FoundCardRefund } from '../../rails/card.ts'
import type { Rails } from '../../rails/index.ts'
import type { FoundTransfer, TransferOrder } from '../../rails/transfer.ts'
import { concludeRefunds, type RefundAnswer } from './conclude.ts'
import { type RefundRow, selectRefundsByKey } from './repository.ts'

/** The order for a refund, which holds its money. Both have one id. */
export const refundOrder = (refund: RefundRow): OrderRow =>
  newOrder(
    {
      merchantId: refund.merchantId,
      id: refund.id,
      purpose: 'refund',
      subjectId: refund.id,
      reference: refund.reference,
      slot: refund.method === 'CARD' ? 'card' : `transfer/${refund.destinationBankCode}`,
      amount: refund.amount,
      holds: { account: accounts.inFlight(refund.walletAccountNumber), amount: add(refund.amount, refund.fee) },
      sentBy: 'worker',
    },
    refund.createdAt,
  )

interface Deps {
  readonly core: Core
  readonly orders: Orders
  readonly rails: Pick<Rails, 'card' | 'transfer'>
}

/** Refunds as something that is asked of a card network or a bank, by the way that the payment came. */
export function refundOrders({ core, orders, rails }: Deps): OrdersOf<RefundRow, RefundAnswer> {
  async function transferOf({ reference, amount }: OrderRow, refund: RefundRow): Promise<TransferOrder> {
    const { destinationAccountNumber: accountNumber, destinationBankCode: bankCode, destinationAccountName } = refund
    invariant(accountNumber !== null && bankCode !== null, 'a refund goes to a card or an account')
    const merchant = await core.directory.byId(refund.merchantId)
    return {
      reference,
      amount,
      destination: { accountNumber, bankCode, accountName: destinationAccountName ?? '' },
      narration: refund.customerNote.trim() || 'Refund',
      sender: {
        name: merchant?.name ?? null,
        accountNumber: refund.walletAccountNumber,
        bankCode: WALLET_BANK.code,
        bvn: null,
      },
    }
  }

  return orders.define<RefundRow, RefundAnswer>({
    purpose: 'refund',
    subjects: async (db, placed) => {
      const rows = new Map((await selectRefundsByKey(db, placed)).map((row) => [row.id, row]))
      return placed.map(({ id }) => {
        const refund = rows.get(id)
        invariant(refund !== undefined, 'an order for a refund has one')
        return refund
      })
    },
    send: async (order, refund) => {
      const { chargeReference } = refund
      if (chargeReference === null) return byTransfer(await rails.transfer.send(await transferOf(order, refund)))
      const { reference, amount } = order
      return byCard(await rails.card.refund({ reference, chargeReference, amount }))
    },
    ask: async ({ reference }, { chargeReference }) =>
      chargeReference === null
        ? byTransfer(await rails.transfer.find(reference))
        : byCard(await rails.card.findRefund(reference)),
    conclude: concludeRefunds,
  })
}

function byTransfer(outcome: FoundTransfer): RefundAnswer {
  switch (outcome.kind) {
    case 'succeeded':
      return outcome.finalAt === undefined ? { kind: 'arrived' } : { kind: 'arrived', finalAt: outcome.finalAt }
    case 'reversed':
      return { kind: 'failed', reason: 'The customer’s bank sent the money back' }
    case 'failed':
    case 'unknown':
    case 'not found':
      return outcome
  }
}

function byCard(outcome: FoundCardRefund): RefundAnswer {
  switch (outcome.kind) {
    case 'refunded':
      return { kind: 'arrived' }
    case 'refused':
      return { kind: 'failed', reason: outcome.reason }
    case 'unknown':
    case 'not found':
      return outcome
  }
}
