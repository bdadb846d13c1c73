import type { MandateStatus } from '@kobo/contract'
import { type Page, slip } from '../../core/edge/pages/index.ts'
import { findBank } from '../../core/money/bank-list/index.ts'
import { toldDay } from '../../kernel/dates.ts'
import { toNairaForPeople } from '../../kernel/money.ts'
import { type Html, html } from '../../platform/html.ts'
import { amounts } from './instruction.ts'
import type { MandateRow } from './repository.ts'
import { answerable, type CustomerAnswer } from './service.ts'

const TITLES: Readonly<Record<MandateStatus, string>> = {
  INITIATED: 'Authorise a direct debit',
  PENDING_AUTHORIZATION: 'Authorise a direct debit',
  ACTIVE: 'You authorised this direct debit',
  SUSPENDED: 'Authorise a direct debit again',
  CANCELLED: 'This direct debit is cancelled',
  EXPIRED: 'This direct debit has ended',
  AUTHORIZATION_EXPIRED: 'The time to authorise this is over',
  FAILED: 'You refused this direct debit',
}

const NOTICES: Readonly<Record<MandateStatus, string>> = {
  INITIATED: 'Nothing is debited unless you agree.',
  PENDING_AUTHORIZATION: 'Nothing is debited unless you agree.',
  ACTIVE: 'Debits are taken from your account as stated here.',
  SUSPENDED: 'Your bank stopped the debits. They go on when you agree again.',
  CANCELLED: 'Nothing more is debited.',
  EXPIRED: 'Nothing more is debited.',
  AUTHORIZATION_EXPIRED: 'Nothing is debited. Ask the merchant to send a new request.',
  FAILED: 'Nothing is debited.',
}

const LABELS: Readonly<Record<CustomerAnswer, string>> = {
  authorize: 'I agree',
  refuse: 'I refuse',
  cancel: 'Cancel this direct debit',
}
const LOOKS: Readonly<Record<CustomerAnswer, string>> = { authorize: '', refuse: 'plain', cancel: 'danger' }
const ANSWERS = ['authorize', 'refuse', 'cancel'] as const

/** What a form said, where it is an answer. */
export const readAnswer = (text: string | undefined): CustomerAnswer | undefined =>
  ANSWERS.find((answer) => answer === text)

/** The page on which a customer of the sandbox answers for a mandate, at a time. It needs no script. */
export function mandatePage(mandate: MandateRow, merchantName: string, at: Date): Page {
  const { status, redirectUrl } = mandate
  const title = TITLES[status]
  const possible = ANSWERS.filter((answer) => answerable(mandate, answer, at))
  return {
    title: `${title} – ${merchantName}`,
    body: slip(
      html`<p class="merchant"><b class="initial" aria-hidden="true">${[...merchantName][0]}</b><span>${merchantName}</span></p>
<h1>${title}</h1>
<p class="quiet">${mandate.mandateDescription}</p>`,
      html`${facts(mandate)}
<p class="notice" role="status">${NOTICES[status]}</p>
${possible.length > 0 && answerForm(possible)}
${possible.includes('authorize') && otherWay(mandate)}
<p class="quiet small">This is a page of the sandbox. It stands for your bank's own.</p>`,
    ),
    formsLeadTo: redirectUrl === null ? [] : [new URL(redirectUrl).origin],
  }
}

const fact = (name: string, value: string): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`

const facts = (mandate: MandateRow): Html => html`<dl class="facts">
${[
  fact('Your name', mandate.customerName),
  fact('Your account', `${mandate.customerAccountNumber}, ${bankName(mandate.customerAccountBankCode)}`),
  fact('Amount', amounts(mandate)),
  fact('From', toldDay(mandate.startsAt)),
  fact('Until', `${toldDay(mandate.endsAt)}${mandate.autoRenew ? ', then again for as long' : ''}`),
  fact('Mandate', mandate.mandateCode),
]}</dl>`

const answerForm = (possible: readonly CustomerAnswer[]): Html => html`<form method="post" class="buttons beside">
${possible.map((answer) => html`<button class="button ${LOOKS[answer]}" name="decision" value="${answer}">${LABELS[answer]}</button>\n`)}</form>`

/** Paying the token says the same as the button. */
const otherWay = ({ tokenBankCode, tokenAccountNumber, tokenAmount }: MandateRow): Html => html`<details>
<summary>Or agree by a transfer</summary>
<dl class="facts">
${[
  fact('Pay', toNairaForPeople(tokenAmount)),
  fact('Bank', bankName(tokenBankCode)),
  fact('Account number', tokenAccountNumber),
  fact('From', 'your account above'),
]}</dl>
</details>`

const bankName = (code: string): string => findBank(code)?.name ?? code

/** Where the customer goes after the answer: back to the merchant, who is told for which mandate, or to the page itself. */
export function afterAnswer({ redirectUrl, mandateReference, mandateCode }: MandateRow, page: string): string {
  if (redirectUrl === null) return page
  const address = new URL(redirectUrl)
  address.searchParams.set('mandateReference', mandateReference)
  address.searchParams.set('mandateCode', mandateCode)
  return address.href
}
