import { type Page, slip } from '../../core/edge/pages/index.ts'
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
}

/**
 * The simulated issuer's page, on which a card holder of the sandbox approves or declines a payment. It needs no
 * script.
 */
export const challengePage = ({ charge, merchantName, returnUrl }: Shown, isWrong: boolean): Page => ({
  title: `Approve this payment? – ${bankName(charge.attempt)}`,
  body: slip(
    about(charge, merchantName, 'Approve this payment?'),
    html`${facts(charge)}
<form method="post" class="stack" autocomplete="off">
<div class="field">
<label for="otp">One-time code</label>
<input id="otp" name="otp" inputmode="numeric" pattern="[0-9]{6}" maxlength="6" autocomplete="one-time-code" required aria-describedby="otp-hint${isWrong && ' otp-wrong'}"${isWrong && html` aria-invalid="true" autofocus`}>
${isWrong && html`<p class="wrong" id="otp-wrong" role="alert">Wrong code. Check it and try again.</p>`}
<p class="hint" id="otp-hint">Six digits, sent to your phone. In the sandbox they are 123456.</p>
</div>
<div class="buttons beside">
<button class="button" name="decision" value="approve">Approve</button>
<button class="button plain" name="decision" value="refuse" formnovalidate>Not my payment</button>
</div>
</form>
<p class="quiet small">You have ten minutes. This sandbox page stands in for your bank's own page.</p>`,
  ),
  formsLeadTo: [new URL(returnUrl).origin],
})

/** The page when there is no challenge, or it has ended. */
export const endedPage = ({ charge, merchantName, returnUrl }: Shown): Page => {
  const { title, look } = ANSWERED[charge.attempt.status] ?? OVER
  return {
    title: `${title} – ${bankName(charge.attempt)}`,
    body: slip(
      about(charge, merchantName, title),
      html`${facts(charge)}
<p class="notice ${look}" role="status">${charge.attempt.reason ?? NOTHING_TO_DO}</p>
<a class="button" href="${returnUrl}">Back to ${merchantName}</a>`,
    ),
  }
}

const NOTHING_TO_DO = 'There is nothing left for you to do here.'
const OVER = { title: 'This payment has ended', look: 'warn' }
const ANSWERED: Readonly<Partial<Record<AttemptStatus, { readonly title: string; readonly look: string }>>> = {
  APPROVED: { title: 'You approved this payment', look: 'good' },
  DECLINED: { title: 'Payment declined', look: 'warn' },
}

const about = ({ attempt }: Charge, merchantName: string, title: string): Html => html`<p class="merchant">
<span class="initial" aria-hidden="true">${[...bankName(attempt)][0]}</span><span>${bankName(attempt)}</span></p>
<h1>${title}</h1>
<p class="amount${lookOf(nairaSign(attempt))}">${nairaSign(attempt)}</p>
<p class="quiet">to ${merchantName}</p>`

const facts = ({ attempt, transaction }: Charge): Html => html`<dl class="facts">
${[
  fact('Card', `•••• ${attempt.card.last4}`),
  fact('For', transaction.paymentDescription ?? transaction.paymentReference),
]}</dl>`

const fact = (name: string, value: string): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`

const bankName = ({ card }: AttemptRow): string => card.bankName ?? 'Your bank'

const nairaSign = ({ amount }: AttemptRow): string => `₦${toNairaText(amount).replace(/\B(?=(\d{3})+\.)/g, ',')}`

/** Smaller type for amounts that would not fit a small screen. */
const lookOf = (amount: string): string => (amount.length > 18 ? ' longest' : amount.length > 14 ? ' long' : '')
