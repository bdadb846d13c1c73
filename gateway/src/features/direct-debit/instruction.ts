import { findBank } from '../../core/money/bank-list/index.ts'
import { toldDay, toldMoment } from '../../kernel/dates.ts'
import { toNairaForPeople } from '../../kernel/money.ts'
import type { MandateRow } from './repository.ts'

const bankName = (code: string): string => findBank(code)?.name ?? code

/** How the customer authorises a mandate, in one sentence for the merchant to pass on. */
export const authorizationMessage = (mandate: MandateRow): string =>
  `Ask ${mandate.customerName} to pay a token of ${toNairaForPeople(mandate.tokenAmount)} into account number ${mandate.tokenAccountNumber} at ` +
  `${bankName(mandate.tokenBankCode)}. The payment must come from the account that the mandate names, and authorises it.`

/** The mail that tells the customer how to authorise a mandate. */
export function instructionMail(
  mandate: MandateRow,
  merchantName: string,
  link: string | null,
): { readonly to: string; readonly subject: string; readonly text: string } {
  const { customerAccountNumber, customerAccountBankCode } = mandate
  return {
    to: mandate.customerEmailAddress,
    subject: `${merchantName} asks you to authorise a direct debit`,
    text: [
      `Dear ${mandate.customerName},`,
      `${merchantName} asks to debit your account ${customerAccountNumber} at ${bankName(customerAccountBankCode)}: ${mandate.mandateDescription}`,
      [
        `From:   ${toldDay(mandate.startsAt)}`,
        `Until:  ${toldDay(mandate.endsAt)}${mandate.autoRenew ? ', then again for as long' : ''}`,
        `Amount: ${amounts(mandate)}`,
        `Code:   ${mandate.mandateCode}`,
      ].join('\n'),
      `If you agree, pay ${toNairaForPeople(mandate.tokenAmount)} from that account, before ${toldMoment(mandate.authorizationEndsAt)}, into:`,
      [`Bank:           ${bankName(mandate.tokenBankCode)}`, `Account number: ${mandate.tokenAccountNumber}`].join(
        '\n',
      ),
      ...(link === null ? [] : [`Or answer here: ${link}`]),
      'If you do not agree, do nothing.',
    ].join('\n\n'),
  }
}

/** What may be debited, in words. */
export function amounts({ debitAmount, mandateAmount, autoRenew }: MandateRow): string {
  const each = debitAmount === null ? 'amounts that vary' : `${toNairaForPeople(debitAmount)} each time`
  // Without a sum that was agreed on, nothing but its end limits it: whoever agrees is to know that.
  const inAll =
    mandateAmount === null
      ? ', with no limit in all'
      : `, ${toNairaForPeople(mandateAmount)} at most${autoRenew ? ' in that time' : ''}`
  return `${each}${inAll}`
}
