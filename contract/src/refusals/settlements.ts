import { refusals } from '../refusal.ts'
import { transactionRefusals } from './transactions.ts'

export const settlementRefusals = refusals({
  notFound: {
    code: 'UNKNOWN_SETTLEMENT',
    status: 404,
    text: 'Could not find specified settlement',
    cause: 'The merchant has no settlement with this reference.',
  },
  unknownTransaction: transactionRefusals.notFound,
  notSettled: {
    code: 'NOT_SETTLED',
    status: 404,
    text: 'Transaction has not been settled yet',
    cause: 'The transaction is not part of a settlement yet.',
  },
})
