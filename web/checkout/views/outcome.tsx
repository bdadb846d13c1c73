import { lagosTime } from '../../ui/clock.ts'
import { OutcomeCoin } from '../../ui/icons.tsx'
import type { Messages } from '../../ui/messages/en.ts'
import { minus, naira } from '../../ui/money.ts'
import { Qr } from '../../ui/qr.tsx'
import { type Checkout, documentUrl, orderOf } from '../model.ts'
import { cardName } from './card.tsx'
import { Problem } from './methods.tsx'
import type { View } from './view.ts'

interface Outcome {
  readonly coin: Parameters<typeof OutcomeCoin>[0]['outcome']
  readonly title: string
  readonly note: string
}

/** The title and text of the outcome. */
function outcomeOf(checkout: Checkout, words: Messages): Outcome {
  const { paymentStatus, amountPaid, totalPayable, merchantName } = checkout
  switch (paymentStatus) {
    case 'PAID':
      return { coin: 'paid', title: words.paidTitle, note: words.paidNote(merchantName) }
    case 'OVERPAID': {
      const extra = naira(minus(amountPaid, totalPayable))
      return { coin: 'paid', title: words.overpaidTitle, note: words.overpaidNote(extra, merchantName) }
    }
    case 'PARTIALLY_PAID': {
      const note = words.partOverNote(naira(amountPaid), naira(totalPayable), merchantName)
      return { coin: 'part', title: words.partOverTitle, note }
    }
    case 'CANCELLED':
      return { coin: 'ended', title: words.cancelledTitle, note: words.cancelledNote(merchantName) }
    case 'PENDING':
    case 'FAILED':
    case 'EXPIRED':
      return { coin: 'over', title: words.expiredTitle, note: words.expiredNote(merchantName) }
  }
}

/** The outcome, the receipt if something was paid, and the link back to the merchant. */
export const OutcomePanel: View = (shown) => {
  const { model, words } = shown
  const { checkout } = model
  const { coin, title, note } = outcomeOf(checkout, words)
  return (
    <>
      <div class="outcome">
        <OutcomeCoin outcome={coin} />
        <h2>{title}</h2>
        <p class={checkout.paymentStatus === 'OVERPAID' ? 'notice warn' : 'quiet'}>{note}</p>
      </div>
      {checkout.amountPaid > 0 && <Receipt {...shown} />}
      {checkout.receiptProof !== null && (
        <figure class="proof">
          <Qr text={checkout.receiptProof} label={words.scanReceipt} />
          <figcaption class="quiet small">{words.scanReceipt}</figcaption>
        </figure>
      )}
      <div class="buttons unprinted">
        <BackToMerchant {...shown} />
        {checkout.amountPaid > 0 && <ReceiptActions {...shown} />}
      </div>
    </>
  )
}

/** Print, download or email the receipt. */
const ReceiptActions: View = (shown) => {
  const { model, actions, words } = shown
  return (
    <>
      <div class="buttons beside">
        <button type="button" class="button plain" disabled={!model.ready} onClick={actions.print}>
          {words.print}
        </button>
        <a class="button plain" href={documentUrl(model, 'receipt')}>
          {words.pdf}
        </a>
      </div>
      <Problem {...shown} />
      {model.receiptMailed ? (
        <p class="notice" role="status">
          {words.receiptMailed}
        </p>
      ) : (
        <button type="button" class="link centred" disabled={!model.ready} onClick={actions.mailReceipt}>
          {words.mailReceipt}
        </button>
      )}
    </>
  )
}

const BackToMerchant: View = ({ model: { checkout, page, framed, leavingIn }, actions, words }) => {
  const { returnUrl, merchantName } = checkout
  if (framed)
    return (
      <button type="button" class="button" onClick={actions.close}>
        {words.done}
      </button>
    )
  // This window was opened for the bank's page; the checkout in the first window updates automatically.
  if (page.framedBy !== null) return <p class="quiet">{words.closeWindow}</p>
  if (returnUrl === null) return null
  return (
    <>
      <a class="button" href={returnUrl}>
        {leavingIn === null ? words.back(merchantName) : words.backIn(merchantName, leavingIn)}
      </a>
      {leavingIn !== null && (
        <button type="button" class="link centred" onClick={actions.stay}>
          {words.stay}
        </button>
      )}
    </>
  )
}

/** The payment method; for a card payment, the card's brand and last digits. */
function methodText({ paymentMethod, card }: Checkout, names: Readonly<Record<string, string>>): string | null {
  if (paymentMethod === null) return null
  return cardName(card) ?? names[paymentMethod] ?? paymentMethod
}

const Receipt: View = ({ model: { checkout }, words }) => {
  const names: Readonly<Record<string, string>> = words.methodNames
  const { paymentDescription, paidOn } = checkout
  const lines: readonly (readonly [string, string | null])[] = [
    [words.receiptNumber, checkout.receiptNumber],
    [words.amountPaid, naira(checkout.amountPaid)],
    [words.merchant, checkout.merchantName],
    [words.description, paymentDescription],
    [words.date, paidOn === null ? null : `${lagosTime(paidOn)} WAT`],
    [words.method, methodText(checkout, names)],
    [words.payer, checkout.payer],
    [words.orderReference, orderOf(checkout)],
    [words.transactionReference, checkout.transactionReference],
  ]
  return (
    <dl class="facts receipt" aria-label={words.receipt}>
      {lines.map(([name, value]) =>
        value === null ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd
              class={
                value === checkout.paymentReference || value === checkout.transactionReference ? 'reference' : undefined
              }
            >
              {value}
            </dd>
          </div>
        ),
      )}
    </dl>
  )
}
