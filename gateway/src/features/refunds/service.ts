import { CUSTOMER_NOTE_LENGTH_MAX, REFUND_REASON_LENGTH_MAX } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { openWallets } from '../../core/money/wallet-balances/index.ts'
import { type Orders, placeOrders } from '../../core/orders/index.ts'
import { priceOn } from '../../core/pricing/index.ts'
import type { Enquiries } from '../../core/routing/index.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import { ulid } from '../../kernel/ids.ts'
import { type Kobo, kobo, sum, toNaira, toNairaText, ZERO } from '../../kernel/money.ts'
import type { Db } from '../../platform/postgres/db.ts'
import {
  type ApprovalGate,
  AUTHORIZE_SECONDS_MAX,
  approvalGate,
  insertRequests,
  type Maker,
  requestFor,
} from '../approvals/index.ts'
import { type Payment, type Transaction, type TransactionKey, transactionReads } from '../transactions/index.ts'
import { type Allocated, allocate, isRefundable, refundablePayments } from './allocation.ts'
import { refundErrors } from './errors.ts'
import { refundHeld } from './journals.ts'
import { refundOrder } from './orders.ts'
import { COMMENTS, refundFacts } from './payouts.ts'
import { type FindDestination, findDestinations, goesBack, type NamedAccount } from './refund-destination.ts'
import {
  findRefund,
  insertParts,
  insertRefund,
  type PartRow,
  partsOf,
  type RefundDestination,
  type RefundRow,
  type SelectDisputed,
  selectRefunded,
} from './repository.ts'

const AMOUNT_MIN = kobo(10_000n)
const BACK_TO_PAYER: ApprovalGate = { kind: 'none' }

/** A merchant's request for a refund. */
export interface NewRefund {
  readonly transactionReference: string
  readonly refundReference: string
  readonly amount: Kobo
  readonly refundReason: string
  readonly customerNote: string
  /** The account that receives the refund; null for the payer's own. */
  readonly destination: NamedAccount | null
}

export interface RefundDeps {
  readonly core: Core
  readonly orders: Orders
  readonly enquiries: Pick<Enquiries, 'transfer'>
  readonly selectDisputed: SelectDisputed
}

/**
 * Accepts a refund. Its money leaves the available balance at once. It has one part for each payment that it refunds;
 * each part is sent in the background, by the method of its payment. A refund to an account other than the payer's is a payout, and may wait for approval.
 */
export async function initiateRefund(
  deps: RefundDeps,
  merchant: Merchant,
  requested: NewRefund,
  maker?: Maker,
): Promise<RefundRow> {
  checkFields(requested)
  const { core, enquiries } = deps
  const { db } = core
  const transaction = await transactionReads.find(db, merchant.id, requested)
  if (transaction === undefined) throw refundErrors.unknownTransaction()
  const payments = await transactionReads.payments(db, [transaction])
  checkRefundable(payments)
  // A first estimate of the payments whose accounts must be looked up; the final allocation is made under the lock.
  const likely = allocate(refundablePayments(payments, await selectRefunded(db, transaction)), requested.amount, ZERO)
  const candidates =
    requested.destination === null ? likely.map(({ payment }) => payment) : payments.filter(isRefundable)
  const findDestination = await findDestinations(enquiries, candidates, requested.destination)
  const accepted = { transaction, requested, findDestination, maker }
  return unitOfWork(core, (unit) => acceptRefund(deps, unit, merchant, accepted))
}

/** A refund to be accepted. */
interface Draft {
  readonly transaction: TransactionKey
  readonly requested: NewRefund
  readonly findDestination: FindDestination
  readonly maker: Maker
}

function checkFields({ refundReason, customerNote, amount }: NewRefund): void {
  for (const [field, text, most] of [
    ['refundReason', refundReason, REFUND_REASON_LENGTH_MAX],
    ['customerNote', customerNote, CUSTOMER_NOTE_LENGTH_MAX],
  ] as const)
    if ([...text].length > most) throw refundErrors.textTooLong(field, most)
  if (amount < AMOUNT_MIN) throw refundErrors.amountTooSmall(toNaira(AMOUNT_MIN))
}

/** Rejects a transaction without payments, or without a refundable payment method. */
function checkRefundable(payments: readonly Payment[]): void {
  const [first] = payments
  if (first === undefined) throw refundErrors.notRefundable('it has not been paid')
  if (!payments.some(isRefundable)) throw refundErrors.notRefundable(`payments by ${first.method} are not refundable`)
}

