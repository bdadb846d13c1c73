import { lagosTime } from '../../ui/clock.ts'
import { CloseIcon, Logo } from '../../ui/icons.tsx'
import { LANGUAGE_NAMES, type Language } from '../../ui/language.ts'
import { koboOf, koboText, naira } from '../../ui/money.ts'
import type { Actions } from '../actions.ts'
import { type Checkout, documentUrl, isPaused, type Model, orderOf, screenOf } from '../model.ts'
import { Amount } from './amount.tsx'
import { CardPanel } from './card.tsx'
import { MerchantHead } from './merchant.tsx'
import { MethodsPanel } from './methods.tsx'
import { OutcomePanel } from './outcome.tsx'
import { Returns } from './returns.tsx'
import { TransferPanel } from './transfer.tsx'
import { UssdPanel } from './ussd.tsx'
import type { Shown, View } from './view.ts'

export function App({ model, actions }: { readonly model: Model; readonly actions: Actions }) {
  const { words } = model
  const shown: Shown = { model, actions, words }
  return (
    <main class="sheet checkout">
      <div class="slip">
        {model.framed && (
          <button type="button" class="close" aria-label={words.close} onClick={actions.close}>
            <CloseIcon />
          </button>
        )}
        <AmountDue {...shown} />
        <div class="perforation">
          <i />
        </div>
        <section class="stack panel" id="panel" tabIndex={-1} key={screenOf(model)}>
          {!model.checkout.completed && <Returns {...shown} />}
          <Panel {...shown} />
          {model.checkout.completed && <Returns {...shown} />}
        </section>
      </div>
      <Foot {...shown} />
      <p class="unseen" role="status">
        {model.announced}
      </p>
    </main>
  )
}

/** The merchant, the amount due and the description. */
const AmountDue: View = ({ model, actions, words }) => {
  const { merchantName, merchantLogo, totalPayable, fee, paymentDescription, invoice } = model.checkout
  const order = orderOf(model.checkout)
  return (
    <header class="summary">
      <MerchantHead name={merchantName} logo={merchantLogo} isSandbox={model.page.isSandbox} words={words} />
      <h1>
        <span class="unseen">{words.payTo(naira(totalPayable), merchantName)}</span>
        <Amount of={totalPayable} isUnseen />
      </h1>
      {paymentDescription && <p class="for">{paymentDescription}</p>}
      {invoice === null && order !== null && (
        <p class="quiet small reference">
          {words.orderReference}: {order}
        </p>
      )}
      <InvoiceFacts model={model} words={words} actions={actions} />
      {fee > 0 && <p class="quiet small">{words.includesFee(naira(fee))}</p>}
    </header>
  )
}

/** An invoice's customer, due date and PDF. */
const InvoiceFacts: View = ({ model, words }) => {
  const { checkout } = model
  const { invoice } = checkout
  if (invoice === null) return null
  return (
    <>
      <p class="quiet small reference">
        {words.invoice} {invoice.invoiceReference}
      </p>
      {invoice.customerName !== null && (
        <p class="quiet small">
          {words.billedTo}: {invoice.customerName}
        </p>
      )}
      <InvoiceItems items={invoice.items} />
      <p class="quiet small">
        {words.payBy}: {lagosTime(checkout.expiresOn)} WAT
      </p>
      <a class="paper unprinted" href={documentUrl(model, 'invoice')}>
        {words.invoicePdf}
      </a>
    </>
  )
}

const InvoiceItems = ({ items }: { readonly items: NonNullable<Checkout['invoice']>['items'] }) =>
  items.length === 0 ? null : (
    <ul class="items small">
      {items.map(({ description, quantity, unitPrice }, index) => (
        <li key={index}>
          <span>
            {quantity} × {description}
          </span>
          <b>{koboText(quantity * koboOf(unitPrice))}</b>
        </li>
      ))}
    </ul>
  )

const Panel: View = (shown) => {
  const { checkout, method } = shown.model
  if (checkout.completed) return <OutcomePanel {...shown} />
  if (isPaused(checkout)) return <PausedPanel {...shown} />
  if (method === 'ACCOUNT_TRANSFER') return <TransferPanel {...shown} />
  if (method === 'CARD') return <CardPanel {...shown} />
  return method === 'USSD' ? <UssdPanel {...shown} /> : <MethodsPanel {...shown} />
}

/** Shown while the merchant accepts no payments. */
const PausedPanel: View = ({ model, words }) => (
  <p class="notice warn" role="status">
    {words.paused(model.checkout.merchantName)}
  </p>
)

const Foot: View = ({ model, actions, words }) => {
  const { checkout, language } = model
  return (
    <footer class="foot">
      {model.offline && (
        <p class="notice warn offline" role="alert">
          {words.offline}
        </p>
      )}
      {!checkout.completed && !checkout.cardInProgress && checkout.returnUrl !== null && !model.framed && (
        <a class="leave" href={checkout.returnUrl}>
          {words.cancel(checkout.merchantName)}
        </a>
      )}
      {checkout.supportContact !== null && (
        <p class="contact">
          {words.questions(checkout.merchantName)} {checkout.supportContact}
        </p>
      )}
      <nav class="languages" aria-label={words.language}>
        {(Object.keys(LANGUAGE_NAMES) as Language[]).map((code) => (
          <a
            key={code}
            lang={code}
            href={`?lang=${code}&method=${model.method ?? 'none'}`}
            aria-current={code === language ? 'true' : undefined}
            onClick={() => actions.setLanguage(code)}
          >
            {LANGUAGE_NAMES[code]}
          </a>
        ))}
      </nav>
      <span class="brand">
        <Logo /> {words.securedBy}
      </span>
    </footer>
  )
}
