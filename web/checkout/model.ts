import type { CheckoutPage, PaymentMethod } from '@kobo/contract'
import type { Language } from '../ui/language.ts'
import type { Messages } from '../ui/messages/en.ts'
import { minus } from '../ui/money.ts'

export type Checkout = CheckoutPage['checkout']
/** The payment methods of the checkout. Direct debits are not among them, because the merchant starts them. */
export type Method = Exclude<PaymentMethod, 'DIRECT_DEBIT'>

/** The step of a card payment. The card's data stays in the form's fields. */
export type CardStep =
  | { readonly kind: 'form' }
  | { readonly kind: 'otp'; readonly tokenId: string }
  | { readonly kind: 'bank'; readonly url: string }
  | { readonly kind: 'pending' }

/** The current card step according to the gateway, also after a reload. */
export function stepOf({ card, cardInProgress }: Checkout): CardStep {
  if (cardInProgress) return { kind: 'pending' }
  if (card?.step === 'CODE' && card.tokenId !== null) return { kind: 'otp', tokenId: card.tokenId }
  if (card?.step === 'BANK' && card.redirectUrl !== null) return { kind: 'bank', url: card.redirectUrl }
  return { kind: 'form' }
}

/** The card step as a text, for comparison. */
export const stepText = (checkout: Checkout): string => Object.values(stepOf(checkout)).join(' ')

export type CardField = 'number' | 'expiry' | 'cvv' | 'pin' | 'otp'
export type Copied = 'account' | 'amount' | 'code'

/** The page's whole state. */
export interface Model {
  readonly page: CheckoutPage
  readonly checkout: Checkout
  readonly language: Language
  /** The texts in that language. */
  readonly words: Messages
  /** The gateway's time in Unix milliseconds. */
  readonly now: number
  /** Whether this script is running. Until it is, the browser itself submits the forms. */
  readonly ready: boolean
  /** Whether the page is in a frame; a window opened for a bank's page is not. */
  readonly framed: boolean
  readonly method: Method | null
  /** Whether the customer is waiting for a call. */
  readonly busy: boolean
  /** The last error, for the customer. */
  readonly problem: string | null
  readonly offline: boolean
  readonly copied: Copied | null
  /** Whether the customer said that the money was sent. */
  readonly sent: boolean
  readonly bankCode: string
  readonly ussdPayment: string | null
  readonly card: CardStep
  readonly brand: string | null
  readonly wrong: Partial<Readonly<Record<CardField, string>>>
  /** Seconds until the redirect to the merchant; null if there is none. */
  readonly leavingIn: number | null
  /** The text announced to screen readers. */
  readonly announced: string
  /** Whether the receipt was emailed from this page. */
  readonly receiptMailed: boolean
}

/** The methods in display order. */
const METHODS = Object.keys({ ACCOUNT_TRANSFER: 1, CARD: 2, USSD: 3 } satisfies Record<Method, number>) as Method[]

/** The payment methods offered now. */
export const methodsOf = ({ paymentMethods }: Checkout): readonly Method[] =>
  METHODS.filter((method) => paymentMethods.includes(method))

/** The first state, the same on the server and in the browser. */
export function firstModel(page: CheckoutPage, language: Language, words: Messages): Model {
  const { checkout, dialled } = page
  return {
    page,
    checkout,
    language,
    words,
    now: checkout.now,
    ready: false,
    framed: page.framedBy !== null,
    method: firstMethod(page),
    busy: false,
    problem: null,
    offline: false,
    copied: null,
    sent: false,
    bankCode: dialled?.bankCode ?? '',
    ussdPayment: dialled?.ussdPayment ?? null,
    card: stepOf(checkout),
    brand: null,
    wrong: {},
    leavingIn: null,
    announced: '',
    receiptMailed: false,
  }
}

/** The only method, the requested one, or the one already started. Null if the customer has to choose. */
function firstMethod({ checkout, method: requested, dialled }: CheckoutPage): Method | null {
  const methods = methodsOf(checkout)
  if (stepOf(checkout).kind !== 'form') return 'CARD'
  const [only = null] = methods.length === 1 ? methods : []
  if (only !== null) return only
  if (dialled !== null && methods.includes('USSD')) return 'USSD'
  if (requested !== null) return methods.find((method) => method === requested) ?? null
  return checkout.account !== null && methods.includes('ACCOUNT_TRANSFER') ? 'ACCOUNT_TRANSFER' : null
}

/** Whether payments are paused. A card payment in progress still completes. */
export const isPaused = ({ paused, cardInProgress }: Checkout): boolean => paused && !cardInProgress

/** The merchant's own reference for the payment; null if the merchant gave none. */
export const orderOf = ({ paymentReference, transactionReference }: Checkout): string | null =>
  paymentReference === transactionReference ? null : paymentReference

/** The URL of the receipt's or invoice's PDF, in the page's language. */
export const documentUrl = ({ page, language }: Model, document: 'receipt' | 'invoice'): string =>
  `/checkout/${encodeURIComponent(page.checkoutReference)}/${document}.pdf?lang=${language}`

/** The amount left to pay. */
export const missingOf = ({ totalPayable, amountPaid }: Checkout): number =>
  Math.max(0, minus(totalPayable, amountPaid))

/** The name of the current screen. */
export function screenOf({ checkout, method, card }: Model): string {
  if (checkout.completed) return checkout.paymentStatus
  return isPaused(checkout) ? 'paused' : `${method} ${method === 'CARD' ? card.kind : ''}`
}
