import type { checkoutCard, Reply } from '@kobo/contract'
import type { Actions, Ask } from './actions.ts'
import { brandOf, digitsOf, expiryText, groupedNumber, hasExpired, isCardNumber, readExpiry } from './card-number.ts'
import { type CardField, type Model, stepOf } from './model.ts'
import { ROUTES } from './routes.ts'
import type { CheckoutContext } from './store.ts'

/** Paying by card. Number, CVV, PIN and code go from the form's fields into one request, and are kept nowhere. */
export function cardActions(
  { model, change, params, learn }: CheckoutContext,
  ask: Ask,
): Pick<Actions, 'writeCard' | 'payByCard' | 'confirm' | 'anotherCard'> {
  function goOn({ checkout }: Reply<typeof checkoutCard>): void {
    learn(checkout)
    if (checkout.completed) return
    const card = stepOf(checkout)
    change({ card, wrong: {} })
    if (card.kind === 'bank' && !model().framed) location.assign(card.url)
  }

  /** Shows what is wrong and leads there; answers whether all is right. */
  function check(form: HTMLFormElement, wrong: Model['wrong']): boolean {
    change({ wrong, problem: null })
    const [first] = Object.keys(wrong)
    if (first !== undefined) fieldOf(form, first as CardField)?.focus()
    return first === undefined
  }

  return {
    writeCard: (field, input) => {
      const written = input.value
      const shaped = SHAPES[field](written, input.dataset['before'] ?? '')
      if (shaped !== written) writeKeepingPlace(input, shaped)
      input.dataset['before'] = shaped
      const { [field]: _, ...wrong } = model().wrong
      // Of the number, only what tells the brand.
      change({ wrong, ...(field === 'number' ? { brand: digitsOf(shaped).slice(0, 4) } : {}) })
    },

    payByCard: (form) => {
      if (model().busy) return
      const card = readCard(form)
      if (!check(form, wrongOf(card, model()))) return
      const { month = '', year = '' } = readExpiry(card.expiry) ?? {}
      const sent = { number: digitsOf(card.number), expiryMonth: month, expiryYear: year, cvv: card.cvv }
      const body = {
        card: { ...sent, ...(card.pin === '' ? {} : { pin: card.pin }) },
        deviceInformation: deviceInformation(),
        ...(wantsCardKept(form) ? { saveCard: SAVE_CARD_TEXT } : {}),
      }
      void ask(ROUTES.card, { params, body }, goOn).then(() => forget(form, ['cvv', 'pin']))
    },

    confirm: (form) => {
      const { card } = model()
      const token = digitsOf(fieldOf(form, 'otp')?.value ?? '')
      if (card.kind !== 'otp' || model().busy) return
      if (!check(form, token.length < 4 ? { otp: model().words.wrongOtp } : {})) return
      const { tokenId } = card
      void ask(ROUTES.otp, { params, body: { tokenId, token } }, goOn).then(() => forget(form, ['otp']))
    },

    anotherCard: () => change({ card: { kind: 'form' }, problem: null, wrong: {}, brand: null }),
  }
}

const SHAPES: Readonly<Record<CardField, (text: string, before: string) => string>> = {
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

/** The version of the words beside the box. Whoever changes what they say changes it, here and in the contract. */
const SAVE_CARD_TEXT = 'checkout-1' as const

const wantsCardKept = (form: HTMLFormElement): boolean =>
  (form.elements.namedItem('saveCard') as HTMLInputElement | null)?.checked === true

/** What is wrong with what was written, by field. */
function wrongOf({ number, expiry, cvv, pin }: ReturnType<typeof readCard>, model: Model): Model['wrong'] {
  const { words } = model
  const brand = brandOf(number)
  const date = readExpiry(expiry)
  const wrong = {
    number: isCardNumber(number) ? undefined : words.wrongCardNumber,
    expiry: date === undefined ? words.wrongExpiry : hasExpired(date, model.now) ? words.cardExpired : undefined,
    cvv: /^\d{3,4}$/.test(cvv) ? undefined : words.wrongCvv,
    pin: brand?.asksPin && !/^\d{4}$/.test(pin) ? words.wrongPin : undefined,
  }
  return Object.fromEntries(Object.entries(wrong).filter(([, text]) => text !== undefined)) as Model['wrong']
}

/** Empties fields that must be written anew each time. */
function forget(form: HTMLFormElement, fields: readonly CardField[]): void {
  for (const field of fields) {
    const input = fieldOf(form, field)
    if (input !== null) input.value = ''
  }
}

/** Rewrites a field while somebody writes in it: the cursor stays behind the digit that it was behind. */
function writeKeepingPlace(input: HTMLInputElement, text: string): void {
  const digitsBefore = digitsOf(input.value.slice(0, input.selectionStart ?? input.value.length)).length
  const isAtEnd = (input.selectionStart ?? 0) >= input.value.length
  input.value = text
  let place = text.length
  if (!isAtEnd) for (place = 0; digitsOf(text.slice(0, place)).length < digitsBefore; ) place++
  input.setSelectionRange(place, place)
}

/** What issuers want to know of the browser. */
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
