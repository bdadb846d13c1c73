import type { Core } from '../../core/core.ts'
import { findContract, type Merchant } from '../../core/merchants/index.ts'
import { type OrderRow, type Orders, placeOrders } from '../../core/orders/index.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { spaced } from '../../kernel/dates.ts'
import { Refusal } from '../../kernel/errors.ts'
import { add, type Kobo, subtract, toNairaText } from '../../kernel/money.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { draftTransaction, type NewTransaction, openTransaction, type Transaction } from '../transactions/index.ts'
import type { MandatedDebit } from './conclude.ts'
import { directDebitErrors, onDebit } from './errors.ts'
import { type DebitOrders, debitOrder } from './orders.ts'
import { type DebitRow, findDebit, insertDebit, lockMandate, type MandateRow, updateMandates } from './repository.ts'
import { checkAmount } from './service.ts'

/** A debit ends only with the bank's response, however late that is. Its transaction must not expire earlier. */
const RESPONSE_SECONDS_MAX = 10 * 365 * 86_400

export interface Deps {
  readonly core: Core
  readonly orders: Orders
  readonly debits: DebitOrders
}

/** A merchant's request for a debit. */
export interface NewDebit {
  readonly mandateCode: string
  readonly paymentReference: string
  readonly amount: Kobo
  readonly narration: string
  readonly customerEmail: string
  readonly incomeSplitConfig: NewTransaction['incomeSplitConfig']
}

/** Accepts a debit, then sends it to the bank. Returns the debit as it was accepted, PENDING. */
export async function debitMandate(
  { core, orders, debits }: Deps,
  merchant: Merchant,
  requested: NewDebit,
): Promise<DebitRow> {
  checkAmount('debitAmount', requested.amount)
  const { debit, mandate, order } = await unitOfWork(core, (unit) => accept(unit, orders, merchant, requested))
  if (order.state === 'SENT') await debits.send(order, { debit, mandate })
  return debit
}

async function accept(
  unit: UnitOfWork,
  orders: Orders,
  merchant: Merchant,
  requested: NewDebit,
): Promise<MandatedDebit & { readonly order: OrderRow }> {
  const { tx, ids, at } = unit
  const mandate = await lockMandate(tx, merchant.id, requested)
  if (mandate === undefined) throw directDebitErrors.unknownMandate()
  const transaction = draft(unit, merchant, mandate, requested)
  // The transaction is opened first, so that a duplicate reference is reported even if the request has other errors.
  if (!(await openTransaction(unit, transaction))) throw directDebitErrors.duplicatePayment()
  const error = debitError(mandate, requested.amount, at)
  if (error !== undefined) throw error
  const debit: DebitRow = {
    merchantId: merchant.id,
    id: ids.id(),
    mandateId: mandate.id,
    period: mandate.period,
    transactionId: transaction.id,
    transactionReference: transaction.transactionReference,
    paymentReference: requested.paymentReference,
    amount: requested.amount,
    narration: requested.narration,
    status: 'PENDING',
    reason: null,
    sessionId: null,
    createdAt: at,
  }
  // The caller does not wait for a bank that does not respond.
  const order = debitOrder(orders, debit, mandate, 'caller if responsive')
  updateMandates(tx, [{ ...mandate, debited: add(mandate.debited, debit.amount) }])
  insertDebit(tx, debit)
  placeOrders(unit, [order])
  return { debit, mandate, order }
}

/** Drafts the transaction of a debit. The customer allowed this amount and no more, so the merchant bears the fee. */
function draft(unit: UnitOfWork, merchant: Merchant, mandate: MandateRow, requested: NewDebit): Transaction {
  const contract = findContract(merchant, mandate.contractCode)
  if (contract === undefined) throw directDebitErrors.unknownContract()
  try {
    return draftTransaction(unit, merchant, {
      amount: requested.amount,
      paymentReference: requested.paymentReference,
      contractCode: contract.code,
      currencyCode: contract.currencyCode,
      customerName: mandate.customerName,
      customerEmail: requested.customerEmail,
      paymentDescription: requested.narration,
      redirectUrl: null,
      paymentMethods: ['DIRECT_DEBIT'],
      incomeSplitConfig: requested.incomeSplitConfig,
      metaData: {},
      productType: 'DIRECT_DEBIT',
      feeBearer: 'MERCHANT',
      expiresAt: secondsAfter(unit.at, RESPONSE_SECONDS_MAX),
    })
  } catch (error) {
    throw error instanceof Refusal ? onDebit(error) : error
  }
}

/** Returns the error if an amount cannot be debited under a mandate at the given time. */
export function debitError(mandate: MandateRow, amount: Kobo, at: Date): Refusal | undefined {
  const { status, startsAt, endsAt, debitAmount, mandateAmount, debited } = mandate
  if (status !== 'ACTIVE') return directDebitErrors.notActive(status)
  if (mandate.cancelRequestedAt !== null) return directDebitErrors.cancellationRequested()
  if (at < startsAt) return directDebitErrors.notStarted(spaced(startsAt))
  if (at >= endsAt) return directDebitErrors.ended(spaced(endsAt))
  if (debitAmount !== null && amount !== debitAmount)
    return directDebitErrors.notTheFixedAmount(toNairaText(debitAmount))
  const left = mandateAmount === null ? amount : subtract(mandateAmount, debited)
  return amount > left ? directDebitErrors.aboveWhatIsLeft(toNairaText(left)) : undefined
}

export async function getDebit(
  db: Db,
  merchantId: bigint,
  paymentReference: string,
): Promise<DebitRow & { readonly mandateCode: string }> {
  const debit = await findDebit(db, merchantId, paymentReference)
  if (debit === undefined) throw directDebitErrors.unknownDebit()
  return debit
}
