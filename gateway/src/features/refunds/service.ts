import { CUSTOMER_NOTE_LENGTH_MAX, REFUND_REASON_LENGTH_MAX } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { findBank } from '../../core/money/bank-list/index.ts'
import { priceOn } from '../../core/money/pricing/index.ts'
import { openWallets } from '../../core/money/wallet-balances/index.ts'
import { placeOrders } from '../../core/orders/index.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import { ulid } from '../../kernel/ids.ts'
import { type Kobo, kobo, subtract, toNaira, toNairaText } from '../../kernel/money.ts'
import type { Db } from '../../platform/db.ts'
import type { Rails } from '../../rails/index.ts'
import {
  findTransaction,
  lockTransactions,
  type PaymentRow,
  selectPayments,
  type TransactionRow,
} from '../transactions/index.ts'
import { refundErrors } from './errors.ts'
import { refundHeld } from './journals.ts'
import { refundOrder } from './orders.ts'
import {
  countRefunds,
  findRefund,
  insertRefund,
  type RefundFilter,
  type RefundRow,
  refundedBeside,
  selectRefunds,
} from './repository.ts'

const AMOUNT_MIN = kobo(10_000n)

/** What a merchant asks for. */
export interface NewRefund {
  readonly transactionReference: string
  readonly refundReference: string
  readonly amount: Kobo
  readonly refundReason: string
  readonly customerNote: string
  /** Where it goes instead of back to the payer's account. */
  readonly destination: { readonly accountNumber: string; readonly bankCode: string } | null
}

interface Deps {
  readonly core: Core
  readonly rails: Pick<Rails, 'transfer'>
}

/** Accepts a refund: its money leaves what the wallet can spend at once, and is sent in the background. */
export async function initiateRefund(deps: Deps, merchant: Merchant, wanted: NewRefund): Promise<RefundRow> {
  checkFields(wanted)
  const { core, rails } = deps
  const { db, clock, ids } = core
  const transaction = await findTransaction(db, merchant.id, wanted)
  if (transaction === undefined) throw refundErrors.unknownTransaction()
  const method = refundableMethod(transaction)
  const payment = (await selectPayments(db, [transaction])).at(-1)
  invariant(payment !== undefined, 'what was paid has a payment')
  const destination = method === 'CARD' ? NO_ACCOUNT : await findDestination(rails, payment, wanted)

  const at = clock.now()
  return unitOfWork(core, (unit) =>
    acceptRefund(unit, {
      merchantId: merchant.id,
      id: ids.id(),
      reference: `TRFD|${ulid(at)}`,
      refundReference: wanted.refundReference,
      transactionId: transaction.id,
      transactionReference: transaction.transactionReference,
      status: 'PENDING',
      type: 'PARTIAL_REFUND',
      amount: wanted.amount,
      fee: priceOn(merchant.prices, 'refund', wanted.amount, at),
      currencyCode: transaction.currencyCode,
      refundReason: wanted.refundReason,
      customerNote: wanted.customerNote,
      comment: 'Refund initiated',
      walletAccountNumber: merchant.walletAccountNumber,
      method,
      chargeReference: method === 'CARD' ? payment.railReference : null,
      ...destination,
      createdAt: at,
      completedAt: null,
    }),
  )
}

function checkFields({ refundReason, customerNote, amount }: NewRefund): void {
  for (const [field, text, most] of [
    ['refundReason', refundReason, REFUND_REASON_LENGTH_MAX],
    ['customerNote', customerNote, CUSTOMER_NOTE_LENGTH_MAX],
  ] as const)
    if ([...text].length > most) throw refundErrors.textTooLong(field, most)
  if (amount < AMOUNT_MIN) throw refundErrors.amountTooSmall(toNaira(AMOUNT_MIN))
}

