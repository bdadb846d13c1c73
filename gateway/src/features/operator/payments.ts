import type * as contract from '@kobo/contract'
import type { Input, Reply } from '@kobo/contract'
import type { By } from '../../core/edge/http/index.ts'
import { audit, NO_MERCHANT } from '../../core/security/audit.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { toNaira } from '../../kernel/money.ts'
import { findTransfersOfAny, type TransferRow } from '../disbursements/index.ts'
import { transactionReads } from '../transactions/index.ts'
import type { OperatorDeps } from './merchants.ts'
import { merchantFinder } from './pagination.ts'

type Found = Reply<typeof contract.findPayments>['items'][number]

/** Finds payments and transfers of any merchant by a full reference, and audits the search. */
export async function findPayments(
  { core }: OperatorDeps,
  { reference = '' }: Input<typeof contract.findPayments>['query'],
  by: By,
): Promise<Reply<typeof contract.findPayments>> {
  const text = reference.trim()
  if (text === '') return { items: [], next: null, searchedBackTo: null }
  const [payments, transfers] = await Promise.all([
    transactionReads.ofAnyMerchant(core.db, text),
    findTransfersOfAny(core.db, text),
  ])
  const rows = [...payments, ...transfers]
  const merchants = new Set(rows.map(({ merchantId }) => merchantId))
  await unitOfWork(core, async (unit) => {
    for (const merchantId of merchants.size === 0 ? [NO_MERCHANT] : merchants)
      audit(unit, { ...by, merchantId, act: 'payment.find', reference: text })
  })
  const merchantOf = await merchantFinder(core, rows)
  return {
    items: [
      ...payments.map((row) => ({ ...showPayment(row), ...merchantOf(row.merchantId) })),
      ...transfers.map((row) => ({ ...showTransfer(row), ...merchantOf(row.merchantId) })),
    ],
    next: null,
    searchedBackTo: null,
  }
}

type Payment = Awaited<ReturnType<typeof transactionReads.ofAnyMerchant>>[number]
type OfMerchant = 'merchantCode' | 'merchantName'

const showPayment = (row: Payment): Omit<Found, OfMerchant> => ({
  id: String(row.id),
  createdOn: row.createdAt.toISOString(),
  kind: 'PAYMENT',
  transactionReference: row.transactionReference,
  merchantReference: row.paymentReference,
  status: row.status,
  amount: toNaira(row.amount),
  customerName: row.customerName,
  customerEmail: row.customerEmail,
})

const showTransfer = (row: TransferRow): Omit<Found, OfMerchant> => ({
  id: String(row.id),
  createdOn: row.createdAt.toISOString(),
  kind: 'TRANSFER',
  transactionReference: row.transactionReference,
  merchantReference: row.reference,
  status: row.status,
  amount: toNaira(row.amount),
  customerName: row.destinationAccountName,
  customerEmail: null,
})
