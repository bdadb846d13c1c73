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
    text: 'Dispute is {status}: it can no longer be answered so',
    cause: 'Its time to answer is over, it was answered before, or it has ended.',
    example: 'Dispute is EXPIRED: it can no longer be answered so',
  },
  notAFile: {
    code: 'NOT_THE_FILE_IT_SAYS',
    status: 400,
    text: '{name} is not the {type} that it says it is',
    cause: 'A file of the evidence does not begin as files of its type do.',
  },
  unknownFile: {
    code: 'UNKNOWN_DISPUTE_FILE',
    status: 404,
    text: 'Could not find specified file',
    cause: 'The dispute has no file with this id.',
  },
  unknownTransaction: transactionRefusals.notFound,
  notDisputable: {
    code: 'NOT_DISPUTABLE',
    status: 422,
    text: 'Transaction cannot be disputed: {reason}',
    cause: 'Nothing has been paid, or all of it has gone back or is in dispute already.',
    example: 'Transaction cannot be disputed: it has not been paid',
  },
  aboveAmount: {
    code: 'DISPUTE_ABOVE_PAYMENT',
    status: 422,
    text: 'disputeAmount is above the {naira} that can still be disputed',
    cause: 'With refunds and disputes before it, this one would give back more than was paid.',
  },
  toldOtherwise: {
    code: 'DISPUTE_TOLD_OTHERWISE',
    status: 422,
    text: 'Dispute {reference} was told before: of another payment, type or amount',
    cause: 'The partner’s reference names a dispute of another payment, type or amount.',
  },
  decidedOtherwise: {
    code: 'DISPUTE_DECIDED_OTHERWISE',
    status: 422,
    text: 'Dispute has ended: it is {status}',
    cause: 'The dispute was decided before, and not so.',
  },
})
