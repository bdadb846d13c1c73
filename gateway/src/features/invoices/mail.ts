import { findBank } from '../../core/bank-list/index.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import type { Notice } from '../../core/messages/notices.ts'
import { displayMoment } from '../../kernel/dates.ts'
import { formatNaira, subtract } from '../../kernel/money.ts'
import type { Transaction } from '../transactions/index.ts'
import type { InvoiceRow } from './repository.ts'

/** The mail that sends an invoice to its customer. */
export function invoiceMail(
  invoice: Transaction & Pick<InvoiceRow, 'bankCode' | 'accountNumber' | 'accountName'>,
  { id: merchantId, name }: Merchant,
  url: string,
): Notice {
  const { bankCode, accountNumber, accountName, amountPaid, payable } = invoice
  const missing = formatNaira(subtract(payable, amountPaid))
  const account =
    bankCode === null
      ? []
      : [
          [
            `Or transfer exactly ${missing} into:`,
            `Bank:           ${findBank(bankCode)?.name ?? bankCode}`,
            `Account number: ${accountNumber}`,
            `Account name:   ${accountName} (for ${name})`,
          ].join('\n'),
        ]
  return {
    merchantId,
    recipient: invoice.customerEmail,
    subject: `Invoice ${invoice.paymentReference} from ${name}: ${missing}`,
    text: [
      `Dear ${invoice.customerName},`,
      `${name} requests ${missing} by ${displayMoment(invoice.expiresAt)}, for: ${invoice.paymentDescription}`,
      ...(amountPaid === 0n ? [] : [`Received so far: ${formatNaira(amountPaid)} of ${formatNaira(payable)}.`]),
      `Pay by card, transfer or USSD here: ${url}`,
      ...account,
      `The invoice as PDF: ${url}/invoice.pdf`,
    ].join('\n\n'),
  }
}
