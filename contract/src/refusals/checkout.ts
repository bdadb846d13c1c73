import { refusals } from '../refusal.ts'
import { transactionRefusals } from './transactions.ts'

export const checkoutRefusals = refusals({
  notFound: transactionRefusals.notFound,
  unknownMerchant: {
    code: 'UNKNOWN_MERCHANT',
    status: 422,
    text: 'Could not find specified merchant',
    cause: 'There is no such API key.',
  },
  // Why is between the merchant and the operator.
  paused: {
    code: 'MERCHANT_TAKES_NO_PAYMENTS',
    status: 403,
    text: 'This merchant takes no payments at the moment',
    cause: 'The operator has suspended or closed the merchant.',
  },
  nothingPaid: {
    code: 'NOTHING_PAID_YET',
    status: 422,
    text: 'Nothing has been paid yet, so there is no receipt',
    cause: 'A receipt is asked for before any money has arrived, or while the rest is still waited for.',
  },
  noOrigin: {
    code: 'INVALID_ORIGIN',
    status: 400,
    text: 'The page that opens a checkout must be served over http or https',
    cause: 'The page that calls was opened from a file, or in a frame that hides its origin.',
  },
  insecureOrigin: {
    code: 'INSECURE_ORIGIN',
    status: 400,
    text: 'The page that opens a checkout must be served over https',
    cause: 'In live the page that calls must be served over https.',
  },
  inlineNotEnabled: {
    code: 'INLINE_NOT_ENABLED',
    status: 403,
    text: 'This merchant takes no payments on its own pages',
    cause: 'No origins are registered for the merchant, so that no page may open payments for it.',
  },
  originNotAllowed: {
    code: 'ORIGIN_NOT_ALLOWED',
    status: 403,
    text: 'Pages of this origin may not open payments for this merchant',
    cause: 'The header Origin is missing, or names a site that is not registered for the merchant.',
  },
  wrongSignature: {
    code: 'WRONG_INLINE_SIGNATURE',
    status: 422,
    text: 'The signature is not that of this payment',
    cause:
      'The signature was made with another secret key, or of another contract, reference, amount, currency or split.',
  },
  referenceNotForPages: {
    code: 'REFERENCE_NOT_FOR_PAGES',
    status: 422,
    text: 'A page may use references that start with {prefix}, or such that the merchant has signed',
    cause: 'Anyone can call as a page does, and must not take references that the merchant’s server may want to use.',
  },
  splitsNotSigned: {
    code: 'SPLITS_NOT_SIGNED',
    status: 422,
    text: 'Income splits of a page must be signed by the merchant',
    cause: 'A page names splits without a signature of the merchant’s server.',
  },
})
