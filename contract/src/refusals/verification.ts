import { refusals } from '../refusal.ts'
import { bankRefusals } from './banks.ts'
import { reservedAccountRefusals } from './reserved-accounts.ts'

export const verificationRefusals = refusals({
  unknownBvn: reservedAccountRefusals.invalidBvn,
  unknownNin: {
    code: 'INVALID_NIN',
    status: 400,
    text: 'Invalid NIN provided',
    cause: 'Nobody has this NIN.',
  },
  unknownBank: { ...bankRefusals.unknownBank, status: 400 },
  unknownAccount: bankRefusals.unknownAccount,
  unavailable: {
    code: 'REGISTER_UNAVAILABLE',
    status: 503,
    text: 'The register cannot be reached, please try again later; nothing was charged',
    cause: 'The register of BVNs and NINs does not answer.',
    retryAfterSeconds: 30,
  },
})
