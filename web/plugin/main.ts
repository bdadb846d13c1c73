import type { Input, inlineCheckout } from '@kobo/contract'
import { type Address, client, Refused } from '@kobo/contract/client'
import { type FrameWord, openFrame } from './frame.ts'
import { wordsIn } from './words.ts'

/** What a merchant's page gives to `KoboSDK.initialize`. */
export interface InitializeOptions {
  readonly amount: number | string
  readonly currency?: string
  /** The merchant's own reference; good for one payment, which goes on where the payer had closed it. */
  readonly reference: string
  readonly customerFullName?: string
  readonly customerName?: string
  readonly customerEmail: string
  /** The public key. The secret key has no place on a page. */
  readonly apiKey: string
  readonly contractCode: string
  readonly paymentDescription?: string
  readonly metadata?: object
  readonly metaData?: object
  readonly incomeSplitConfig?: readonly object[]
  readonly paymentMethods?: readonly string[]
  /** That your server wants this payment: needed for splits, and for references that do not start with `web-`. */
  readonly signature?: string
  /** The language of the checkout, as `pcm`. */
  readonly language?: string
  readonly onLoadStart?: () => void
  readonly onLoadComplete?: () => void
  /** Called once, when the money has arrived. Your server must check it before you deliver. */
  readonly onComplete?: (response: CompleteResponse) => void
  /** Called once where there is no checkout: what the gateway refuses, or that it could not be reached. */
  readonly onError?: (error: ErrorData) => void
  /** Called once, when the checkout has closed, however it ended. */
  readonly onClose?: (data: CloseData) => void
}

export interface CompleteResponse {
  readonly paymentStatus: string
  readonly completed: boolean
  readonly transactionReference: string
  readonly paymentReference: string
  readonly paymentMethod: string | null
  readonly paymentDescription: string | null
  readonly currencyCode: string
  readonly amount: number
  readonly amountPaid: number
  readonly payableAmount: number
  readonly completedOn: string | null
  readonly customerName: string | null
  readonly customerEmail: string
  readonly metaData: object
}

/** Why there is no checkout: for the page's author, who can go by the code. The payer reads it in words of our own. */
export interface ErrorData {
  readonly code: string
  readonly message: string
  readonly paymentReference: string
}

export interface CloseData {
  readonly paymentStatus: string
  readonly responseCode: string
  readonly responseMessage: string
  readonly transactionReference: string | null
  readonly paymentReference: string
}

/** Where this script came from is where the checkout is. */
const BASE = new URL((document.currentScript as HTMLScriptElement).src).origin
const gateway = client({ baseUrl: BASE })
const TRANSACTIONS: Address<typeof inlineCheckout> = { method: 'POST', path: '/plugin/transactions' }

/** The reference was used: the order is paid, or over, or another's. */
const DUPLICATE = 'DUPLICATE_PAYMENT_REFERENCE'

let isOpen = false

/** Opens the checkout over the page. A second call while one is open does nothing. */
function initialize(options: InitializeOptions): void {
  if (isOpen) return
  isOpen = true
  options.onLoadStart?.()
  let known: FrameWord['checkout'] | undefined
  let isComplete = false
  const words = wordsIn(options.language)
  const frame = openFrame(BASE, words, ({ kobo, checkout }) => {
    known = checkout
    if (kobo === 'ready') options.onLoadComplete?.()
    if (kobo === 'complete' && !isComplete) {
      isComplete = true
      options.onComplete?.(completeResponse(checkout, options))
    }
    if (kobo === 'close') leave('User cancelled Transaction')
  })

  function leave(reason: string, code = 'USER_CANCELLED'): void {
    if (!isOpen) return
    isOpen = false
    frame.remove()
    options.onClose?.(closeData(known, isComplete, { reason, code }, options))
  }

  create(options).then(
    ({ checkoutUrl }) => {
      // At the address that this script came from: only from there are the frame's words believed.
      const url = new URL(new URL(checkoutUrl).pathname, BASE)
      if (options.language !== undefined) url.searchParams.set('lang', options.language)
      frame.show(url.href)
    },
    (error: Error) => {
      const code = error instanceof Refused ? (error.code ?? 'REFUSED') : 'UNREACHED'
      options.onError?.({ code, message: error.message, paymentReference: options.reference })
      const told = code === 'UNREACHED' ? words.unreached : code === DUPLICATE ? words.over : words.refused
      frame.fail(told, () => leave(error.message, code))
    },
  )
  frame.onDismiss(() => leave('User cancelled Transaction'))
}

/** Opens the transaction. Throws what the gateway says where it refuses. */
async function create(options: InitializeOptions): Promise<{ readonly checkoutUrl: string }> {
  const {
    onLoadStart: _1,
    onLoadComplete: _2,
    onComplete: _3,
    onClose: _4,
    onError: _5,
    language: _6,
    ...terms
  } = options
  // Whatever the merchant's page wrote: the gateway checks it, and its refusal is what the page's author reads.
  const body = { currency: 'NGN', ...terms } as Input<typeof inlineCheckout>['body']
  try {
    return await gateway.call(TRANSACTIONS, { body })
  } catch (error) {
    if (error instanceof Refused) throw error
    throw new Error('The checkout could not be reached. Check your connection and try again.')
  }
}

const completeResponse = (checkout: FrameWord['checkout'], options: InitializeOptions): CompleteResponse => ({
  paymentStatus: checkout.paymentStatus,
  completed: checkout.completed,
  transactionReference: checkout.transactionReference,
  paymentReference: checkout.paymentReference,
  paymentMethod: checkout.paymentMethod,
  paymentDescription: checkout.paymentDescription,
  currencyCode: checkout.currencyCode,
  amount: checkout.amount,
  amountPaid: checkout.amountPaid,
  payableAmount: checkout.totalPayable,
  completedOn: checkout.paidOn === null ? null : new Date(checkout.paidOn).toISOString(),
  customerName: options.customerFullName ?? options.customerName ?? null,
  customerEmail: options.customerEmail,
  metaData: options.metadata ?? options.metaData ?? {},
})

function closeData(
  checkout: FrameWord['checkout'] | undefined,
  isComplete: boolean,
  { reason, code }: { readonly reason: string; readonly code: string },
  { reference }: InitializeOptions,
): CloseData {
  return {
    paymentStatus: isComplete ? (checkout?.paymentStatus ?? 'PAID') : 'USER_CANCELLED',
    responseCode: isComplete ? 'SUCCESS' : code,
    responseMessage: isComplete ? 'Transaction Successful' : reason,
    transactionReference: checkout?.transactionReference ?? null,
    paymentReference: reference,
  }
}

declare global {
  interface Window {
    KoboSDK: { readonly initialize: typeof initialize }
  }
}
window.KoboSDK = { initialize }