/** Stores a refund and debits the wallet. The transaction's row is locked, so its refunds are decided in sequence. */
async function acceptRefund(
  { orders, selectDisputed }: RefundDeps,
  unit: UnitOfWork,
  merchant: Merchant,
  { transaction: key, requested, findDestination, maker }: Draft,
): Promise<RefundRow> {
  const { tx, at } = unit
  // Sent together and run in this order: the queries after the lock see everything that was committed before it.
  const [[transaction], known, payments, returned, disputed] = await Promise.all([
    transactionReads.lock(tx, [key]),
    findRefund(tx, merchant.id, requested.refundReference),
    transactionReads.payments(tx, [key]),
    selectRefunded(tx, key),
    selectDisputed(tx, key),
  ])
  invariant(transaction !== undefined, 'a transaction is never deleted')
  if (known !== undefined) throw refundErrors.duplicateReference()
  const open = refundablePayments(payments, [...returned, ...disputed])
  const remaining = sum(open.map((one) => one.remaining))
  if (remaining === 0n)
    throw disputed.length === 0 ? refundErrors.fullyRefunded() : refundErrors.notRefundable('the payment is in dispute')
  if (requested.amount > remaining) throw refundErrors.aboveAmount(toNairaText(remaining))

  const fee = priceOn(merchant.prices, 'refund', requested.amount, at)
  const allocated = allocate(open, requested.amount, fee).map((part) => ({
    ...part,
    destination: findDestination(part.payment),
  }))
  const isBack = allocated.every(({ payment, destination }) => goesBack(payment, destination))
  const gate = isBack ? BACK_TO_PAYER : approvalGate(merchant, maker, requested.amount)
  const refund = newRefund(unit, merchant, transaction, requested, fee, allocated, gate)
  const parts = allocated.length === 1 ? [] : allocated.map((part, index) => newPart(unit, refund, part, index + 1))
  if (!(await insertRefund(tx, refund))) throw refundErrors.duplicateReference()
  insertParts(tx, parts)
  const { merchantId, walletAccountNumber } = refund
  const wallets = await openWallets(tx, [{ merchantId, accountNumber: walletAccountNumber }])
  const taken = wallets.take({
    journal: refundHeld(refund),
    reference: refund.refundReference,
    transactionReference: refund.reference,
    narration: refund.refundReason,
    message: `Refund of ${refund.transactionReference}`,
  })
  if (!taken) throw refundErrors.insufficientBalance()
  placeOrders(
    unit,
    partsOf(refund, parts).map((part) => refundOrder(orders, { refund, part }, chargedBy(payments, part))),
  )
  wallets.write(unit)
  if (gate.kind === 'approval')
    insertRequests(tx, [requestFor(refund, 'REFUND', refundFacts(refund, partsOf(refund, parts)), maker, gate.needed)])
  return refund
}

/** Returns the partner that made the charge which a part refunds; null if there is no charge or no known partner. */
const chargedBy = (payments: readonly Payment[], { chargeReference }: Pick<PartRow, 'chargeReference'>) =>
  payments.find(({ railReference }) => railReference === chargeReference)?.partner || null

/** A payment's part of a refund and its destination. */
type AllocatedPart = Allocated & { readonly destination: RefundDestination }

function newRefund(
  { ids, at }: UnitOfWork,
  { id: merchantId, walletAccountNumber }: Merchant,
  transaction: Transaction,
  requested: NewRefund,
  fee: Kobo,
  allocated: readonly AllocatedPart[],
  gate: ApprovalGate,
): RefundRow {
  const [first, second] = allocated
  invariant(first !== undefined, 'a refund has at least one part')
  // If there are several destinations, one is shown: preferably an account.
  const { destination } = allocated.find((one) => one.destination.method === 'ACCOUNT_TRANSFER') ?? first
  return {
    merchantId,
    id: ids.id(),
    reference: `TRFD|${ulid(at)}`,
    refundReference: requested.refundReference,
    transactionId: transaction.id,
    transactionReference: transaction.transactionReference,
    status: 'PENDING',
    type: requested.amount === transaction.amountPaid ? 'FULL_REFUND' : 'PARTIAL_REFUND',
    amount: requested.amount,
    fee,
    currencyCode: transaction.currencyCode,
    refundReason: requested.refundReason,
    customerNote: requested.customerNote,
    comment: COMMENTS[gate.kind],
    walletAccountNumber,
    paymentId: second === undefined ? first.payment.id : null,
    ...destination,
    createdAt: at,
    completedAt: null,
    authorizeBy: gate.kind === 'none' ? null : secondsAfter(at, AUTHORIZE_SECONDS_MAX),
  }
}

const newPart = (
  { ids }: UnitOfWork,
  { merchantId, id, reference }: RefundRow,
  { payment, amount, fee, destination }: AllocatedPart,
  nth: number,
): PartRow => ({
  merchantId,
  id: ids.id(),
  refundId: id,
  paymentId: payment.id,
  reference: `${reference}-${nth}`,
  status: 'PENDING',
  amount,
  fee,
  ...destination,
  failure: null,
})

export async function getRefund(db: Db, merchantId: bigint, refundReference: string): Promise<RefundRow> {
  const refund = await findRefund(db, merchantId, refundReference)
  if (refund === undefined) throw refundErrors.notFound()
  return refund
}
