import type * as contract from '@kobo/contract'
import type { PaymentMethod, PaymentStatus, RejectionReason, Reply } from '@kobo/contract'
import { logoPath, type Merchant } from '../../core/merchants/index.ts'
import { findBank } from '../../core/money/bank-list/index.ts'
import type { VirtualAccount } from '../../core/money/virtual-accounts/index.ts'
import { subtract, toNaira } from '../../kernel/money.ts'
import { type PageCard, paidCard } from '../cards/index.ts'
import type { ReturnRow } from '../returns/index.ts'
import type { PaymentRow, TransactionRow } from '../transactions/index.ts'

/** A transaction with what its payer's page needs. */
export interface OpenedCheckout {
  readonly merchant: Merchant
  readonly transaction: TransactionRow
  readonly account: VirtualAccount | undefined
  /** Money that came for it and was not taken. */
  readonly returns: readonly ReturnRow[]
  /** How far paying by card has come, where it was tried. */
  readonly card: PageCard | undefined
  /** The last of the money that came, where some did. */
  readonly payment: PaymentRow | undefined
}

/** Whether a payer can pay on the page by a method. A direct debit is nothing that a payer starts here. */
const PAGE_METHODS: Readonly<Record<PaymentMethod, boolean>> = {
  CARD: true,
  ACCOUNT_TRANSFER: true,
  USSD: true,
  DIRECT_DEBIT: false,
}

const pageMethods = (methods: readonly string[], merchant: Merchant): string[] =>
  methods.filter((method) => PAGE_METHODS[method as PaymentMethod] && (method !== 'CARD' || offersCards(merchant)))

/** Whether payers can look only: the merchant is suspended or closed. */
export const isPaused = ({ standing }: Merchant): boolean => standing !== 'ACTIVE'

/** Whether the page takes cards for a merchant. */
export const offersCards = ({ permissions }: Merchant): boolean => permissions.includes('checkoutCards')

/** What a payer may know of a transaction: no customer, nothing of the merchant but its name, and who paid once it is paid. */
export function showCheckout(
  { merchant, transaction, account, returns, card, payment }: OpenedCheckout,
  at: Date,
): Reply<typeof contract.getCheckout> {
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
    paidOn: transaction.paidAt?.getTime() ?? null,
    expiresOn: transaction.expiresAt.getTime(),
    now: at.getTime(),
    account: completed || paused || account === undefined ? null : showAccount(account),
    card: completed ? shownPayment(payment) : (card?.shown ?? null),
    payer: completed && payment !== undefined ? payerOf(payment, transaction) : null,
    receiptNumber: receiptNumber(transaction),
    invoice: invoiceOf(transaction),
    cardInProgress: card?.isUnderWay === true && !completed,
    paused,
    canSaveCard: !completed && !paused && offersCards(merchant) && merchant.permissions.includes('recurring'),
    returns: returns.map(showReturn),
    returnUrl: returnUrl(transaction),
  }
}

/** The status as it is now, also where nobody has come by to write down that the time is over. */
function statusAt({ status, completedAt, expiresAt }: TransactionRow, at: Date): PaymentStatus {
  const isOver = completedAt === null && expiresAt <= at
  return isOver && (status === 'PENDING' || status === 'FAILED') ? 'EXPIRED' : status
}

const shownPayment = (payment: PaymentRow | undefined) =>
  payment === undefined || payment.card === null ? null : paidCard(payment.card)

/** Whom the money came from: the holder of the account, or who was asked where a card says no name. */
function payerOf({ payerName, payerAccountNumber }: PaymentRow, { customerName }: TransactionRow): string | null {
  if (payerName === null) return customerName
  return payerAccountNumber === null ? payerName : `${payerName}, ******${payerAccountNumber.slice(-4)}`
}

/** The number of the receipt: that of the transaction, as people write numbers. */
export const receiptNumber = ({ transactionReference }: Pick<TransactionRow, 'transactionReference'>): string => {
  const [, node, second, count] = transactionReference.split('|')
  return `R-${second}-${node}${count}`
}

/** An invoice is sent to who is to pay it, so its page says to whom. */
const invoiceOf = ({ invoiceReference, customerName }: TransactionRow) =>
  invoiceReference === null ? null : { invoiceReference, customerName }

const showAccount = ({ accountNumber, accountName, bankCode }: VirtualAccount) => ({
  accountNumber,
  accountName,
  bankCode,
  bankName: findBank(bankCode)?.name ?? '',
})

/** Whoever sends it back, and whether or not a person has to see to it: for the payer it is on its way until it is back. */
const showReturn = ({ amount, reason, state }: ReturnRow) => ({
  amount: toNaira(amount),
  reason: reason as RejectionReason,
  state: state === 'RETURNED' ? ('RETURNED' as const) : ('ON_ITS_WAY_BACK' as const),
})

/** Where the payer goes afterwards: the merchant's own address, told which payment it was. */
function returnUrl({ redirectUrl, paymentReference }: TransactionRow): string | null {
  if (redirectUrl === null || !URL.canParse(redirectUrl)) return null
  const url = new URL(redirectUrl)
  url.searchParams.set('paymentReference', paymentReference)
  return url.href
}
