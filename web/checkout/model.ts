import type { CheckoutPage, PaymentMethod } from '@kobo/contract'
import type { Language } from '../ui/language.ts'
import type { Messages } from '../ui/messages/en.ts'
import { minus } from '../ui/money.ts'

export type Checkout = CheckoutPage['checkout']
/** How a payer can pay here. A direct debit is nothing that a payer starts. */
export type Method = Exclude<PaymentMethod, 'DIRECT_DEBIT'>

/** How far paying by card has come. The card itself is nowhere but in the form's fields. */
export type CardStep =
  | { readonly kind: 'form' }
  | { readonly kind: 'otp'; readonly tokenId: string }
  | { readonly kind: 'bank'; readonly url: string }
  | { readonly kind: 'pending' }

/** Where paying by card goes on, by what the gateway says of the last card: also on a page that was just loaded. */
export function stepOf({ card, cardInProgress }: Checkout): CardStep {
  if (cardInProgress) return { kind: 'pending' }
  if (card?.step === 'CODE' && card.tokenId !== null) return { kind: 'otp', tokenId: card.tokenId }
  if (card?.step === 'BANK' && card.redirectUrl !== null) return { kind: 'bank', url: card.redirectUrl }
  return { kind: 'form' }
}

/** The same step of the same charge, as a text. */
export const stepText = (checkout: Checkout): string => Object.values(stepOf(checkout)).join(' ')

export type CardField = 'number' | 'expiry' | 'cvv' | 'pin' | 'otp'
export type Copied = 'account' | 'amount' | 'code'

/** All that the page shows follows from this. */
export interface Model {
  readonly page: CheckoutPage
  readonly checkout: Checkout
  readonly language: Language
  /** All that is said, in that language. */
  readonly words: Messages
  /** Business time. */
  readonly now: number
  /** Whether the script has arrived: until then, forms are sent as forms. */
  readonly ready: boolean
  /** Whether another page shows this one; a window that a bank's page led to is none. */
  readonly framed: boolean
  readonly method: Method | null
  /** Whether a call is under way that the payer waits for. */
  readonly busy: boolean
  /** What went wrong last, in words for the payer. */
  readonly problem: string | null
  readonly offline: boolean
  readonly copied: Copied | null
  /** Whether the payer says that the money has been sent. */
  readonly sent: boolean
  readonly bankCode: string
  readonly ussdPayment: string | null
  readonly card: CardStep
  readonly brand: string | null
  readonly wrong: Partial<Readonly<Record<CardField, string>>>
  /** Seconds until the payer is taken back to the merchant; null where not, or no more. */
  readonly leavingIn: number | null
  /** What is read out to who cannot see that the page has changed. */
  readonly announced: string
  /** Whether the receipt was mailed from this page. */
  readonly receiptMailed: boolean
}

/** In the order in which the page shows them. */
const METHODS = Object.keys({ ACCOUNT_TRANSFER: 1, CARD: 2, USSD: 3 } satisfies Record<Method, number>) as Method[]

/** The ways to pay now. */
export const methodsOf = ({ paymentMethods }: Checkout): readonly Method[] =>
  METHODS.filter((method) => paymentMethods.includes(method))

/** What the page starts from: the same where the gateway writes it and where the script takes it over. */
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

/** The only way, or the one that was asked for, or the one that was begun; null where the payer is to choose. */
function firstMethod({ checkout, method: asked, dialled }: CheckoutPage): Method | null {
  const methods = methodsOf(checkout)
  if (stepOf(checkout).kind !== 'form') return 'CARD'
  const [only = null] = methods.length === 1 ? methods : []
  if (only !== null) return only
  if (dialled !== null && methods.includes('USSD')) return 'USSD'
  if (asked !== null) return methods.find((method) => method === asked) ?? null
  return checkout.account !== null && methods.includes('ACCOUNT_TRANSFER') ? 'ACCOUNT_TRANSFER' : null
}

/** Whether the payer can look only. A card that its issuer decides on is still waited for. */
export const isPaused = ({ paused, cardInProgress }: Checkout): boolean => paused && !cardInProgress

/** The merchant's own reference; null where it has none, and ours stands in its place. */
export const orderOf = ({ paymentReference, transactionReference }: Checkout): string | null =>
  paymentReference === transactionReference ? null : paymentReference

/** Where the receipt or the invoice is as PDF, in the language of the page. */
export const paperAddress = ({ page, language }: Model, paper: 'receipt' | 'invoice'): string =>
  `/checkout/${encodeURIComponent(page.checkoutReference)}/${paper}.pdf?lang=${language}`

/** What is still to be paid. */
export const missingOf = ({ totalPayable, amountPaid }: Checkout): number =>
  Math.max(0, minus(totalPayable, amountPaid))

/** What the payer looks at: two models of one screen differ in details only. */
export function screenOf({ checkout, method, card }: Model): string {
  if (checkout.completed) return checkout.paymentStatus
  return isPaused(checkout) ? 'paused' : `${method} ${method === 'CARD' ? card.kind : ''}`
}
