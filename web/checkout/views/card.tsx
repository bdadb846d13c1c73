import type { JSX } from 'preact'
import { TurningIcon } from '../../ui/icons.tsx'
import { naira } from '../../ui/money.ts'
import { brandOf } from '../card-number.ts'
import { type CardField, type Checkout, missingOf } from '../model.ts'
import { OtherMethods, PartPaid, Problem } from './methods.tsx'
import type { Shown, View } from './view.ts'

/** Card payment, step by step. */
export const CardPanel: View = (shown) => {
  const { card } = shown.model
  if (card.kind === 'otp') return <OtpForm {...shown} />
  if (card.kind === 'bank') return <ToBank {...shown} url={card.url} />
  return card.kind === 'pending' ? <Pending {...shown} /> : <CardForm {...shown} />
}

const CardForm: View = (shown) => {
  const { model, actions, words } = shown
  const brand = brandOf(model.brand ?? '')
  return (
    <>
      <OtherMethods {...shown} />
      <PartPaid {...shown} />
      <h2>{words.cardTitle}</h2>
      <noscript>
        <p class="notice warn">{words.needsScript}</p>
      </noscript>
      <Problem {...shown} />
      <form
        class="stack"
        noValidate
        autoComplete="on"
        onSubmit={(event) => {
          event.preventDefault()
          actions.payByCard(event.currentTarget)
        }}
      >
        <div class="fields">
          <Field
            {...shown}
            field="number"
            label={words.cardNumber}
            wide
            autoComplete="cc-number"
            placeholder="0000 0000 0000 0000"
            maxLength={23}
            mark={brand?.name}
          />
          <Field
            {...shown}
            field="expiry"
            label={words.expiry}
            hint={words.expiryHint}
            autoComplete="cc-exp"
            maxLength={7}
          />
          <Field
            {...shown}
            field="cvv"
            label={words.cvv}
            hint={words.cvvHint}
            autoComplete="cc-csc"
            placeholder="123"
            maxLength={4}
          />
          {brand?.asksPin && <PinField {...shown} />}
        </div>
        {model.checkout.canSaveCard && <SaveCard {...shown} />}
        <button type="submit" class="button" disabled={!model.ready} aria-disabled={model.busy ? 'true' : undefined}>
          {model.busy && <TurningIcon />}
          {model.busy ? words.paying : words.pay(naira(missingOf(model.checkout)))}
        </button>
      </form>
    </>
  )
}

const PinField: View = (shown) => (
  <Field
    {...shown}
    field="pin"
    label={shown.words.pin}
    hint={shown.words.pinHint}
    wide
    autoComplete="off"
    isSecret
    maxLength={4}
  />
)

/** The customer's consent, unticked by default. If you change the text, change its version in card-actions.ts. */
const SaveCard: View = ({ model, words }) => (
  <label class="tick">
    <input type="checkbox" name="saveCard" />
    <span>
      {words.saveCard}
      <small>{words.saveCardNote(model.checkout.merchantName)}</small>
    </span>
  </label>
)

interface FieldProps extends Shown {
  readonly field: CardField
  readonly label: string
  readonly hint?: string
  readonly wide?: boolean
  readonly isSecret?: boolean
  readonly autoComplete: string
  readonly placeholder?: string
  readonly maxLength: number
  /** A label at the end of the field. */
  readonly mark?: string | undefined
}

/** A form field. Its value never enters the model; it goes from the form to the gateway only. */
function Field({ model, actions, field, label, hint, wide, mark, isSecret, ...input }: FieldProps): JSX.Element {
  const wrong = model.wrong[field]
  const note = `${field}-note`
  const props = {
    ...onlyInputProps(input),
    id: field,
    name: field,
    inputMode: 'numeric',
    required: true,
    readOnly: model.busy,
    'aria-invalid': wrong === undefined ? undefined : ('true' as const),
    'aria-describedby': wrong !== undefined || hint !== undefined ? note : undefined,
    onInput: (event: { readonly currentTarget: HTMLInputElement }) => actions.writeCard(field, event.currentTarget),
  }
  return (
    <div class={wide ? 'field wide' : 'field'}>
      <label for={field}>{label}</label>
      <span class="control">
        {isSecret ? <input type="password" {...props} /> : <input type="text" {...props} />}
        {mark !== undefined && <span class="mark">{mark}</span>}
      </span>
      {(wrong !== undefined || hint !== undefined) && (
        <p id={note} class={wrong === undefined ? 'hint' : 'wrong'}>
          {wrong ?? hint}
        </p>
      )}
    </div>
  )
}

const onlyInputProps = ({ autoComplete, placeholder, maxLength }: Partial<FieldProps>) => ({
  autoComplete,
  placeholder,
  maxLength,
})

const OtpForm: View = (shown) => {
  const { model, actions, words } = shown
  return (
    <>
      <h2>{words.otpTitle}</h2>
      <p class="quiet">{words.otpNote}</p>
      <CardName {...shown} />
      <Problem {...shown} />
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          actions.confirm(event.currentTarget)
        }}
      >
        <Field {...shown} field="otp" label={words.otpLabel} autoComplete="one-time-code" maxLength={8} wide />
        <button type="submit" class="button" aria-disabled={model.busy ? 'true' : undefined}>
          {model.busy && <TurningIcon />}
          {model.busy ? words.confirming : words.confirm}
        </button>
        <button type="button" class="link centred" onClick={actions.anotherCard}>
          {words.anotherCard}
        </button>
      </form>
    </>
  )
}

export const cardName = (card: Checkout['card']): string | null =>
  card === null ? null : `${card.brand} •••• ${card.last4}`.trim()

const CardName: View = ({ model: { checkout } }) =>
  checkout.card === null ? null : <p class="number">{cardName(checkout.card)}</p>

/** 3-D Secure: the issuer's own page, in a new window if the checkout is framed. */
function ToBank({ url, ...shown }: Shown & { readonly url: string }) {
  const { model, actions, words } = shown
  const isFramed = model.framed
  return (
    <>
      <h2>{words.bankTitle}</h2>
      <p class="quiet">{isFramed ? words.bankNoteWindow : words.bankNote}</p>
      <CardName {...shown} />
      <a class="button" href={url} {...(isFramed ? { target: '_blank', rel: 'noopener' } : {})}>
        {words.toBank}
      </a>
      <button type="button" class="link centred" onClick={actions.anotherCard}>
        {words.anotherCard}
      </button>
    </>
  )
}

const Pending: View = (shown) => (
  <>
    <h2>{shown.words.pendingTitle}</h2>
    <CardName {...shown} />
    <p class="waiting">
      <TurningIcon />
      <span>{shown.words.pendingNote}</span>
    </p>
  </>
)
