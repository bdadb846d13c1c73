import type { Input, inlineCheckout } from '@kobo/contract'
import { type Address, client, Refused } from '@kobo/contract/client'
import { type FrameWord, openFrame } from './frame.ts'

/** What a merchant's page gives to `KoboSDK.initialize`. */
export interface InitializeOptions {
  readonly amount: number | string
  readonly currency?: string
  /** The merchant's own reference; good for one payment. */
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

let isOpen = false

/** Opens the checkout over the page. A second call while one is open does nothing. */
function initialize(options: InitializeOptions): void {
  if (isOpen) return
  isOpen = true
  options.onLoadStart?.()
  let known: FrameWord['checkout'] | undefined
  let isComplete = false
  const frame = openFrame(BASE, ({ kobo, checkout }) => {
    known = checkout
    if (kobo === 'ready') options.onLoadComplete?.()
    if (kobo === 'complete' && !isComplete) {
      isComplete = true
      options.onComplete?.(completeResponse(checkout, options))
    }
    if (kobo === 'close') leave('User cancelled Transaction')
  })

  function leave(reason: string): void {
    if (!isOpen) return
    isOpen = false
    frame.remove()
    options.onClose?.(closeData(known, isComplete, reason, options))
  }

  create(options).then(
    ({ checkoutUrl }) => {
      // At the address that this script came from: only from there are the frame's words believed.
      const url = new URL(new URL(checkoutUrl).pathname, BASE)
      if (options.language !== undefined) url.searchParams.set('lang', options.language)
      frame.show(url.href)
    },
    (error: Error) => frame.fail(error.message, () => leave(error.message)),
  )
  frame.onDismiss(() => leave('User cancelled Transaction'))
}

/** Opens the transaction. Throws what the gateway says where it refuses. */
async function create(options: InitializeOptions): Promise<{ readonly checkoutUrl: string }> {
  const { onLoadStart: _1, onLoadComplete: _2, onComplete: _3, onClose: _4, language: _5, ...terms } = options
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
  reason: string,
  { reference }: InitializeOptions,
): CloseData {
  return {
    paymentStatus: isComplete ? (checkout?.paymentStatus ?? 'PAID') : 'USER_CANCELLED',
    responseCode: isComplete ? 'SUCCESS' : 'USER_CANCELLED',
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
