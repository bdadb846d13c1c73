import { refusals } from '../refusal.ts'
import { bankRefusals } from './banks.ts'
import { transactionRefusals } from './transactions.ts'

export const subAccountRefusals = refusals({
  notFound: {
    ...transactionRefusals.unknownSubAccount,
    status: 404,
    text: 'Could not find specified sub account',
  },
  unknownCurrency: { ...transactionRefusals.unknownCurrency, status: 400 },
  unknownBank: { ...bankRefusals.unknownBank, status: 400, text: 'Unknown bank code {bankCode}' },
  unknownAccount: {
    ...bankRefusals.unknownAccount,
    text: 'Could not find account {accountNumber} at this bank',
  },
  bankUnavailable: bankRefusals.unavailable,
  tooMany: {
    code: 'TOO_MANY_SUB_ACCOUNTS',
    status: 400,
    text: 'A merchant can have at most {count} sub accounts',
    cause: 'The merchant has reached the limit of sub accounts.',
  },
})
