import Type from 'typebox'
import { NoBody } from '../envelope.ts'
import { AmountOrZero, Naira, nullable, optional, words } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { personal } from '../personal-data.ts'
import { approvalRefusals } from '../refusals/index.ts'
import { group, route } from '../route.ts'

const Id = Type.Object({ id: Type.String({ pattern: '^\\d{1,19}$', 'x-rule': 'a numeric ID' }) })
const Time = Type.String({ examples: ['2026-03-01T09:30:00.000Z'] })
const permission = NO_PERMISSION.ownData
const READS = { access: 'person', permission, person: 'payout.read' } as const
const APPROVES = { access: 'person', permission, person: 'payout.approve', fresh: true } as const
const RULES = { access: 'person', permission, person: 'terms.manage', fresh: true } as const

/** Everything that may wait for approval: money that leaves a wallet, and actions that need a second person. */
export const PAYOUT_KINDS = ['TRANSFER', 'BATCH', 'REFUND', 'PAYCODE', 'BILL', 'ACTION'] as const
export type PayoutKind = (typeof PAYOUT_KINDS)[number]

const Request = Type.Object({
  id: Type.String(),
  kind: words(PAYOUT_KINDS),
  reference: Type.String(),
  status: Type.String({
    description:
      'status of the payout; PENDING_AUTHORIZATION while it waits. An approved action is APPROVED until its user repeats it, then USED',
  }),
  amount: Naira,
  fee: Naira,
  recipient: personal(
    Type.String({
      description:
        'recipient of the money, or the action to approve; the transfers of a batch are at `GET /dashboard/api/v2/disbursements/bulk/{reference}/transactions`',
      examples: ['ADA OBI, 0123456789, GTBank'],
    }),
  ),
  itemsCount: Type.Integer(),
  narration: personal(Type.String()),
  madeBy: nullable(Type.String({ description: 'name of the creator; null if the merchant’s server created it' })),
  approvalsNeeded: Type.Integer(),
  approvalsLeft: Type.Integer({ description: 'approvals that are still missing' }),
  decisions: Type.Array(
    Type.Object({
      by: Type.String(),
      verdict: words(['APPROVE', 'REJECT']),
      reason: nullable(Type.String()),
      counts: Type.Boolean({ description: 'false if the author may no longer approve' }),
      at: Time,
    }),
  ),
  isOwn: Type.Boolean({ description: 'whether the caller created it' }),
  mayDecide: Type.Boolean({ description: 'whether the caller may decide on it' }),
  hash: Type.String({ description: 'hash of what an approval covers: amounts, recipients and narration' }),
  createdAt: Time,
  expiresAt: Time,
})

export const listApprovals = route({
  ...READS,
  method: 'GET',
  path: '/dashboard/api/approvals',
  summary: 'List payouts and actions that need approval, and past decisions',
  query: Type.Object({
    view: Type.Optional(words(['waiting', 'all'])),
    before: Type.Optional(Type.String({ pattern: '^\\d{1,19}$', 'x-rule': 'a numeric ID' })),
  }),
  reply: Type.Object({ requests: Type.Array(Request) }),
})

export const approve = route({
  ...APPROVES,
  method: 'POST',
  path: '/dashboard/api/approvals/:id/approve',
  summary:
    'Approve a payout or an action; the last required approval sends the payout, or lets the user repeat the action',
  params: Id,
  body: Type.Object({ hash: Type.String({ maxLength: 100 }) }),
  reply: Request,
  refusals: [
    approvalRefusals.unknownRequest,
    approvalRefusals.notWaiting,
    approvalRefusals.ownRequest,
    approvalRefusals.approvedAlready,
    approvalRefusals.changedSince,
  ],
})

export const reject = route({
  ...APPROVES,
  method: 'POST',
  path: '/dashboard/api/approvals/:id/reject',
  summary: 'Reject a payout or an action; the money is available again',
  params: Id,
  body: Type.Object({ reason: Type.String({ minLength: 1, maxLength: 255 }) }),
  reply: Request,
  refusals: [approvalRefusals.unknownRequest, approvalRefusals.notWaiting],
})

/** Payouts below `freeBelow` need no approval, from `twoFrom` two, others one. `soleUpTo` limits a sole approver. */
const Policy = {
  freeBelow: AmountOrZero,
  twoFrom: optional(AmountOrZero),
  soleUpTo: AmountOrZero,
  coversApi: Type.Boolean({ description: 'whether payouts from the merchant’s own servers need approval too' }),
}
const ShownPolicy = Type.Object({
  freeBelow: Naira,
  twoFrom: nullable(Naira),
  soleUpTo: Naira,
  coversApi: Type.Boolean(),
})

export const getApprovalPolicy = route({
  ...READS,
  method: 'GET',
  path: '/dashboard/api/approval-policy',
  summary: 'Get the approval policy',
  reply: Type.Object({
    policy: ShownPolicy,
    change: nullable(
      Type.Object({
        policy: ShownPolicy,
        askedBy: Type.String(),
        isOwn: Type.Boolean({ description: 'whether the caller requested it, so that someone else must approve it' }),
        isApproved: Type.Boolean(),
        countsFrom: Time,
      }),
    ),
  }),
})

export const changeApprovalPolicy = route({
  ...RULES,
  method: 'PUT',
  path: '/dashboard/api/approval-policy',
  summary: 'Request another policy; it takes effect a day later, after another owner (if there is one) has approved it',
  // The handler decides: a second person is needed only if the team has no other owner.
  twoPeople: { action: 'Change the approval policy', isDecidedLater: true },
  body: Type.Object(Policy),
  reply: NoBody,
})

export const approvePolicyChange = route({
  ...RULES,
  method: 'POST',
  path: '/dashboard/api/approval-policy/approve',
  summary: 'Approve the change that another owner requested',
  reply: NoBody,
  refusals: [approvalRefusals.noChange, approvalRefusals.ownChange],
})

export const withdrawPolicyChange = route({
  ...RULES,
  method: 'DELETE',
  path: '/dashboard/api/approval-policy/change',
  summary: 'Drop a policy change that is not in effect yet',
  reply: NoBody,
  refusals: [approvalRefusals.noChange],
})

export const approvals = group({
  title: 'Approvals',
  text: 'Transfers, batches, refunds to another account, paycodes, bills and sensitive actions that one user requests and another approves.',
  routes: {
    listApprovals,
    approve,
    reject,
    getApprovalPolicy,
    changeApprovalPolicy,
    approvePolicyChange,
    withdrawPolicyChange,
  },
  refusals: approvalRefusals,
})
