import { type Page, type PayerLanguage, payerSlip } from '../../core/edge/pages/index.ts'
import { toNairaText } from '../../kernel/money.ts'
import { type Html, html } from '../../platform/formats/html.ts'
import type { Charge } from './conclude.ts'
import type { AttemptStatus } from './machine.ts'
import type { AttemptRow } from './repository.ts'

/** The content of the page, and where the holder goes next. */
interface Shown {
  readonly charge: Charge
  readonly merchantName: string
  readonly returnUrl: string
  readonly spoken: PayerLanguage
}

/**
 * The simulated issuer's page, on which a card holder of the sandbox approves or declines a payment. It needs no
 * script.
 */
export function challengePage(shown: Shown, isWrong: boolean): Page {
  const { words } = shown.spoken
  const texts = words.challenge
  return {
    ...page(
      shown,
      texts.title,
      html`<form method="post" class="stack" autocomplete="off">
<div class="field">
<label for="otp">${words.otpLabel}</label>
<input id="otp" name="otp" inputmode="numeric" pattern="[0-9]{6}" maxlength="6" autocomplete="one-time-code" required aria-describedby="otp-hint${isWrong && ' otp-wrong'}"${isWrong && html` aria-invalid="true" autofocus`}>
${isWrong && html`<p class="wrong" id="otp-wrong" role="alert">${texts.wrongCode}</p>`}
<p class="hint" id="otp-hint">${texts.codeHint}</p>
</div>
<div class="buttons beside">
<button class="button" name="decision" value="approve">${texts.approve}</button>
<button class="button plain" name="decision" value="refuse" formnovalidate>${texts.refuse}</button>
</div>
</form>
<p class="quiet small">${texts.timeLimit} ${words.mandate.standIn}</p>`,
    ),
    formsLeadTo: [new URL(shown.returnUrl).origin],
  }
}

/** Returns the page for a charge that has no open challenge. */
export function endedPage(shown: Shown): Page {
  const { charge, merchantName, returnUrl, spoken } = shown
  const texts = spoken.words.challenge
  const title = TITLES[charge.attempt.status] ?? 'over'
  return page(
    shown,
    texts[title],
    html`<p class="notice ${title === 'approved' ? 'good' : 'warn'}" role="status">${charge.attempt.reason ?? texts.nothingToDo}</p>
<a class="button" href="${returnUrl}">${spoken.words.back(merchantName)}</a>`,
  )
}

const TITLES: Readonly<Partial<Record<AttemptStatus, 'approved' | 'declined'>>> = {
  APPROVED: 'approved',
  DECLINED: 'declined',
}

function page({ charge: { attempt, transaction }, merchantName, spoken }: Shown, title: string, todo: Html): Page {
  const { language, words } = spoken
  const bankName = attempt.card.bankName ?? words.challenge.yourBank
  const facts = [
    fact(words.methodNames['CARD'] ?? '', `•••• ${attempt.card.last4}`),
    fact(words.description, transaction.paymentDescription ?? transaction.paymentReference),
  ]
  return {
    title: `${title} – ${bankName}`,
    language,
    body: payerSlip(
      html`<p class="merchant">
<span class="initial" aria-hidden="true">${[...bankName][0]}</span><span>${bankName}</span></p>
<h1>${title}</h1>
<p class="amount${sizeClassOf(nairaSign(attempt))}">${nairaSign(attempt)}</p>
<p class="quiet">${words.challenge.to(merchantName)}</p>`,
      html`<dl class="facts">
${facts}</dl>
${todo}`,
      spoken,
    ),
  }
}

const fact = (name: string, value: string): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`

const nairaSign = ({ amount }: AttemptRow): string => `₦${toNairaText(amount).replace(/\B(?=(\d{3})+\.)/g, ',')}`

/** Returns the CSS class with smaller type for amounts that would not fit a small screen. */
const sizeClassOf = (amount: string): string => (amount.length > 18 ? ' longest' : amount.length > 14 ? ' long' : '')
