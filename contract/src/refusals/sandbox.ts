import { refusals } from '../refusal.ts'
import { bankRefusals } from './banks.ts'

export const sandboxRefusals = refusals({
  unknownBank: {
    ...bankRefusals.unknownBank,
    status: 400,
    text: 'settlementAccount.bankCode {bankCode} is no known bank',
  },
  unknownAccount: {
    ...bankRefusals.unknownAccount,
    status: 404,
    text: 'Could not find an account with this number at this bank',
  },
  unknownEvent: {
    code: 'UNKNOWN_EVENT',
    status: 404,
    text: 'Could not find specified event',
    cause: 'The merchant has no event with this id.',
  },
})
