import type { Merchant } from '../../core/merchants/index.ts'
import type { Notice } from '../../core/messages/notices.ts'
import { findBank } from '../../core/money/bank-list/index.ts'
import { toldMoment } from '../../kernel/dates.ts'
import { type Kobo, subtract, toNairaForPeople } from '../../kernel/money.ts'
import type { Environment } from '../../platform/config.ts'
import type { Paper } from '../../platform/pdf.ts'
import type { TransactionRow } from '../transactions/index.ts'
import { type OpenedCheckout, showCheckout } from './show.ts'

const COLOUR = '#0c3b2a'
const METHODS: Readonly<Record<string, string>> = {
  ACCOUNT_TRANSFER: 'Bank transfer',
  CARD: 'Card',
  USSD: 'USSD',
  DIRECT_DEBIT: 'Direct debit',
  CASH: 'Cash',
}

/** The merchant's own reference; null where it has none, and ours stands in its place. */
const orderOf = ({ paymentReference, transactionReference }: TransactionRow): string | null =>
  paymentReference === transactionReference ? null : paymentReference

type Facts = Paper['facts']
const onlyKnown = (facts: readonly (readonly [string, string | null])[]): Facts =>
  facts.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))

const contactOf = ({ name, supportContact }: Merchant): readonly string[] =>
  supportContact === null ? [] : [`Questions? Ask ${name}: ${supportContact}`]

const badgeOf = (environment: Environment): string | null =>
  environment === 'sandbox' ? 'SANDBOX, no real money moved' : null

/** What a receipt says, line by line. */
export function receiptFacts(checkout: OpenedCheckout, at: Date): Facts {
  const { transaction, merchant } = checkout
  const { card, payer, receiptNumber } = showCheckout(checkout, at)
  const method = transaction.paymentMethod
  return onlyKnown([
    ['Receipt number', receiptNumber],
    ['Paid to', merchant.name],
    ['For', transaction.paymentDescription],
    ['Date', transaction.paidAt === null ? null : toldMoment(transaction.paidAt)],
    ['Payment method', card === null ? method && (METHODS[method] ?? method) : `${card.brand} •••• ${card.last4}`],
    ['Paid by', payer],
    ['Order reference', orderOf(transaction)],
    ['Transaction reference', transaction.transactionReference],
  ])
}

/** What was paid, of how much: a receipt tells where it was less or more. */
const paidText = (paid: Kobo, payable: Kobo): string =>
  paid === payable ? toNairaForPeople(paid) : `${toNairaForPeople(paid)} of ${toNairaForPeople(payable)}`

/** The receipt of a payment, or of what was paid of it. */
export function receiptPaper(checkout: OpenedCheckout, environment: Environment, at: Date): Paper {
  const { transaction, merchant } = checkout
  return {
    title: 'Receipt',
    head: merchant.name,
    badge: badgeOf(environment),
    figure: paidText(transaction.amountPaid, transaction.payable),
    facts: receiptFacts(checkout, at),
    notes: [`Payments to ${merchant.name} are received by Kobo.`, ...contactOf(merchant)],
    colour: merchant.brandColour ?? COLOUR,
  }
}

/** The receipt as a mail to the customer of the transaction. */
export function receiptMail(checkout: OpenedCheckout, environment: Environment, at: Date, pdfUrl: string): Notice {
  const { title, figure, facts, badge } = receiptPaper(checkout, environment, at)
  const { transaction, merchant } = checkout
  return {
    merchantId: merchant.id,
    recipient: transaction.customerEmail,
    subject: `${title} from ${merchant.name}: ${figure}${badge === null ? '' : ' (sandbox)'}`,
    text: [
      `${merchant.name} has received ${figure}.`,
      ...(badge === null ? [] : [badge]),
      facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
      `To keep or print: ${pdfUrl}`,
    ].join('\n\n'),
  }
}

/** An invoice, to be sent to who is to pay it. */
export function invoicePaper(checkout: OpenedCheckout, environment: Environment, url: string): Paper {
  const { transaction, merchant, account } = checkout
  const missing = subtract(transaction.payable, transaction.amountPaid)
  const into =
    account === undefined ? null : `${account.accountNumber}, ${findBank(account.bankCode)?.name ?? account.bankCode}`
  return {
    title: 'Invoice',
    head: merchant.name,
    badge: badgeOf(environment),
    figure: toNairaForPeople(transaction.payable),
    facts: onlyKnown([
      ['Invoice number', transaction.paymentReference],
      ['To', transaction.customerName],
      ['For', transaction.paymentDescription],
      ['Issued on', toldMoment(transaction.createdAt)],
      ['To be paid by', toldMoment(transaction.expiresAt)],
      ['Paid so far', transaction.amountPaid === 0n ? null : toNairaForPeople(transaction.amountPaid)],
      ['Still to pay', transaction.amountPaid === 0n || missing <= 0n ? null : toNairaForPeople(missing)],
      ['Pay into account', into],
      ['Account name', account === undefined ? null : `${account.accountName} (for ${merchant.name})`],
    ]),
    notes: [
      'Transfer the exact amount from any bank, or pay by card, transfer or USSD here:',
      url,
      ...contactOf(merchant),
    ],
    colour: merchant.brandColour ?? COLOUR,
  }
}
