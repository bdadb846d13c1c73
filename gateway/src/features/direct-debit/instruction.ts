import { findBank } from '../../core/bank-list/index.ts'
import { displayDay, displayMoment } from '../../kernel/dates.ts'
import { formatNaira } from '../../kernel/money.ts'
import type { MandateRow } from './repository.ts'

const bankName = (code: string): string => findBank(code)?.name ?? code

/** How the customer authorizes a mandate, in one sentence for the merchant to pass on. */
export const authorizationMessage = (mandate: MandateRow): string =>
  `Ask ${mandate.customerName} to pay a token of ${formatNaira(mandate.tokenAmount)} into account number ${mandate.tokenAccountNumber} at ` +
  `${bankName(mandate.tokenBankCode)}. The payment must come from the account that the mandate names, and authorizes it.`

/** The mail that explains to the customer how to authorize a mandate. */
export function instructionMail(
  mandate: MandateRow,
  merchantName: string,
  link: string | null,
): { readonly to: string; readonly subject: string; readonly text: string } {
  const { customerAccountNumber, customerAccountBankCode } = mandate
  return {
    to: mandate.customerEmailAddress,
    subject: `${merchantName} asks you to authorize a direct debit`,
    text: [
      `Dear ${mandate.customerName},`,
      `${merchantName} wants to debit your account ${customerAccountNumber} at ${bankName(customerAccountBankCode)}: ${mandate.mandateDescription}`,
      [
        `From:   ${displayDay(mandate.startsAt)}`,
        `Until:  ${displayDay(mandate.endsAt)}${mandate.autoRenew ? ', then renewed for the same period' : ''}`,
        `Amount: ${amounts(mandate)}`,
        `Code:   ${mandate.mandateCode}`,
      ].join('\n'),
      `If you agree, pay ${formatNaira(mandate.tokenAmount)} from that account, before ${displayMoment(mandate.authorizationEndsAt)}, into:`,
      [`Bank:           ${bankName(mandate.tokenBankCode)}`, `Account number: ${mandate.tokenAccountNumber}`].join(
        '\n',
      ),
      ...(link === null ? [] : [`Or authorize or decline it here: ${link}`]),
      'If you do not agree, do nothing.',
    ].join('\n\n'),
  }
}

/** The allowed debits, in words. */
export function amounts({ debitAmount, mandateAmount, autoRenew }: MandateRow): string {
  const each = debitAmount === null ? 'variable amounts' : `${formatNaira(debitAmount)} each time`
  // Without an agreed total, only the end date limits the debits, and the customer must know that.
  const inAll =
    mandateAmount === null
      ? ', with no total limit'
      : `, ${formatNaira(mandateAmount)} at most${autoRenew ? ' in that time' : ''}`
  return `${each}${inAll}`
}
