import { refusals } from '../refusal.ts'
import { bankRefusals } from './banks.ts'
import { reservedAccountRefusals } from './reserved-accounts.ts'

export const verificationRefusals = refusals({
  unknownBvn: reservedAccountRefusals.invalidBvn,
  unknownNin: {
    code: 'INVALID_NIN',
    status: 400,
    text: 'Invalid NIN provided',
    cause: 'The NIN does not exist.',
  },
  unknownBank: { ...bankRefusals.unknownBank, status: 400 },
  unknownAccount: bankRefusals.unknownAccount,
  unavailable: {
    code: 'REGISTER_UNAVAILABLE',
    status: 503,
    text: 'The identity register cannot be reached: try again later. Nothing was charged',
    cause: 'The BVN and NIN register does not respond.',
    retryAfterSeconds: 30,
  },
})
