/** The reason field of an action that another operator approves. */
export const REASON = {
  name: 'reason',
  label: 'Reason',
  hint: 'The approver sees it. It is recorded in the audit log.',
} as const

/** An action that takes effect only after another operator approves it. */
export const NEEDS_APPROVAL = {
  permission: 'operator.manage',
  toast: 'Requested. It takes effect once another operator approves it, under “Changes to approve”.',
} as const
