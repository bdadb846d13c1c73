import type { PayerTexts } from '@kobo/contract'
import { bankName } from '../../core/bank-list/index.ts'
import { inLanguage, PALETTE, type PayerLanguage } from '../../core/edge/pages/index.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import type { Notice } from '../../core/messages/notices.ts'
import { displayNumeric } from '../../kernel/dates.ts'
import { formatNaira, type Kobo, subtract } from '../../kernel/money.ts'
import type { Environment } from '../../platform/config/config.ts'
import type { Paper } from '../../platform/formats/pdf.ts'
import { priceOf } from '../invoices/index.ts'
import type { Transaction } from '../transactions/index.ts'
import { type OpenedCheckout, showCheckout } from './show.ts'

/** Returns the merchant's own reference; null if the merchant gave none, so that ours takes its place. */
const orderOf = ({ paymentReference, transactionReference }: Transaction): string | null =>
  paymentReference === transactionReference ? null : paymentReference

type Facts = Paper['facts']
const onlyKnown = (facts: readonly (readonly [string, string | null])[]): Facts =>
  facts.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))

const contactOf = ({ name, supportContact }: Merchant, { questions }: PayerTexts): readonly string[] =>
  supportContact === null ? [] : [`${questions(name)} ${supportContact}`]

const badgeOf = (environment: Environment, { sandboxNote }: PayerTexts): string | null =>
  environment === 'sandbox' ? sandboxNote : null

function receiptFacts(checkout: OpenedCheckout, words: PayerTexts, at: Date): Facts {
  const { transaction, merchant } = checkout
  const { card, payer, receiptNumber } = showCheckout(checkout, at)
  const method = transaction.paymentMethod
  return onlyKnown([
    [words.receiptNumber, receiptNumber],
    [words.merchant, merchant.name],
    [words.description, transaction.paymentDescription],
    [words.date, transaction.paidAt === null ? null : displayNumeric(transaction.paidAt)],
    [
      words.method,
      card === null ? method && (words.methodNames[method] ?? method) : `${card.brand} •••• ${card.last4}`,
    ],
    [words.payer, payer],
    [words.orderReference, orderOf(transaction)],
    [words.transactionReference, transaction.transactionReference],
  ])
}

/** Returns the amount paid, with the amount due if they differ. */
const paidText = (paid: Kobo, payable: Kobo, { paidOf }: PayerTexts): string =>
  paid === payable ? formatNaira(paid) : paidOf(formatNaira(paid), formatNaira(payable))

/** Returns the receipt of a payment, full or partial, with the QR code that proves it. */
export function receiptDocument(
  checkout: OpenedCheckout,
  environment: Environment,
  { language, words }: PayerLanguage,
  at: Date,
  proof: NonNullable<Paper['qr']>['modules'] | null = null,
): Paper {
  const { transaction, merchant } = checkout
  return {
    language,
    title: words.receipt,
    head: merchant.name,
    badge: badgeOf(environment, words),
    figure: paidText(transaction.amountPaid, transaction.payable, words),
    facts: receiptFacts(checkout, words, at),
    notes: [words.receivedBy(merchant.name), ...contactOf(merchant, words)],
    qr: proof === null ? null : { modules: proof, caption: words.scanReceipt },
    colour: merchant.brandColour ?? PALETTE.light.stub,
    ink: PALETTE.light.ink,
  }
}

/** Returns the receipt as a mail to the customer of the transaction. */
export function receiptMail(
  checkout: OpenedCheckout,
  environment: Environment,
  spoken: PayerLanguage,
  at: Date,
  pdfUrl: string,
): Notice {
  const { figure, facts, badge } = receiptDocument(checkout, environment, spoken, at)
  const { transaction, merchant } = checkout
  const { words, language } = spoken
  return {
    merchantId: merchant.id,
    recipient: transaction.customerEmail,
    subject: `${words.receiptFrom(merchant.name, figure)}${badge === null ? '' : ' (sandbox)'}`,
    text: [
      words.received(merchant.name, figure),
      ...(badge === null ? [] : [badge]),
      facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
      words.toKeep(inLanguage(pdfUrl, language)),
    ].join('\n\n'),
    language,
  }
}

export function invoiceDocument(
  checkout: OpenedCheckout,
  environment: Environment,
  { language, words }: PayerLanguage,
  url: string,
): Paper {
  const { transaction, merchant, account, items } = checkout
  const missing = subtract(transaction.payable, transaction.amountPaid)
  const into = account === undefined ? null : `${account.accountNumber}, ${bankName(account.bankCode)}`
  return {
    language,
    title: words.invoice,
    head: merchant.name,
    badge: badgeOf(environment, words),
    figure: formatNaira(transaction.payable),
    facts: onlyKnown([
      [words.invoiceNumber, transaction.paymentReference],
      [words.billedTo, transaction.customerName],
      [words.description, transaction.paymentDescription],
      ...items.map(
        (item) =>
          [
            `${item.quantity} × ${formatNaira(item.unitPrice)}`,
            `${item.description}: ${formatNaira(priceOf(item))}`,
          ] as const,
      ),
      [words.issuedOn, displayNumeric(transaction.createdAt)],
      [words.payBy, displayNumeric(transaction.expiresAt)],
      [words.paidSoFar, transaction.amountPaid === 0n ? null : formatNaira(transaction.amountPaid)],
      [words.stillToPay, transaction.amountPaid === 0n || missing <= 0n ? null : formatNaira(missing)],
      [words.payInto, into],
      [words.accountName, account === undefined ? null : words.accountOf(account.accountName, merchant.name)],
    ]),
    notes: [words.payHere, url, ...contactOf(merchant, words)],
    qr: null,
    colour: merchant.brandColour ?? PALETTE.light.stub,
    ink: PALETTE.light.ink,
  }
}
