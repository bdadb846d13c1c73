import type { MandateTexts } from '@kobo/contract'
import { bankName } from '../../core/bank-list/index.ts'
import { brandStyles, type Page, type PayerLanguage, payerSlip } from '../../core/edge/pages/index.ts'
import { logoPath, type Merchant } from '../../core/merchants/index.ts'
import { displayDay } from '../../kernel/dates.ts'
import { formatNaira } from '../../kernel/money.ts'
import { type Html, html } from '../../platform/formats/html.ts'
import { amounts, endOf } from './instruction.ts'
import type { MandateRow } from './repository.ts'
import { type CustomerDecision, mayDecide } from './service.ts'

const LOOKS: Readonly<Record<CustomerDecision, string>> = { authorize: '', refuse: 'plain', cancel: 'danger' }
const DECISIONS = ['authorize', 'refuse', 'cancel'] as const

/** Reads the decision in a form; undefined if it is invalid. */
export const readDecision = (text: string | undefined): CustomerDecision | undefined =>
  DECISIONS.find((decision) => decision === text)

/** Returns the page on which a sandbox customer decides on a mandate. It needs no script. */
export function mandatePage(mandate: MandateRow, merchant: Merchant, at: Date, spoken: PayerLanguage): Page {
  const { mandate: texts } = spoken.words
  const status = mandate.status === 'INITIATED' ? 'PENDING_AUTHORIZATION' : mandate.status
  const title = texts.titles[status]
  const possible = DECISIONS.filter((decision) => mayDecide(mandate, decision, at))
  return {
    title: `${title} – ${merchant.name}`,
    language: spoken.language,
    styles: brandStyles(merchant),
    body: payerSlip(
      html`${merchantHead(merchant, spoken)}
<h1>${title}</h1>
<p class="quiet">${mandate.mandateDescription}</p>`,
      html`${facts(mandate, spoken)}
<p class="notice" role="status">${texts.notices[status]}</p>
${possible.length > 0 && decisionForm(possible, texts)}
${possible.includes('authorize') && tokenInstructions(mandate, spoken)}
<p class="quiet small">${texts.standIn}</p>`,
      spoken,
    ),
    formsLeadTo: mandate.redirectUrl === null ? [] : [new URL(mandate.redirectUrl).origin],
  }
}

function merchantHead(merchant: Merchant, { words }: PayerLanguage): Html {
  const logo = logoPath(merchant)
  return html`<div class="merchant">${
    logo === null
      ? html`<span class="initial" aria-hidden="true">${[...merchant.name][0]}</span>`
      : html`<img class="initial logo" src="${logo}" alt="" width="36" height="36">`
  }<span class="name">${merchant.name}</span><span class="badge" title="${words.sandboxNote}">${words.sandbox}</span></div>`
}

const fact = (name: string, value: string): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`

const payerAccount = (mandate: MandateRow): string =>
  `${mandate.customerAccountNumber}, ${bankName(mandate.customerAccountBankCode)}`

const facts = (mandate: MandateRow, spoken: PayerLanguage): Html => html`<dl class="facts">
${[
  fact(spoken.words.linkName, mandate.customerName),
  fact(spoken.words.mandate.yourAccount, payerAccount(mandate)),
  fact(spoken.words.amount, amounts(mandate, spoken.words.mandate)),
  fact(spoken.words.mandate.from, displayDay(mandate.startsAt, spoken.language)),
  fact(spoken.words.until, endOf(mandate, spoken)),
  fact(spoken.words.mandate.code, mandate.mandateCode),
]}</dl>`

const decisionForm = (
  possible: readonly CustomerDecision[],
  { decisions }: MandateTexts,
): Html => html`<form method="post" class="buttons beside">
${possible.map((decision) => html`<button class="button ${LOOKS[decision]}" name="decision" value="${decision}">${decisions[decision]}</button>\n`)}</form>`

/** Explains how to pay the token, which has the same effect as the button. */
const tokenInstructions = (mandate: MandateRow, { words }: PayerLanguage): Html => html`<details>
<summary>${words.mandate.byTransfer}</summary>
<dl class="facts">
${[
  fact(words.amount, formatNaira(mandate.tokenAmount)),
  fact(words.bank, bankName(mandate.tokenBankCode)),
  fact(words.accountNumber, mandate.tokenAccountNumber),
  fact(words.mandate.payFrom, payerAccount(mandate)),
]}</dl>
</details>`

/** Returns the customer's next page: the merchant's, with the mandate's references, or this page again. */
export function afterDecision({ redirectUrl, mandateReference, mandateCode }: MandateRow, page: string): string {
  if (redirectUrl === null) return page
  const address = new URL(redirectUrl)
  address.searchParams.set('mandateReference', mandateReference)
  address.searchParams.set('mandateCode', mandateCode)
  return address.href
}
