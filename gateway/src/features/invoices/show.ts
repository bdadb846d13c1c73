import type { InvoiceSplit, Invoice as ShownInvoice } from '@kobo/contract'
import type { Static } from 'typebox'
import { findBank } from '../../core/bank-list/index.ts'
import { spaced } from '../../kernel/dates.ts'
import { fromNaira, toNaira } from '../../kernel/money.ts'
import type { CheckoutLinks, RequestedSplit } from '../transactions/index.ts'
import { itemsOf } from './repository.ts'
import type { Invoice } from './service.ts'
import { invoiceStatus } from './status.ts'

/** Shows an invoice with its status at the given time. */
export function showInvoice(invoice: Invoice, links: CheckoutLinks, at: Date): Static<typeof ShownInvoice> {
  const { bankCode, accountNumber, accountName } = invoice
  const items = itemsOf(invoice)
  return {
    amount: toNaira(invoice.amount),
    invoiceReference: invoice.paymentReference,
    invoiceStatus: invoiceStatus(invoice, at),
    description: invoice.paymentDescription ?? '',
    contractCode: invoice.contractCode,
    customerEmail: invoice.customerEmail,
    customerName: invoice.customerName ?? '',
    expiryDate: spaced(invoice.expiresAt),
    createdBy: invoice.createdBy,
    createdOn: spaced(invoice.createdAt),
    checkoutUrl: links.urlOf(invoice.transactionReference),
    ...(bankCode === null || accountNumber === null || accountName === null
      ? {}
      : { accountNumber, accountName, bankName: findBank(bankCode)?.name ?? '', bankCode }),
    redirectUrl: invoice.redirectUrl,
    transactionReference: invoice.transactionReference,
    incomeSplitConfig: invoice.sentSplits.map(showSplit),
    ...(items.length === 0 ? {} : { items: items.map((item) => ({ ...item, unitPrice: toNaira(item.unitPrice) })) }),
  }
}

/** Shows a split as it was sent, with null for missing values. */
const showSplit = (item: RequestedSplit): Static<typeof InvoiceSplit> => {
  const fixed = fromNaira(item.splitAmount ?? 0)
  return {
    subAccountCode: item.subAccountCode,
    splitAmount: fixed === undefined ? null : toNaira(fixed),
    feePercentage: item.feePercentage == null ? null : Number(item.feePercentage),
    feeBearer: item.feeBearer ?? false,
    splitPercentage: item.splitPercentage == null ? null : Number(item.splitPercentage),
  }
}
