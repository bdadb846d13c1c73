import type { MandateTexts } from '@kobo/contract'
import { bankName } from '../../core/bank-list/index.ts'
import { inLanguage, type PayerLanguage } from '../../core/edge/pages/index.ts'
import { displayDay, displayMoment } from '../../kernel/dates.ts'
import { formatNaira } from '../../kernel/money.ts'
import type { Mail } from '../../platform/smtp.ts'
import type { MandateRow } from './repository.ts'

/** Returns how the customer authorizes a mandate, as a text that the merchant can pass on. */
export const authorizationMessage = (mandate: MandateRow): string =>
  `Ask ${mandate.customerName} to pay a token of ${formatNaira(mandate.tokenAmount)} into account number ${mandate.tokenAccountNumber} at ` +
  `${bankName(mandate.tokenBankCode)}. The payment must come from the account that the mandate names, and authorizes it.`

/** Returns the mail that explains to the customer how to authorize a mandate. */
export function instructionMail(
  mandate: MandateRow,
  merchantName: string,
  link: string | null,
  { language, words }: PayerLanguage,
): Mail & { readonly language: string } {
  const { customerAccountNumber, customerAccountBankCode } = mandate
  const texts = words.mandate
  return {
    to: mandate.customerEmailAddress,
    language,
    subject: texts.subject(merchantName),
    text: [
      words.dear(mandate.customerName),
      texts.wants(merchantName, customerAccountNumber, bankName(customerAccountBankCode), mandate.mandateDescription),
      [
        `${texts.from}: ${displayDay(mandate.startsAt, language)}`,
        `${words.until}: ${endOf(mandate, { language, words })}`,
        `${words.amount}: ${amounts(mandate, texts)}`,
        `${texts.code}: ${mandate.mandateCode}`,
      ].join('\n'),
      texts.payToken(formatNaira(mandate.tokenAmount), displayMoment(mandate.authorizationEndsAt, language)),
      [
        `${words.bank}: ${bankName(mandate.tokenBankCode)}`,
        `${words.accountNumber}: ${mandate.tokenAccountNumber}`,
      ].join('\n'),
      ...(link === null ? [] : [texts.decideHere(inLanguage(link, mandate.language))]),
      texts.otherwise,
    ].join('\n\n'),
  }
}

/** Returns the mandate's last day in words, and whether it is then renewed. */
export function endOf({ endsAt, autoRenew }: MandateRow, { language, words }: PayerLanguage): string {
  const day = displayDay(endsAt, language)
  return autoRenew ? words.mandate.renewed(day) : day
}

/** Describes the allowed debits in words. */
export function amounts({ debitAmount, mandateAmount, autoRenew }: MandateRow, texts: MandateTexts): string {
  const each = debitAmount === null ? texts.varying : texts.each(formatNaira(debitAmount))
  const atMost = autoRenew ? texts.atMostWithRenewals : texts.atMost
  // Without an agreed total, only the end date limits the debits, and the customer must know that.
  return `${each}, ${mandateAmount === null ? texts.noLimit : atMost(formatNaira(mandateAmount))}`
}
