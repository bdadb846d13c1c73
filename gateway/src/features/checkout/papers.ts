import type { PaperWords } from '@kobo/contract'
import type { Merchant } from '../../core/merchants/index.ts'
import type { Notice } from '../../core/messages/notices.ts'
import { findBank } from '../../core/money/bank-list/index.ts'
import { toldInFigures } from '../../kernel/dates.ts'
import { type Kobo, subtract, toNairaForPeople } from '../../kernel/money.ts'
import type { Environment } from '../../platform/config.ts'
import type { Paper } from '../../platform/pdf.ts'
import type { TransactionRow } from '../transactions/index.ts'
import { type OpenedCheckout, showCheckout } from './show.ts'

const COLOUR = '#0c3b2a'

/** The language of a paper, and its words. */
export interface PaperLanguage {
  readonly language: string
  readonly words: PaperWords
}

/** The merchant's own reference; null where it has none, and ours stands in its place. */
const orderOf = ({ paymentReference, transactionReference }: TransactionRow): string | null =>
  paymentReference === transactionReference ? null : paymentReference

type Facts = Paper['facts']
const onlyKnown = (facts: readonly (readonly [string, string | null])[]): Facts =>
  facts.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))

const contactOf = ({ name, supportContact }: Merchant, { questions }: PaperWords): readonly string[] =>
  supportContact === null ? [] : [`${questions(name)} ${supportContact}`]

const badgeOf = (environment: Environment, { sandboxNote }: PaperWords): string | null =>
  environment === 'sandbox' ? sandboxNote : null

/** What a receipt says, line by line. */
function receiptFacts(checkout: OpenedCheckout, words: PaperWords, at: Date): Facts {
  const { transaction, merchant } = checkout
  const { card, payer, receiptNumber } = showCheckout(checkout, at)
  const method = transaction.paymentMethod
  return onlyKnown([
    [words.receiptNumber, receiptNumber],
    [words.merchant, merchant.name],
    [words.description, transaction.paymentDescription],
    [words.date, transaction.paidAt === null ? null : toldInFigures(transaction.paidAt)],
    [
      words.method,
      card === null ? method && (words.methodNames[method] ?? method) : `${card.brand} •••• ${card.last4}`,
    ],
    [words.payer, payer],
    [words.orderReference, orderOf(transaction)],
    [words.transactionReference, transaction.transactionReference],
  ])
}

/** What was paid, of how much: a receipt tells where it was less or more. */
const paidText = (paid: Kobo, payable: Kobo, { paidOf }: PaperWords): string =>
  paid === payable ? toNairaForPeople(paid) : paidOf(toNairaForPeople(paid), toNairaForPeople(payable))

/** The receipt of a payment, or of what was paid of it. */
export function receiptPaper(
  checkout: OpenedCheckout,
  environment: Environment,
  { language, words }: PaperLanguage,
  at: Date,
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
    colour: merchant.brandColour ?? COLOUR,
  }
}

/** The receipt as a mail to the customer of the transaction. */
export function receiptMail(
  checkout: OpenedCheckout,
  environment: Environment,
  spoken: PaperLanguage,
  at: Date,
  pdfUrl: string,
): Notice {
  const { figure, facts, badge } = receiptPaper(checkout, environment, spoken, at)
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
      words.toKeep(`${pdfUrl}?lang=${language}`),
    ].join('\n\n'),
  }
}

/** An invoice, to be sent to who is to pay it. */
export function invoicePaper(
  checkout: OpenedCheckout,
  environment: Environment,
  { language, words }: PaperLanguage,
  url: string,
): Paper {
  const { transaction, merchant, account } = checkout
  const missing = subtract(transaction.payable, transaction.amountPaid)
  const into =
    account === undefined ? null : `${account.accountNumber}, ${findBank(account.bankCode)?.name ?? account.bankCode}`
  return {
    language,
    title: words.invoice,
    head: merchant.name,
    badge: badgeOf(environment, words),
    figure: toNairaForPeople(transaction.payable),
    facts: onlyKnown([
      [words.invoiceNumber, transaction.paymentReference],
      [words.billedTo, transaction.customerName],
      [words.description, transaction.paymentDescription],
      [words.issuedOn, toldInFigures(transaction.createdAt)],
      [words.payBy, toldInFigures(transaction.expiresAt)],
      [words.paidSoFar, transaction.amountPaid === 0n ? null : toNairaForPeople(transaction.amountPaid)],
      [words.stillToPay, transaction.amountPaid === 0n || missing <= 0n ? null : toNairaForPeople(missing)],
      [words.payInto, into],
      [words.accountName, account === undefined ? null : words.accountOf(account.accountName, merchant.name)],
    ]),
    notes: [words.payHere, url, ...contactOf(merchant, words)],
    colour: merchant.brandColour ?? COLOUR,
  }
}
