import type { AccountDetails, TransactionListRecord, TransactionStatusRecord } from '@kobo/contract'
import type { Static } from 'typebox'
import type { Merchant } from '../../core/merchants/index.ts'
import { slashed, zoned } from '../../kernel/dates.ts'
import { subtract, toNaira, toNairaText } from '../../kernel/money.ts'
import { isFromAccount } from './collection.ts'
import type { TransactionRow } from './repository.ts'
import type { ShownPayment, StatusRecord } from './status.ts'

export function showStatus({ transaction, payments }: StatusRecord): Static<typeof TransactionStatusRecord> {
  const isPaid = transaction.amountPaid > 0n
  const accountPayments = payments.filter(isFromAccount).map(showPayment)
  return {
    transactionReference: transaction.transactionReference,
    paymentReference: transaction.paymentReference,
    amountPaid: toNairaText(transaction.amountPaid),
    totalPayable: toNairaText(transaction.payable),
    settlementAmount: isPaid ? toNairaText(subtract(transaction.amountPaid, transaction.fee)) : null,
    paidOn: transaction.paidAt === null ? null : slashed(transaction.paidAt),
    paymentStatus: transaction.status,
    paymentDescription: transaction.paymentDescription,
    currency: transaction.currencyCode,
    paymentMethod: transaction.paymentMethod,
    product: { type: transaction.productType, reference: transaction.productReference },
    cardDetails: payments.at(-1)?.card ?? null,
    accountDetails: accountPayments.at(-1) ?? null,
    accountPayments,
    customer: { email: transaction.customerEmail, name: transaction.customerName },
    metaData: transaction.metaData,
  }
}

const showPayment = (payment: ShownPayment): Static<typeof AccountDetails> => ({
  accountName: payment.payerName,
  accountNumber: payment.payerAccountNumber === null ? null : `******${payment.payerAccountNumber.slice(-4)}`,
  bankCode: payment.payerBankCode,
  amountPaid: toNairaText(payment.amount),
})

export function showListed(transaction: TransactionRow, merchant: Merchant): Static<typeof TransactionListRecord> {
  const isPaid = transaction.amountPaid > 0n
  return {
    customerDTO: { email: transaction.customerEmail, name: transaction.customerName, merchantCode: merchant.code },
    ...(transaction.paymentMethod === null ? {} : { paymentMethod: transaction.paymentMethod }),
    createdOn: zoned(transaction.createdAt),
    ...(transaction.completedAt === null ? {} : { completedOn: zoned(transaction.completedAt) }),
    amount: toNaira(transaction.amount),
    flagged: false,
    ...(isPaid ? { fee: toNaira(transaction.fee), amountPaid: toNaira(transaction.amountPaid) } : {}),
    currencyCode: transaction.currencyCode,
    paymentDescription: transaction.paymentDescription,
    paymentStatus: transaction.status,
    transactionReference: transaction.transactionReference,
    paymentReference: transaction.paymentReference,
    merchantCode: merchant.code,
    merchantName: merchant.name,
    metaData: transaction.metaData,
    payableAmount: toNaira(transaction.payable),
    completed: transaction.completedAt !== null,
    paymentMethodList: [...transaction.paymentMethods],
    collectionChannel: transaction.productType,
  }
}

export const showTransaction = { status: showStatus, listed: showListed }
