import type { Merchant } from '../../core/merchants/index.ts'
import type { Notice } from '../../core/messages/notices.ts'
import { findBank } from '../../core/money/bank-list/index.ts'
import { toldMoment } from '../../kernel/dates.ts'
import { subtract, toNairaForPeople } from '../../kernel/money.ts'
import type { TransactionRow } from '../transactions/index.ts'
import type { InvoiceRow } from './repository.ts'

/** The mail by which a customer gets an invoice. */
export function invoiceMail(
  invoice: TransactionRow & Pick<InvoiceRow, 'bankCode' | 'accountNumber' | 'accountName'>,
  { id: merchantId, name }: Merchant,
  url: string,
): Notice {
  const { bankCode, accountNumber, accountName, amountPaid, payable } = invoice
  const missing = toNairaForPeople(subtract(payable, amountPaid))
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
      `${name} asks you to pay ${missing} by ${toldMoment(invoice.expiresAt)}, for: ${invoice.paymentDescription}`,
      ...(amountPaid === 0n
        ? []
        : [`Received so far: ${toNairaForPeople(amountPaid)} of ${toNairaForPeople(payable)}.`]),
      `Pay by card, transfer or USSD here: ${url}`,
      ...account,
      `The invoice as PDF: ${url}/invoice.pdf`,
    ].join('\n\n'),
  }
}
