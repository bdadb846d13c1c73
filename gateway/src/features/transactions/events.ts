import type { RejectionReason } from '@kobo/contract'
import { findBank } from '../../core/bank-list/index.ts'
import type { OutgoingEvent } from '../../core/messages/outbox/index.ts'
import { spacedMilliseconds, spacedTenth } from '../../kernel/dates.ts'
import { type Kobo, subtract, toNaira, toNairaText, ZERO } from '../../kernel/money.ts'
import { isFromAccount } from './collection.ts'
import type { PaymentRow, RejectedPaymentRow } from './payment-repository.ts'
import type { TransactionRow } from './repository.ts'

/** Creates the event that a payment arrived. It is sent after each credit, with all credits so far. */
export function collectionEvent(transaction: TransactionRow, payments: readonly PaymentRow[]): OutgoingEvent {
  const last = payments.at(-1)
  const { transactionReference, paymentReference, invoiceReference } = transaction
  return {
    merchantId: transaction.merchantId,
    eventType: 'SUCCESSFUL_TRANSACTION',
    refs: [transactionReference, paymentReference, ...(invoiceReference === null ? [] : [invoiceReference])],
    eventData: {
      product: product(transaction),
      transactionReference,
      paymentReference,
      ...(invoiceReference === null ? {} : { invoiceReference }),
      paidOn: spacedMilliseconds(transaction.paidAt ?? transaction.createdAt),
      paymentDescription: transaction.paymentDescription,
      metaData: transaction.metaData,
      paymentSourceInformation: payments.filter(isFromAccount).map(paymentSource),
      destinationAccountInformation:
        last?.accountNumber == null ? {} : destination(last.bankCode ?? '', last.accountNumber),
      amountPaid: toNaira(transaction.amountPaid),
      totalPayable: toNaira(transaction.payable),
      // Anyone with the token can charge the card, so events leave it out. Only an authenticated query returns it.
      cardDetails: last?.card ? { ...last.card, cardToken: null } : {},
      paymentMethod: transaction.paymentMethod ?? '',
      currency: transaction.currencyCode,
      settlementAmount: toNairaText(subtract(transaction.amountPaid, transaction.fee)),
      paymentStatus: transaction.status,
      customer: customer(transaction),
      ...offlineProduct(transaction),
    },
  }
}

const OFFLINE_CODE_LENGTH = 6

/** Returns the extra data of a cash payment at an agent: the amount, and the code under which it was paid. */
const offlineProduct = ({ productType, transactionReference, amountPaid }: TransactionRow) =>
  productType === 'OFFLINE_PAYMENT_AGENT'
    ? {
        offlineProductInformation: {
          amount: toNaira(amountPaid),
          code: transactionReference.slice(-OFFLINE_CODE_LENGTH),
          type: 'DYNAMIC',
        },
      }
    : {}

/** Creates the event that money was sent back to the payer. */
export function rejectionEvent(
  transaction: TransactionRow,
  rejected: RejectedPaymentRow & { reason: RejectionReason },
): OutgoingEvent {
  const { transactionReference, paymentReference } = transaction
  return {
    merchantId: transaction.merchantId,
    eventType: 'REJECTED_PAYMENT',
    refs: [transactionReference, paymentReference],
    eventData: {
      metaData: transaction.metaData,
      product: product(transaction),
      amount: toNaira(rejected.amount),
      paymentSourceInformation: paymentSource(rejected),
      transactionReference,
      created_on: spacedTenth(rejected.receivedAt),
      paymentReference,
      paymentRejectionInformation: {
        bankCode: rejected.bankCode ?? '',
        destinationAccountNumber: rejected.accountNumber ?? '',
        bankName: bankName(rejected.bankCode ?? ''),
        rejectionReason: rejected.reason,
        expectedAmount: toNaira(stillToPay(transaction)),
      },
      paymentDescription: transaction.paymentDescription,
      customer: customer(transaction),
    },
  }
}

/** Returns the amount still due: zero if more than enough arrived. */
const stillToPay = ({ payable, amountPaid }: TransactionRow): Kobo =>
  amountPaid < payable ? subtract(payable, amountPaid) : ZERO

const product = ({ productType, productReference }: TransactionRow) => ({
  reference: productReference,
  type: productType,
})
const customer = ({ customerName, customerEmail }: TransactionRow) => ({ name: customerName, email: customerEmail })
const destination = (bankCode: string, accountNumber: string) => ({
  bankCode,
  bankName: bankName(bankCode),
  accountNumber,
})
const bankName = (code: string): string => findBank(code)?.name ?? ''

const paymentSource = (
  payment: Pick<
    PaymentRow,
    'payerBankCode' | 'payerName' | 'payerAccountNumber' | 'amount' | 'railReference' | 'sessionId'
  >,
) => ({
  bankCode: payment.payerBankCode,
  amountPaid: toNaira(payment.amount),
  accountName: payment.payerName,
  sessionId: payment.sessionId ?? payment.railReference,
  accountNumber: payment.payerAccountNumber,
})