function refundableMethod({ amountPaid, paymentMethod }: TransactionRow): RefundRow['method'] {
  if (amountPaid === 0n) throw refundErrors.notRefundable('it has not been paid')
  if (paymentMethod !== 'ACCOUNT_TRANSFER' && paymentMethod !== 'CARD')
    throw refundErrors.notRefundable(`payments by ${paymentMethod} go no way back`)
  return paymentMethod
}

type Destination = Pick<RefundRow, 'destinationAccountNumber' | 'destinationAccountName' | 'destinationBankCode'>

/** A card payment goes back to its card. */
const NO_ACCOUNT: Destination = {
  destinationAccountNumber: null,
  destinationAccountName: null,
  destinationBankCode: null,
}

const ACCOUNT_NUMBER = /^\d{10}$/

/** The account that was named, or the one that the payment came from, with the name that its bank holds for it. */
async function findDestination(
  rails: Deps['rails'],
  payment: PaymentRow,
  { destination }: NewRefund,
): Promise<Destination> {
  const { accountNumber, bankCode } = destination ?? {
    accountNumber: payment.payerAccountNumber ?? '',
    bankCode: payment.payerBankCode ?? '',
  }
  if (!ACCOUNT_NUMBER.test(accountNumber)) throw refundErrors.invalidAccount('the account number must have 10 digits')
  if (findBank(bankCode) === undefined) throw refundErrors.invalidAccount('its bank is not known')
  const enquiry = await rails.transfer.nameEnquiry({ accountNumber, bankCode })
  if (enquiry.kind === 'not found') throw refundErrors.invalidAccount('its bank does not know it')
  // A payer's account exists, whatever the bank says at this moment: it has sent money.
  const name = enquiry.kind === 'found' ? enquiry.accountName : destination === null ? payment.payerName : null
  if (name === null) throw refundErrors.invalidAccount('its bank does not answer, please try again')
  return {
    destinationAccountNumber: accountNumber,
    destinationAccountName: name,
    destinationBankCode: bankCode,
  }
}

/**
 * Writes a refund down and takes its money from the wallet. The transaction's row is locked, so all refunds of one payment
 * are decided one after the other.
 */
async function acceptRefund(unit: UnitOfWork, draft: RefundRow): Promise<RefundRow> {
  const { tx } = unit
  const { merchantId, transactionId, walletAccountNumber } = draft
  const [transaction] = await lockTransactions(tx, [{ merchantId, id: transactionId }])
  invariant(transaction !== undefined, 'a transaction stays')
  const refund: RefundRow = {
    ...draft,
    type: draft.amount === transaction.amountPaid ? 'FULL_REFUND' : 'PARTIAL_REFUND',
  }
  if (!(await insertRefund(tx, refund))) throw refundErrors.duplicateReference()
  const left = subtract(transaction.amountPaid, await refundedBeside(tx, refund))
  if (left === 0n) throw refundErrors.fullyRefunded()
  if (refund.amount > left) throw refundErrors.aboveAmount(toNairaText(left))
  const wallets = await openWallets(tx, [{ merchantId, accountNumber: walletAccountNumber }])
  const taken = wallets.take({
    journal: refundHeld(refund),
    reference: refund.refundReference,
    transactionReference: refund.reference,
    narration: refund.refundReason,
    message: `Refund of ${refund.transactionReference}`,
  })
  if (!taken) throw refundErrors.insufficientBalance()
  placeOrders(unit, [refundOrder(refund)])
  wallets.write(unit)
  return refund
}

export async function getRefund(db: Db, merchantId: bigint, refundReference: string): Promise<RefundRow> {
  const refund = await findRefund(db, merchantId, refundReference)
  if (refund === undefined) throw refundErrors.notFound()
  return refund
}

/** A page of refunds, newest first, and how many there are in all. */
export async function listRefunds(
  db: Db,
  merchantId: bigint,
  filter: RefundFilter,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<{ refunds: RefundRow[]; total: number }> {
  const [refunds, total] = await Promise.all([
    selectRefunds(db, merchantId, filter, size, page * size),
    countRefunds(db, merchantId, filter),
  ])
  return { refunds, total }
}
