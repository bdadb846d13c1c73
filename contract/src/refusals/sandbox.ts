import { refusals } from '../refusal.ts'
import { bankRefusals } from './banks.ts'

export const sandboxRefusals = refusals({
  unknownAccount: {
    ...bankRefusals.unknownAccount,
    status: 404,
    text: 'Could not find an account with this number at this bank',
  },
})
