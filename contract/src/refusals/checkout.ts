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
})
