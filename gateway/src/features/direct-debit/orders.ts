import {
  type NewOrder,
  NOT_CARRIED_OUT,
  type OrderMaker,
  type OrderRow,
  type Orders,
  type OrdersOf,
} from '../../core/orders/index.ts'
import { invariant } from '../../kernel/errors.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { concludeDebits, type DebitResponse, type MandatedDebit } from './conclude.ts'
import { type DebitRow, type MandateRow, selectDebits, selectMandatesOf } from './repository.ts'

export type DebitOrders = OrdersOf<MandatedDebit, DebitResponse>

/** Returns the order that sends a debit. Debit and order have the same id. */
export const debitOrder = (
  orders: OrderMaker,
  debit: DebitRow,
  mandate: MandateRow,
  sentBy: NewOrder['sentBy'],
): OrderRow =>
  orders.newOrder(
    {
      merchantId: debit.merchantId,
      id: debit.id,
      purpose: 'debit',
      subjectId: debit.id,
      reference: debit.transactionReference,
      // Each bank has its own slots, so that a slow bank does not delay the others.
      slot: `debit/${mandate.customerAccountBankCode}`,
      amount: debit.amount,
      sentBy,
    },
    debit.createdAt,
  )

/** Defines how orders of debits are sent, queried and concluded. */
export const debitOrders = ({ orders }: { readonly orders: Orders }): DebitOrders =>
  orders.define<MandatedDebit, DebitResponse>({
    purpose: 'debit',
    subjects: readDebits,
    send: ({ reference, amount }, { debit, mandate }, rails) =>
      rails.debit.debit({
        reference,
        mandateCode: mandate.mandateCode,
        accountNumber: mandate.customerAccountNumber,
        bankCode: mandate.customerAccountBankCode,
        amount,
        narration: debit.narration,
      }),
    query: ({ reference }, _, { debit }) => debit.findDebit(reference),
    found: {
      succeeded: ({ sessionId = '' }) => ({ kind: 'paid', sessionId }),
      failed: () => ({ kind: 'declined', reason: NOT_CARRIED_OUT, isStopped: false }),
      'not-found': () => ({ kind: 'not found' }),
    },
    conclude: concludeDebits,
  })

async function readDebits(db: Db, placed: readonly OrderRow[]): Promise<MandatedDebit[]> {
  const rows = await selectDebits(db, placed)
  const mandates = new Map((await selectMandatesOf(db, rows)).map((mandate) => [mandate.id, mandate]))
  const debits = new Map(rows.map((debit) => [debit.id, debit]))
  return placed.map(({ subjectId }) => {
    const debit = debits.get(subjectId)
    const mandate = mandates.get(debit?.mandateId ?? 0n)
    invariant(debit !== undefined && mandate !== undefined, 'debits and mandates are never deleted')
    return { debit, mandate }
  })
}
