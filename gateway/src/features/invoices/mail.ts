import { bankName } from '../../core/bank-list/index.ts'
import type { PayerLanguage } from '../../core/edge/pages/index.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import type { Notice } from '../../core/messages/notices.ts'
import { displayMoment } from '../../kernel/dates.ts'
import { formatNaira, subtract } from '../../kernel/money.ts'
import type { Transaction } from '../transactions/index.ts'
import { type InvoiceItem, type InvoiceRow, itemsOf, priceOf } from './repository.ts'

const itemLine = (item: InvoiceItem): string =>
  `${item.quantity} × ${item.description}, ${formatNaira(item.unitPrice)}: ${formatNaira(priceOf(item))}`

/** Returns the mail that sends an invoice to its customer. */
export function invoiceMail(
  invoice: Transaction & Pick<InvoiceRow, 'bankCode' | 'accountNumber' | 'accountName' | 'items'>,
  { id: merchantId, name }: Merchant,
  { url, pdfUrl }: { readonly url: string; readonly pdfUrl: string },
  { language, words }: PayerLanguage,
): Notice {
  const { bankCode, accountNumber, accountName, amountPaid, payable } = invoice
  const items = itemsOf(invoice)
  const missing = formatNaira(subtract(payable, amountPaid))
  const account =
    bankCode === null || accountName === null
      ? []
      : [
          [
            `${words.transferTitle(missing)}:`,
            `${words.bank}: ${bankName(bankCode)}`,
            `${words.accountNumber}: ${accountNumber}`,
            `${words.accountName}: ${words.accountOf(accountName, name)}`,
          ].join('\n'),
        ]
  return {
    merchantId,
    recipient: invoice.customerEmail,
    language,
    subject: words.invoiceFrom(invoice.paymentReference, name, missing),
    text: [
      ...(invoice.customerName === null ? [] : [words.dear(invoice.customerName)]),
      words.asksToPay(name),
      [
        `${words.amount}: ${missing}`,
        `${words.description}: ${invoice.paymentDescription}`,
        `${words.payBy}: ${displayMoment(invoice.expiresAt, language)}`,
      ].join('\n'),
      ...(items.length === 0 ? [] : [items.map(itemLine).join('\n')]),
      ...(amountPaid === 0n ? [] : [words.partNote(formatNaira(amountPaid), formatNaira(payable))]),
      `${words.payHere} ${url}`,
      ...account,
      `${words.invoicePdf}: ${pdfUrl}`,
    ].join('\n\n'),
  }
}
