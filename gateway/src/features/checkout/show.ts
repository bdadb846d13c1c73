import type * as contract from '@kobo/contract'
import type { PaymentMethod, PaymentStatus, RejectionReason, Reply } from '@kobo/contract'
import type { VirtualAccount } from '../../core/account-numbers/index.ts'
import { findBank } from '../../core/bank-list/index.ts'
import { logoPath, type Merchant } from '../../core/merchants/index.ts'
import { subtract, toNaira } from '../../kernel/money.ts'
import { type PageCard, paidCard } from '../cards/index.ts'
import type { InvoiceItem } from '../invoices/index.ts'
import type { ReturnRow } from '../returns/index.ts'
import type { Payment, Transaction } from '../transactions/index.ts'

/** A transaction with the data of its checkout page. */
export interface OpenedCheckout {
  readonly merchant: Merchant
  readonly transaction: Transaction
  readonly account: VirtualAccount | undefined
  /** Returns of money that arrived for the transaction and was not accepted. */
  readonly returns: readonly ReturnRow[]
  /** The progress of a card payment, if there was an attempt. */
  readonly card: PageCard | undefined
  /** The latest payment, if any. */
  readonly payment: Payment | undefined
  readonly items: readonly InvoiceItem[]
}

/** Whether a payer can use a payment method on the page. A payer cannot start a direct debit here. */
const PAGE_METHODS: Readonly<Record<PaymentMethod, boolean>> = {
  CARD: true,
  ACCOUNT_TRANSFER: true,
  USSD: true,
  DIRECT_DEBIT: false,
}

const pageMethods = (methods: readonly string[], merchant: Merchant): string[] =>
  methods.filter((method) => PAGE_METHODS[method as PaymentMethod] && (method !== 'CARD' || offersCards(merchant)))

/** Whether the page is read-only: the merchant is suspended or closed. */
export const isPaused = ({ standing }: Merchant): boolean => standing !== 'ACTIVE'

/** Whether the page takes cards for a merchant. */
export const offersCards = ({ permissions }: Merchant): boolean => permissions.includes('checkoutCards')

/**
 * Returns the data that a payer may see. The customer's name is shown only on an invoice, the payer's only at the end.
 */
export function showCheckout(
  { merchant, transaction, account, returns, card, payment, items }: OpenedCheckout,
  at: Date,
): Omit<Reply<typeof contract.getCheckout>, 'receiptProof'> {
  const status = statusAt(transaction, at)
  const completed = transaction.completedAt !== null || transaction.expiresAt <= at
  const paused = isPaused(merchant)
  return {
    transactionReference: transaction.transactionReference,
    paymentReference: transaction.paymentReference,
    merchantName: merchant.name,
    merchantLogo: logoPath(merchant),
    supportContact: merchant.supportContact,
    paymentDescription: transaction.paymentDescription,
    currencyCode: transaction.currencyCode,
    amount: toNaira(transaction.amount),
    fee: toNaira(subtract(transaction.payable, transaction.amount)),
    totalPayable: toNaira(transaction.payable),
    amountPaid: toNaira(transaction.amountPaid),
    paymentStatus: status,
    completed,
    paymentMethods: completed || paused ? [] : pageMethods(transaction.paymentMethods, merchant),
    paymentMethod: transaction.paymentMethod,
    createdOn: transaction.createdAt.getTime(),
    paidOn: transaction.paidAt?.getTime() ?? null,
    expiresOn: transaction.expiresAt.getTime(),
    now: at.getTime(),
    account: completed || paused || account === undefined ? null : showAccount(account),
    card: completed ? shownPayment(payment) : (card?.shown ?? null),
    payer: completed && payment !== undefined ? payerOf(payment, transaction) : null,
    receiptNumber: receiptNumber(transaction),
    invoice: invoiceOf(transaction, items),
    cardInProgress: card?.isUnderWay === true && !completed,
    paused,
    canSaveCard: !completed && !paused && offersCards(merchant) && merchant.permissions.includes('recurring'),
    returns: returns.map(showReturn),
    returnUrl: returnUrl(transaction),
  }
}

/** Returns the current status, even if no sweep has recorded the expiry yet. */
function statusAt({ status, completedAt, expiresAt }: Transaction, at: Date): PaymentStatus {
  const isOver = completedAt === null && expiresAt <= at
  return isOver && (status === 'PENDING' || status === 'FAILED') ? 'EXPIRED' : status
}

const shownPayment = (payment: Payment | undefined) =>
  payment === undefined || payment.card === null ? null : paidCard(payment.card)

/** Returns the payer's name: the account holder's, or the customer's if the payment names no payer. */
function payerOf({ payerName, payerAccountNumber }: Payment, { customerName }: Transaction): string | null {
  if (payerName === null) return customerName
  return payerAccountNumber === null ? payerName : `${payerName}, ******${payerAccountNumber.slice(-4)}`
}

/** Returns the receipt's number, made of the digits of the transaction reference. */
export const receiptNumber = ({ transactionReference }: Pick<Transaction, 'transactionReference'>): string => {
  const [, node, second, count] = transactionReference.split('|')
  return `R-${second}-${node}${count}`
}

/** Returns the invoice of a transaction. Its page names the customer. */
const invoiceOf = ({ invoiceReference, customerName }: Transaction, items: readonly InvoiceItem[]) =>
  invoiceReference === null
    ? null
    : {
        invoiceReference,
        customerName,
        items: items.map((item) => ({ ...item, unitPrice: toNaira(item.unitPrice) })),
      }

const showAccount = ({ accountNumber, accountName, bankCode }: VirtualAccount) => ({
  accountNumber,
  accountName,
  bankCode,
  bankName: findBank(bankCode)?.name ?? '',
})

/** Shows a return. For the payer, it is in transit until it has arrived, even if it needs manual review. */
const showReturn = ({ amount, reason, state }: ReturnRow) => ({
  amount: toNaira(amount),
  reason: reason as RejectionReason,
  state: state === 'RETURNED' ? ('RETURNED' as const) : ('ON_ITS_WAY_BACK' as const),
})

/** Returns the merchant's redirect URL, with the payment's reference. */
function returnUrl({ redirectUrl, paymentReference }: Transaction): string | null {
  if (redirectUrl === null || !URL.canParse(redirectUrl)) return null
  const url = new URL(redirectUrl)
  url.searchParams.set('paymentReference', paymentReference)
  return url.href
}
