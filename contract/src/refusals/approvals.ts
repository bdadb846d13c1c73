import { refusals } from '../refusal.ts'

/** Errors of payout approvals. */
export const approvalRefusals = refusals({
  unknownRequest: {
    code: 'UNKNOWN_APPROVAL',
    status: 404,
    text: 'Could not find this payout',
    cause: 'The merchant has no payout with this ID waiting for approval.',
  },
  notWaiting: {
    code: 'APPROVAL_NOT_WAITING',
    status: 422,
    text: 'This payout no longer needs approval: it is {status}',
    cause: 'Someone else approved or rejected the payout, or the time to decide is over.',
  },
  ownRequest: {
    code: 'OWN_REQUEST',
    status: 403,
    text: 'You created this payout, so someone else must approve it',
    cause:
      'The approver created the payout. Only a merchant’s sole approver may approve their own payouts, up to a limit.',
  },
  approvedAlready: {
    code: 'APPROVED_ALREADY',
    status: 422,
    text: 'You have already approved this payout: someone else must approve it too',
    cause: 'The payout needs two approvers, and this user is one of them.',
  },
  changedSince: {
    code: 'APPROVAL_CHANGED',
    status: 422,
    text: 'This payout has changed since you opened it: review it again',
    cause: 'The hash in the request does not match the payout.',
  },
  noChange: {
    code: 'NO_POLICY_CHANGE',
    status: 404,
    text: 'No change of the approval policy is waiting',
    cause: 'No change of the policy was requested, or it is already in effect.',
  },
  ownChange: {
    code: 'OWN_POLICY_CHANGE',
    status: 403,
    text: 'You requested this change, so another owner must approve it',
    cause: 'The approver requested this change of the policy.',
  },
})
