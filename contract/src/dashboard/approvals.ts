import Type from 'typebox'
import { NoBody } from '../envelope.ts'
import { AmountOrZero, Naira, nullable, optional, words } from '../fields.ts'
import { approvalRefusals } from '../refusals/index.ts'
import { group, route } from '../route.ts'

const Id = Type.Object({ id: Type.String({ pattern: '^\\d{1,19}$', 'x-rule': 'an id' }) })
const Time = Type.String({ examples: ['2026-03-01T09:30:00.000Z'] })
const READS = { access: 'person', permission: 'transfers', person: 'payout.read' } as const
const APPROVES = { access: 'person', permission: 'transfers', person: 'payout.approve', fresh: true } as const
const RULES = { access: 'person', permission: 'transfers', person: 'terms.manage', fresh: true } as const

const Request = Type.Object({
  id: Type.String(),
  kind: words(['TRANSFER', 'BATCH']),
  reference: Type.String(),
  status: Type.String({ description: 'that of the transfer or the batch; PENDING_AUTHORIZATION while it waits' }),
  amount: Naira,
  fee: Naira,
  destination: nullable(
    Type.Object({ bankCode: Type.String(), accountNumber: Type.String(), accountName: nullable(Type.String()) }),
  ),
  itemsCount: Type.Integer(),
  narration: Type.String(),
  madeBy: nullable(Type.String({ description: 'a name; null where a server of the merchant’s made it' })),
  approvalsNeeded: Type.Integer(),
  decisions: Type.Array(
    Type.Object({
      by: Type.String(),
      verdict: words(['APPROVE', 'REJECT']),
      reason: nullable(Type.String()),
      at: Time,
    }),
  ),
  mayDecide: Type.Boolean({ description: 'whether it waits for who asks' }),
  hash: Type.String({ description: 'what an approval covers: amounts, destinations and narration' }),
  createdAt: Time,
  expiresAt: Time,
})

export const listApprovals = route({
  ...READS,
  method: 'GET',
  path: '/dashboard/api/approvals',
  summary: 'Payouts that wait for approval, and those that were decided',
  query: Type.Object({
    view: Type.Optional(words(['waiting', 'all'])),
    before: Type.Optional(Type.String({ pattern: '^\\d{1,19}$', 'x-rule': 'an id' })),
  }),
  reply: Type.Object({ requests: Type.Array(Request) }),
})

export const approve = route({
  ...APPROVES,
  method: 'POST',
  path: '/dashboard/api/approvals/:id/approve',
  summary: 'Approve a payout; the last approval that it needs sends it',
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
  summary: 'Reject a payout: its money is available again',
  params: Id,
  body: Type.Object({ reason: Type.String({ minLength: 1, maxLength: 255 }) }),
  reply: Request,
  refusals: [approvalRefusals.unknownRequest, approvalRefusals.notWaiting],
})

/** How many must approve what. */
const Policy = {
  freeBelow: AmountOrZero,
  twoFrom: optional(AmountOrZero),
  soleUpTo: AmountOrZero,
  coversApi: Type.Boolean({ description: 'whether transfers of the merchant’s own servers wait too' }),
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
  summary: 'How many must approve what',
  reply: Type.Object({
    policy: ShownPolicy,
    change: nullable(
      Type.Object({ policy: ShownPolicy, askedBy: Type.String(), isApproved: Type.Boolean(), countsFrom: Time }),
    ),
  }),
})

export const changeApprovalPolicy = route({
  ...RULES,
  method: 'PUT',
  path: '/dashboard/api/approval-policy',
  summary: 'Ask for another policy: it counts a day later, once another owner has approved it where there is one',
  body: Type.Object(Policy),
  reply: NoBody,
})

export const approvePolicyChange = route({
  ...RULES,
  method: 'POST',
  path: '/dashboard/api/approval-policy/approve',
  summary: 'Approve the change that another owner asked for',
  reply: NoBody,
  refusals: [approvalRefusals.noChange, approvalRefusals.ownChange],
})

export const withdrawPolicyChange = route({
  ...RULES,
  method: 'DELETE',
  path: '/dashboard/api/approval-policy/change',
  summary: 'Drop a change of the policy that does not count yet',
  reply: NoBody,
  refusals: [approvalRefusals.noChange],
})

export const approvals = group({
  title: 'Approvals',
  text: 'Payouts that one person makes and another approves.',
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
