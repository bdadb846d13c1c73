import type { checkoutCard, Reply } from '@kobo/contract'
import * as routes from '../routes.ts'
import type { Actions, Ask } from './actions.ts'
import { brandOf, digitsOf, expiryText, groupedNumber, hasExpired, isCardNumber, readExpiry } from './card-number.ts'
import { type CardField, type Model, stepOf } from './model.ts'
import type { CheckoutContext } from './store.ts'

/** Card payment. Number, CVV, PIN and code go from the form into one request and are stored nowhere. */
export function cardActions(
  { model, change, params, update }: CheckoutContext,
  request: Ask,
): Pick<Actions, 'writeCard' | 'payByCard' | 'confirm' | 'anotherCard'> {
  function nextStep({ checkout }: Reply<typeof checkoutCard>): void {
    update(checkout)
    if (checkout.completed) return
    const card = stepOf(checkout)
    change({ card, wrong: {} })
    if (card.kind === 'bank' && !model().framed) location.assign(card.url)
  }

  /** Shows the errors and focuses the first; returns whether there are none. */
  function check(form: HTMLFormElement, wrong: Model['wrong']): boolean {
    change({ wrong, problem: null })
    const [first] = Object.keys(wrong)
    if (first !== undefined) fieldOf(form, first as CardField)?.focus()
    return first === undefined
  }

  return {
    writeCard: (field, input) => {
      const typed = input.value
      const formatted = FORMATS[field](typed, input.dataset['before'] ?? '')
      if (formatted !== typed) reformat(input, formatted)
      input.dataset['before'] = formatted
      const { [field]: _, ...wrong } = model().wrong
      // The model gets only the first four digits, which identify the brand.
      change({ wrong, ...(field === 'number' ? { brand: digitsOf(formatted).slice(0, 4) } : {}) })
    },

    payByCard: (form) => {
      if (model().busy) return
      const card = readCard(form)
      if (!check(form, errorsOf(card, model()))) return
      const { month = '', year = '' } = readExpiry(card.expiry) ?? {}
      const sent = { number: digitsOf(card.number), expiryMonth: month, expiryYear: year, cvv: card.cvv }
      const body = {
        card: { ...sent, ...(card.pin === '' ? {} : { pin: card.pin }) },
        deviceInformation: deviceInformation(),
        ...(wantsCardSaved(form) ? { saveCard: CONSENT_TEXT_VERSION } : {}),
      }
      void request(routes.checkoutCard, { params, body }, nextStep).then(() => clearFields(form, ['cvv', 'pin']))
    },

    confirm: (form) => {
      const { card } = model()
      const token = digitsOf(fieldOf(form, 'otp')?.value ?? '')
      if (card.kind !== 'otp' || model().busy) return
      if (!check(form, token.length < 4 ? { otp: model().words.wrongOtp } : {})) return
      const { tokenId } = card
      void request(routes.checkoutOtp, { params, body: { tokenId, token } }, nextStep).then(() =>
        clearFields(form, ['otp']),
      )
    },

    anotherCard: () => change({ card: { kind: 'form' }, problem: null, wrong: {}, brand: null }),
  }
}

const FORMATS: Readonly<Record<CardField, (text: string, before: string) => string>> = {
  number: groupedNumber,
  expiry: expiryText,
  cvv: (text) => digitsOf(text).slice(0, 4),
  pin: (text) => digitsOf(text).slice(0, 4),
  otp: (text) => digitsOf(text).slice(0, 8),
}

const fieldOf = (form: HTMLFormElement, field: CardField): HTMLInputElement | null =>
  form.elements.namedItem(field) as HTMLInputElement | null

function readCard(form: HTMLFormElement): Readonly<Record<'number' | 'expiry' | 'cvv' | 'pin', string>> {
  const read = (field: CardField): string => fieldOf(form, field)?.value.trim() ?? ''
  return { number: read('number'), expiry: read('expiry'), cvv: read('cvv'), pin: read('pin') }
}

/** The version of the consent text (`saveCardNote`). If you change the text, change it here and in the contract. */
const CONSENT_TEXT_VERSION = 'checkout-1' as const

const wantsCardSaved = (form: HTMLFormElement): boolean =>
  (form.elements.namedItem('saveCard') as HTMLInputElement | null)?.checked === true

/** The error of each invalid field. */
function errorsOf({ number, expiry, cvv, pin }: ReturnType<typeof readCard>, model: Model): Model['wrong'] {
  const { words } = model
  const brand = brandOf(number)
  const date = readExpiry(expiry)
  const wrong = {
    number: isCardNumber(number) ? undefined : digitsOf(number) === '' ? words.noCardNumber : words.wrongCardNumber,
    expiry: date === undefined ? words.wrongExpiry : hasExpired(date, model.now) ? words.cardExpired : undefined,
    cvv: /^\d{3,4}$/.test(cvv) ? undefined : words.wrongCvv,
    pin: brand?.asksPin && !/^\d{4}$/.test(pin) ? words.wrongPin : undefined,
  }
  return Object.fromEntries(Object.entries(wrong).filter(([, text]) => text !== undefined)) as Model['wrong']
}

/** Clears fields whose values must not be sent twice. */
function clearFields(form: HTMLFormElement, fields: readonly CardField[]): void {
  for (const field of fields) {
    const input = fieldOf(form, field)
    if (input !== null) input.value = ''
  }
}

/** Reformats a field while the customer types; the cursor stays after the same digit. */
function reformat(input: HTMLInputElement, text: string): void {
  const digitsBefore = digitsOf(input.value.slice(0, input.selectionStart ?? input.value.length)).length
  const isAtEnd = (input.selectionStart ?? 0) >= input.value.length
  input.value = text
  let place = text.length
  if (!isAtEnd) for (place = 0; digitsOf(text.slice(0, place)).length < digitsBefore; ) place++
  input.setSelectionRange(place, place)
}

/** The browser details that 3-D Secure issuers require. */
const deviceInformation = (): object => ({
  httpBrowserLanguage: navigator.language,
  httpBrowserJavaEnabled: false,
  httpBrowserJavaScriptEnabled: true,
  httpBrowserColorDepth: screen.colorDepth,
  httpBrowserScreenHeight: screen.height,
  httpBrowserScreenWidth: screen.width,
  httpBrowserTimeDifference: String(new Date(0).getTimezoneOffset()),
  userAgentBrowserValue: navigator.userAgent.slice(0, 255),
})
