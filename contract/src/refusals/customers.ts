import { refusals } from '../refusal.ts'

export const customerRefusals = refusals({
  notFound: {
    code: 'CUSTOMER_NOT_FOUND',
    status: 404,
    text: 'Could not find specified customer',
    cause: 'The merchant has no transaction, reserved account or mandate with this email address.',
  },
})
