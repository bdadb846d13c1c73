import { CUSTOMER_NOTE_LENGTH_MAX, REFUND_REASON_LENGTH_MAX } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { priceOn } from '../../core/money/pricing/index.ts'
import { openWallets } from '../../core/money/wallet-balances/index.ts'
import { type Orders, placeOrders } from '../../core/orders/index.ts'
import type { Enquiries } from '../../core/routing/index.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import { ulid } from '../../kernel/ids.ts'
import { type Kobo, kobo, sum, toNaira, toNairaText, ZERO } from '../../kernel/money.ts'
import type { Db } from '../../platform/db.ts'
import {
  findTransaction,
  lockTransactions,
  type PaymentRow,
  selectPayments,
  type TransactionKey,
  type TransactionRow,
} from '../transactions/index.ts'
import { type Allocated, allocate, hasWayBack, returnable } from './allocation.ts'
import { refundErrors } from './errors.ts'
import { refundHeld } from './journals.ts'
import { refundOrder } from './orders.ts'
import {
  findRefund,
  insertParts,
  insertRefund,
  type PartRow,
  partsOf,
  type RefundRow,
  type SelectDisputed,
  selectReturned,
  type Way,
} from './repository.ts'
import { type FindWay, findWays, type NamedAccount } from './way-back.ts'

const AMOUNT_MIN = kobo(10_000n)

/** What a merchant asks for. */
export interface NewRefund {
  readonly transactionReference: string
  readonly refundReference: string
  readonly amount: Kobo
  readonly refundReason: string
  readonly customerNote: string
  /** Where it goes instead of back to the payer's account. */
  readonly destination: NamedAccount | null
}

interface Deps {
  readonly core: Core
  readonly orders: Orders
  readonly enquiries: Pick<Enquiries, 'transfer'>
  readonly selectDisputed: SelectDisputed
}

/**
 * Accepts a refund: its money leaves what the wallet can spend at once, and is sent in the background, each payment's by
 * the way that it came.
 */
export async function initiateRefund(deps: Deps, merchant: Merchant, wanted: NewRefund): Promise<RefundRow> {
  checkFields(wanted)
  const { core, enquiries } = deps
  const { db } = core
  const transaction = await findTransaction(db, merchant.id, wanted)
  if (transaction === undefined) throw refundErrors.unknownTransaction()
  const payments = await selectPayments(db, [transaction])
  checkRefundable(payments)
  // Whom to ask for names, as far as can be seen from here: it is decided under the lock.
  const likely = allocate(returnable(payments, await selectReturned(db, transaction)), wanted.amount, ZERO)
  const asked = wanted.destination === null ? likely.map(({ payment }) => payment) : payments.filter(hasWayBack)
  const findWay = await findWays(enquiries, asked, wanted.destination)
  return unitOfWork(core, (unit) => acceptRefund(deps, unit, merchant, transaction, wanted, findWay))
}

function checkFields({ refundReason, customerNote, amount }: NewRefund): void {
  for (const [field, text, most] of [
    ['refundReason', refundReason, REFUND_REASON_LENGTH_MAX],
    ['customerNote', customerNote, CUSTOMER_NOTE_LENGTH_MAX],
  ] as const)
    if ([...text].length > most) throw refundErrors.textTooLong(field, most)
  if (amount < AMOUNT_MIN) throw refundErrors.amountTooSmall(toNaira(AMOUNT_MIN))
}

/** Refuses what has not been paid, or came by no way that leads back. */
function checkRefundable(payments: readonly PaymentRow[]): void {
  const [first] = payments
  if (first === undefined) throw refundErrors.notRefundable('it has not been paid')
  if (!payments.some(hasWayBack)) throw refundErrors.notRefundable(`payments by ${first.method} go no way back`)
}

/**
 * Writes a refund down and takes its money from the wallet. The transaction's row is locked, so all refunds of one payment
 * are decided one after the other.
 */
async function acceptRefund(
  { orders, selectDisputed }: Deps,
  unit: UnitOfWork,
  merchant: Merchant,
  key: TransactionKey,
  wanted: NewRefund,
  findWay: FindWay,
): Promise<RefundRow> {
  const { tx, at } = unit
  // Sent together and carried out in this order: what is asked after the lock sees all that was committed before it.
  const [[transaction], known, payments, returned, disputed] = await Promise.all([
    lockTransactions(tx, [key]),
    findRefund(tx, merchant.id, wanted.refundReference),
    selectPayments(tx, [key]),
    selectReturned(tx, key),
    selectDisputed(tx, key),
  ])
  invariant(transaction !== undefined, 'a transaction stays')
  if (known !== undefined) throw refundErrors.duplicateReference()
  const open = returnable(payments, [...returned, ...disputed])
  const left = sum(open.map((one) => one.left))
  if (left === 0n)
    throw disputed.length === 0
      ? refundErrors.fullyRefunded()
      : refundErrors.notRefundable('what was paid is in dispute')
  if (wanted.amount > left) throw refundErrors.aboveAmount(toNairaText(left))

  const fee = priceOn(merchant.prices, 'refund', wanted.amount, at)
  const allocated = allocate(open, wanted.amount, fee).map((part) => ({ ...part, way: findWay(part.payment) }))
  const refund = newRefund(unit, merchant, transaction, wanted, fee, allocated)
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
  return refund
}

/** Whose charge a part of a refund goes back on; null where it goes to an account, or nobody wrote it down. */
const chargedBy = (payments: readonly PaymentRow[], { chargeReference }: Pick<PartRow, 'chargeReference'>) =>
  payments.find(({ railReference }) => railReference === chargeReference)?.partner || null

/** What one payment has of a refund, and how it goes back. */
type AllocatedWay = Allocated & { readonly way: Way }

function newRefund(
  { ids, at }: UnitOfWork,
  { id: merchantId, walletAccountNumber }: Merchant,
  transaction: TransactionRow,
  wanted: NewRefund,
  fee: Kobo,
  allocated: readonly AllocatedWay[],
): RefundRow {
  const [first, second] = allocated
  invariant(first !== undefined, 'a refund returns something')
  // Of several ways one is shown: an account, where there is one.
  const { way } = allocated.find((one) => one.way.method === 'ACCOUNT_TRANSFER') ?? first
  return {
    merchantId,
    id: ids.id(),
    reference: `TRFD|${ulid(at)}`,
    refundReference: wanted.refundReference,
    transactionId: transaction.id,
    transactionReference: transaction.transactionReference,
    status: 'PENDING',
    type: wanted.amount === transaction.amountPaid ? 'FULL_REFUND' : 'PARTIAL_REFUND',
    amount: wanted.amount,
    fee,
    currencyCode: transaction.currencyCode,
    refundReason: wanted.refundReason,
    customerNote: wanted.customerNote,
    comment: 'Refund initiated',
    walletAccountNumber,
    paymentId: second === undefined ? first.payment.id : null,
    ...way,
    createdAt: at,
    completedAt: null,
  }
}

const newPart = (
  { ids }: UnitOfWork,
  { merchantId, id, reference }: RefundRow,
  { payment, amount, fee, way }: AllocatedWay,
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
  ...way,
  failure: null,
})

export async function getRefund(db: Db, merchantId: bigint, refundReference: string): Promise<RefundRow> {
  const refund = await findRefund(db, merchantId, refundReference)
  if (refund === undefined) throw refundErrors.notFound()
  return refund
}
