import { refusals } from '../refusal.ts'
import { transactionRefusals } from './transactions.ts'

export const checkoutRefusals = refusals({
  notFound: transactionRefusals.notFound,
  unknownMerchant: {
    code: 'UNKNOWN_MERCHANT',
    status: 422,
    text: 'Could not find specified merchant',
    cause: 'No merchant has this API key.',
  },
  // Customers do not learn the reason.
  paused: {
    code: 'MERCHANT_TAKES_NO_PAYMENTS',
    status: 403,
    text: 'This merchant is not accepting payments at the moment',
    cause: 'The operator has suspended or closed the merchant.',
  },
  nothingPaid: {
    code: 'NOTHING_PAID_YET',
    status: 422,
    text: 'No receipt yet: nothing has been paid',
    cause: 'No money has arrived yet, or the rest of a partial payment is still outstanding.',
  },
  receiptNotSigned: {
    code: 'RECEIPT_NOT_SIGNED',
    status: 422,
    text: 'receipt is not signed by this gateway: it was altered, or another gateway issued it',
    cause: 'The signature does not match the receipt, or no key of this gateway made it.',
  },
  noOrigin: {
    code: 'INVALID_ORIGIN',
    status: 400,
    text: 'The page that opens the checkout must be served over http or https',
    cause: 'The calling page was opened from a file, or in a frame that hides its origin.',
  },
  insecureOrigin: {
    code: 'INSECURE_ORIGIN',
    status: 400,
    text: 'The page that opens the checkout must be served over https',
    cause: 'In live mode, the calling page must be served over https.',
  },
  inlineNotEnabled: {
    code: 'INLINE_NOT_ENABLED',
    status: 403,
    text: 'This merchant does not take payments on its own pages: register the page’s origin first',
    cause: 'The merchant has registered no origins, so no page may open payments for it.',
  },
  originNotAllowed: {
    code: 'ORIGIN_NOT_ALLOWED',
    status: 403,
    text: 'This origin is not registered for the merchant: register it first',
    cause: 'The Origin header is missing, or is not one of the merchant’s registered origins.',
  },
  wrongSignature: {
    code: 'WRONG_INLINE_SIGNATURE',
    status: 422,
    text: 'signature does not match this payment',
    cause:
      'The signature was made with another secret key, or for another contract, reference, amount, currency or split.',
  },
  referenceNotForPages: {
    code: 'REFERENCE_NOT_FOR_PAGES',
    status: 422,
    text: 'paymentReference must start with {prefix} or be signed by the merchant',
    cause:
      'Anyone can call this route from a page, so unsigned references must not take those of the merchant’s server.',
  },
  splitsNotSigned: {
    code: 'SPLITS_NOT_SIGNED',
    status: 422,
    text: 'incomeSplitConfig sent by a page must be signed by the merchant',
    cause: 'The page sent income splits without the signature of the merchant’s server.',
  },
})
