import type { Input, inlineCheckout } from '@kobo/contract'
import { client, Refused } from '@kobo/contract/client'
import type { CloseData, CompleteResponse, InitializeOptions, Kobo } from '../../sdk/src/inline.ts'
import * as routes from '../routes.ts'
import { type FrameMessage, openFrame } from './frame.ts'
import { wordsIn } from './words.ts'

/** The checkout is served from the same origin as this script. */
const { origin: BASE, pathname: PATH } = new URL((document.currentScript as HTMLScriptElement).src)
const gateway = client({ baseUrl: BASE })

/** The reference was already used: the order is paid, expired or another customer's. */
const DUPLICATE = 'DUPLICATE_PAYMENT_REFERENCE'

let isOpen = false

/** Opens the checkout over the page; does nothing if one is already open. */
function initialize(options: InitializeOptions): void {
  if (isOpen) return
  isOpen = true
  options.onLoadStart?.()
  let latest: FrameMessage['checkout'] | undefined
  let isComplete = false
  const words = wordsIn(options.language)
  const frame = openFrame(BASE, words, ({ kobo, checkout }) => {
    latest = checkout
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
    options.onClose?.(closeData(latest, isComplete, { reason, code }, options))
  }

  create(options).then(
    ({ checkoutUrl }) => {
      // The checkout is opened on this script's origin, because messages from other origins are ignored.
      const url = new URL(new URL(checkoutUrl).pathname, BASE)
      if (options.language !== undefined) url.searchParams.set('lang', options.language)
      frame.show(url.href)
    },
    (error: Error) => {
      const code = error instanceof Refused ? (error.code ?? 'REFUSED') : 'UNREACHED'
      options.onError?.({ code, message: error.message, paymentReference: options.reference })
      const text = code === 'UNREACHED' ? words.unreached : code === DUPLICATE ? words.over : words.refused
      frame.fail(text, () => leave(error.message, code))
    },
  )
  frame.onDismiss(() => leave('User cancelled Transaction'))
}

/** Creates the transaction. Throws the gateway's error if it is rejected. */
async function create(options: InitializeOptions): Promise<{ readonly checkoutUrl: string }> {
  const {
    onLoadStart: _1,
    onLoadComplete: _2,
    onComplete: _3,
    onClose: _4,
    onError: _5,
    language: _6,
    redirectUrl: _7,
    ...terms
  } = options
  // The cast is unchecked: the gateway validates the fields and returns an error for the page's developer.
  const body = { currency: 'NGN', ...terms } as Input<typeof inlineCheckout>['body']
  try {
    return await gateway.call(routes.inlineCheckout, { body })
  } catch (error) {
    if (error instanceof Refused) throw error
    throw new Error('The checkout could not be reached. Check your connection and try again.')
  }
}

const completeResponse = (checkout: FrameMessage['checkout'], options: InitializeOptions): CompleteResponse => ({
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
  createdOn: new Date(checkout.createdOn).toISOString(),
  fee: checkout.fee,
  customerName: options.customerFullName ?? options.customerName ?? null,
  customerEmail: options.customerEmail,
  metaData: options.metadata ?? options.metaData ?? {},
})

function closeData(
  checkout: FrameMessage['checkout'] | undefined,
  isComplete: boolean,
  { reason, code }: { readonly reason: string; readonly code: string },
  { reference, redirectUrl }: InitializeOptions,
): CloseData {
  return {
    paymentStatus: isComplete ? (checkout?.paymentStatus ?? 'PAID') : 'USER_CANCELLED',
    responseCode: isComplete ? 'SUCCESS' : code,
    responseMessage: isComplete ? 'Transaction Successful' : reason,
    transactionReference: checkout?.transactionReference ?? null,
    paymentReference: reference,
    authorizedAmount: checkout?.amountPaid ?? 0,
    redirectUrl: redirectUrl ?? null,
  }
}

declare global {
  interface Window {
    KoboSDK: Kobo
    MonnifySDK: Window['KoboSDK']
  }
}
window.KoboSDK = { initialize }
// Pages written for Monnify load this script as monnify.js. If they also load Monnify's own, it must not replace ours.
if (PATH.endsWith('/monnify.js'))
  Object.defineProperty(window, 'MonnifySDK', { value: window.KoboSDK, writable: false, configurable: true })
