import { refusals } from '../refusal.ts'
import { transactionRefusals } from './transactions.ts'

export const disputeRefusals = refusals({
  notFound: {
    code: 'UNKNOWN_DISPUTE',
    status: 404,
    text: 'Could not find specified dispute',
    cause: 'The merchant has no dispute with this reference.',
  },
  notOpen: {
    code: 'DISPUTE_NOT_OPEN',
    status: 422,
    text: 'The dispute is {status}: this response is no longer possible',
    cause: 'The response deadline has passed, or the dispute was already answered or decided.',
    example: 'The dispute is EXPIRED: this response is no longer possible',
  },
  notAFile: {
    code: 'NOT_THE_FILE_IT_SAYS',
    status: 400,
    text: '{name} is not a valid {type} file',
    cause: 'The content of an evidence file does not match its type.',
  },
  unknownFile: {
    code: 'UNKNOWN_DISPUTE_FILE',
    status: 404,
    text: 'Could not find specified file',
    cause: 'The dispute has no file with this ID.',
  },
  unknownTransaction: transactionRefusals.notFound,
  notDisputable: {
    code: 'NOT_DISPUTABLE',
    status: 422,
    text: 'Transaction cannot be disputed: {reason}',
    cause: 'Nothing was paid, or the whole amount was already refunded or disputed.',
    example: 'Transaction cannot be disputed: it has not been paid',
  },
  aboveAmount: {
    code: 'DISPUTE_ABOVE_PAYMENT',
    status: 422,
    text: 'disputeAmount must be at most {naira}, the amount that can still be disputed',
    cause: 'Together with earlier refunds and disputes, this one would return more than was paid.',
  },
  reportedDifferently: {
    code: 'DISPUTE_TOLD_OTHERWISE',
    status: 422,
    text: 'Dispute {reference} already exists with another payment, type or amount',
    cause: 'The partner’s reference belongs to a dispute with another payment, type or amount.',
  },
  decidedDifferently: {
    code: 'DISPUTE_DECIDED_OTHERWISE',
    status: 422,
    text: 'The dispute has ended: it is {status}',
    cause: 'The dispute was already decided differently.',
  },
})
