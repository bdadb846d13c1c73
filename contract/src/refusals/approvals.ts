import { refusals } from '../refusal.ts'

/** How approvals are refused. */
export const approvalRefusals = refusals({
  unknownRequest: {
    code: 'UNKNOWN_APPROVAL',
    status: 404,
    text: 'There is nothing like that to approve',
    cause: 'No payout of the merchant’s waits, or waited, under this id.',
  },
  notWaiting: {
    code: 'APPROVAL_NOT_WAITING',
    status: 422,
    text: 'This no longer waits for approval: it is {status}',
    cause: 'The payout was approved or rejected by others meanwhile, or nobody decided in time.',
  },
  ownRequest: {
    code: 'OWN_REQUEST',
    status: 403,
    text: 'What you made is approved by somebody else',
    cause:
      'The person who approves made the payout, and is not the merchant’s only approver, or it is above the limit for that.',
  },
  approvedAlready: {
    code: 'APPROVED_ALREADY',
    status: 422,
    text: 'You have approved this already: it waits for somebody else',
    cause: 'The payout needs two approvers, and this person is one of them.',
  },
  changedSince: {
    code: 'APPROVAL_CHANGED',
    status: 422,
    text: 'This is not what you looked at: look at it again',
    cause: 'The hash of what is to be approved is not that of the payout.',
  },
  noChange: {
    code: 'NO_POLICY_CHANGE',
    status: 404,
    text: 'No change of the approval policy waits',
    cause: 'Nobody has asked for a change of the policy, or it counts already.',
  },
  ownChange: {
    code: 'OWN_POLICY_CHANGE',
    status: 403,
    text: 'A change that you asked for is approved by another owner',
    cause: 'The person who approves the change of the policy asked for it.',
  },
})
