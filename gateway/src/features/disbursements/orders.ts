import type { Core } from '../../core/core.ts'
import { accounts } from '../../core/money/ledger/index.ts'
import {
  type NewOrder,
  NOT_CARRIED_OUT,
  type OrderMaker,
  type OrderRow,
  type Orders,
  type OrdersOf,
  subjectsById,
} from '../../core/orders/index.ts'
import type { Enquiries } from '../../core/routing/index.ts'
import { add } from '../../kernel/money.ts'
import type { Payer } from '../../rails/bank.ts'
import { concludeTransfers, isPending, type TransferResponse } from './conclude.ts'
import { selectTransfersByKey, type TransferRow } from './repository.ts'

export type TransferOrders = OrdersOf<TransferRow, TransferResponse>

export const bvnContext = ({ merchantId, id }: Pick<TransferRow, 'merchantId' | 'id'>): string =>
  `transfer-sender-bvn/${merchantId}/${id}`

/** Returns the order that sends a transfer. Transfer and order have the same id. */
export const transferOrder = (orders: OrderMaker, transfer: TransferRow, sentBy: NewOrder['sentBy']): OrderRow =>
  orders.newOrder(
    {
      merchantId: transfer.merchantId,
      id: transfer.id,
      purpose: 'transfer',
      subjectId: transfer.id,
      reference: transfer.transactionReference,
      // Each bank has its own slots, so that a slow bank does not delay the others.
      slot: `transfer/${transfer.destinationBankCode}`,
      amount: transfer.amount,
      holds: { account: accounts.inFlight(transfer.sourceAccountNumber), amount: add(transfer.amount, transfer.fee) },
      sentBy,
    },
    transfer.createdAt,
  )

interface Deps {
  readonly core: Core
  readonly orders: Orders
  readonly enquiries: Pick<Enquiries, 'transfer'>
}

/** Defines how orders of transfers are sent, queried and concluded. */
export function transferOrders({ core, orders, enquiries }: Deps): TransferOrders {
  const { keyring, directory } = core

  async function senderOf(transfer: TransferRow): Promise<Payer> {
    const { senderInfo, senderBvn } = transfer
    const merchant = directory.known(transfer.merchantId) ?? (await directory.byId(transfer.merchantId))
    return {
      name: senderInfo?.sourceAccountName ?? merchant?.name ?? null,
      accountNumber: senderInfo?.sourceAccountNumber ?? transfer.sourceAccountNumber,
      bankCode: senderInfo?.senderBankCode ?? merchant?.walletBankCode ?? null,
      bvn: senderBvn === null ? null : keyring.open(Buffer.from(senderBvn, 'base64'), bvnContext(transfer)),
    }
  }

  return orders.define<TransferRow, TransferResponse>({
    purpose: 'transfer',
    subjects: async (db, placed) => subjectsById(placed, await selectTransfersByKey(db, placed), ({ id }) => id),
    send: async ({ reference, amount }, transfer, rails) => {
      const account = { bankCode: transfer.destinationBankCode, accountNumber: transfer.destinationAccountNumber }
      let accountName = transfer.destinationAccountName
      if (accountName === null) {
        const enquiry = await enquiries.transfer.nameEnquiry(account)
        // Nothing has been sent, so it is safe to fail.
        if (enquiry.kind !== 'found') return { kind: 'failed', reason: ENQUIRY_FAILURES[enquiry.kind] }
        accountName = enquiry.accountName
      }
      const destination = { ...account, accountName }
      const sender = await senderOf(transfer)
      const outcome = await rails.transfer.send({
        reference,
        amount,
        destination,
        narration: transfer.narration,
        sender,
      })
      return { ...outcome, destinationAccountName: accountName }
    },
    query: ({ reference, amount }, _, { transfer }) => transfer.find(reference, amount),
    found: {
      succeeded: ({ sessionId = '' }) => ({ kind: 'succeeded', sessionId }),
      failed: () => ({ kind: 'failed', reason: NOT_CARRIED_OUT }),
      'not-found': () => ({ kind: 'not found' }),
    },
    isUnchanged: isPending,
    conclude: concludeTransfers,
  })
}

const ENQUIRY_FAILURES = {
  'not found': 'The bank has no such account',
  unavailable: 'The account could not be verified because its bank does not respond: try again later',
} as const
