import type { Core } from '../../core/core.ts'
import { accounts } from '../../core/money/ledger/index.ts'
import {
  NOT_CARRIED_OUT,
  type OrderMaker,
  type OrderRow,
  type Orders,
  type OrdersOf,
  subjectsById,
} from '../../core/orders/index.ts'
import { invariant } from '../../kernel/errors.ts'
import { add } from '../../kernel/money.ts'
import type { FoundCardRefund } from '../../rails/card.ts'
import type { FoundTransfer, TransferOrder } from '../../rails/transfer.ts'
import { concludeRefunds, type RefundPart, type RefundResponse } from './conclude.ts'
import { partsOf, selectParts, selectRefundsByKey } from './repository.ts'

/** Creates the order that sends a part of a refund. Part and order have the same id. */
export const refundOrder = (orders: OrderMaker, { refund, part }: RefundPart, chargedBy: string | null): OrderRow =>
  orders.newOrder(
    {
      merchantId: part.merchantId,
      id: part.id,
      purpose: 'refund',
      subjectId: refund.id,
      reference: part.reference,
      // A card refund goes to the partner that charged the card.
      ...(part.method === 'CARD' ? { partner: chargedBy } : {}),
      slot: part.method === 'CARD' ? 'card' : `transfer/${part.destinationBankCode}`,
      amount: part.amount,
      holds: { account: accounts.inFlight(refund.walletAccountNumber), amount: add(part.amount, part.fee) },
      sentBy: refund.authorizeBy === null ? 'worker' : 'held',
    },
    refund.createdAt,
  )

interface Deps {
  readonly core: Core
  readonly orders: Orders
}

/** Defines how refunds are sent and queried: at a card network or a bank, depending on the payment's method. */
export function refundOrders({ core, orders }: Deps): OrdersOf<RefundPart, RefundResponse> {
  async function transferOf({ reference, amount }: OrderRow, { refund, part }: RefundPart): Promise<TransferOrder> {
    const { destinationAccountNumber: accountNumber, destinationBankCode: bankCode, destinationAccountName } = part
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
        bankCode: merchant?.walletBankCode ?? null,
        bvn: null,
      },
    }
  }

  return orders.define<RefundPart, RefundResponse>({
    purpose: 'refund',
    subjects: async (db, placed) => {
      const keys = placed.map(({ merchantId, subjectId: id }) => ({ merchantId, id }))
      const [refunds, rows] = await Promise.all([selectRefundsByKey(db, keys), selectParts(db, keys)])
      const all = refunds.flatMap((refund) => partsOf(refund, rows).map((part) => ({ refund, part })))
      // A refund has an order for each of its parts, with the part's id.
      return subjectsById(
        placed.map(({ id }) => ({ subjectId: id })),
        all,
        ({ part }) => part.id,
      )
    },
    send: async (order, subject, rails) => {
      const { chargeReference } = subject.part
      if (chargeReference === null) return byTransfer(await rails.transfer.send(await transferOf(order, subject)))
      const { reference, amount } = order
      return byCard(await rails.card.refund({ reference, chargeReference, amount }))
    },
    query: async ({ reference, amount }, { part: { chargeReference } }, rails) =>
      chargeReference === null
        ? byTransfer(await rails.transfer.find(reference, amount))
        : byCard(await rails.card.findRefund(reference, chargeReference)),
    found: {
      succeeded: () => ({ kind: 'arrived' }),
      failed: () => ({ kind: 'failed', reason: NOT_CARRIED_OUT }),
      'not-found': () => ({ kind: 'not found' }),
    },
    conclude: concludeRefunds,
  })
}

function byTransfer(outcome: FoundTransfer): RefundResponse {
  switch (outcome.kind) {
    case 'succeeded':
      return outcome.finalAt === undefined ? { kind: 'arrived' } : { kind: 'arrived', finalAt: outcome.finalAt }
    case 'reversed':
      return { kind: 'failed', reason: 'The customer’s bank returned the money' }
    case 'failed':
    case 'unknown':
    case 'not found':
      return outcome
  }
}

function byCard(outcome: FoundCardRefund): RefundResponse {
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
