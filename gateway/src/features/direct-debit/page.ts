import type { MandateStatus } from '@kobo/contract'
import { findBank } from '../../core/bank-list/index.ts'
import { type Page, slip } from '../../core/edge/pages/index.ts'
import { displayDay } from '../../kernel/dates.ts'
import { formatNaira } from '../../kernel/money.ts'
import { type Html, html } from '../../platform/formats/html.ts'
import { amounts } from './instruction.ts'
import type { MandateRow } from './repository.ts'
import { type CustomerDecision, mayDecide } from './service.ts'

const TITLES: Readonly<Record<MandateStatus, string>> = {
  INITIATED: 'Authorize a direct debit',
  PENDING_AUTHORIZATION: 'Authorize a direct debit',
  ACTIVE: 'You authorized this direct debit',
  SUSPENDED: 'Authorize a direct debit again',
  CANCELLED: 'This direct debit is cancelled',
  EXPIRED: 'This direct debit has ended',
  AUTHORIZATION_EXPIRED: 'The authorization period has expired',
  FAILED: 'You declined this direct debit',
}

const NOTICES: Readonly<Record<MandateStatus, string>> = {
  INITIATED: 'Nothing is debited unless you authorize it.',
  PENDING_AUTHORIZATION: 'Nothing is debited unless you authorize it.',
  ACTIVE: 'Debits are taken from your account as stated here.',
  SUSPENDED: 'Your bank stopped the debits. They resume if you authorize them again.',
  CANCELLED: 'Nothing more is debited.',
  EXPIRED: 'Nothing more is debited.',
  AUTHORIZATION_EXPIRED: 'Nothing is debited. Ask the merchant to send a new request.',
  FAILED: 'Nothing is debited.',
}

const LABELS: Readonly<Record<CustomerDecision, string>> = {
  authorize: 'Authorize',
  refuse: 'Decline',
  cancel: 'Cancel this direct debit',
}
const LOOKS: Readonly<Record<CustomerDecision, string>> = { authorize: '', refuse: 'plain', cancel: 'danger' }
const DECISIONS = ['authorize', 'refuse', 'cancel'] as const

/** The decision in a form, if valid. */
export const readDecision = (text: string | undefined): CustomerDecision | undefined =>
  DECISIONS.find((decision) => decision === text)

/** The page on which a sandbox customer decides on a mandate, as it is at the given time. It needs no script. */
export function mandatePage(mandate: MandateRow, merchantName: string, at: Date): Page {
  const { status, redirectUrl } = mandate
  const title = TITLES[status]
  const possible = DECISIONS.filter((decision) => mayDecide(mandate, decision, at))
  return {
    title: `${title} – ${merchantName}`,
    body: slip(
      html`<p class="merchant"><b class="initial" aria-hidden="true">${[...merchantName][0]}</b><span>${merchantName}</span></p>
<h1>${title}</h1>
<p class="quiet">${mandate.mandateDescription}</p>`,
      html`${facts(mandate)}
<p class="notice" role="status">${NOTICES[status]}</p>
${possible.length > 0 && decisionForm(possible)}
${possible.includes('authorize') && otherWay(mandate)}
<p class="quiet small">This sandbox page stands in for your bank's own page.</p>`,
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
  fact('From', displayDay(mandate.startsAt)),
  fact('Until', `${displayDay(mandate.endsAt)}${mandate.autoRenew ? ', then renewed for the same period' : ''}`),
  fact('Mandate', mandate.mandateCode),
]}</dl>`

const decisionForm = (possible: readonly CustomerDecision[]): Html => html`<form method="post" class="buttons beside">
${possible.map((decision) => html`<button class="button ${LOOKS[decision]}" name="decision" value="${decision}">${LABELS[decision]}</button>\n`)}</form>`

/** Paying the token has the same effect as the button. */
const otherWay = ({ tokenBankCode, tokenAccountNumber, tokenAmount }: MandateRow): Html => html`<details>
<summary>Or authorize by bank transfer</summary>
<dl class="facts">
${[
  fact('Pay', formatNaira(tokenAmount)),
  fact('Bank', bankName(tokenBankCode)),
  fact('Account number', tokenAccountNumber),
  fact('From', 'your account above'),
]}</dl>
</details>`

const bankName = (code: string): string => findBank(code)?.name ?? code

/** The customer's next page: the merchant's, with the mandate's references, or the same page. */
export function afterDecision({ redirectUrl, mandateReference, mandateCode }: MandateRow, page: string): string {
  if (redirectUrl === null) return page
  const address = new URL(redirectUrl)
  address.searchParams.set('mandateReference', mandateReference)
  address.searchParams.set('mandateCode', mandateCode)
  return address.href
}
