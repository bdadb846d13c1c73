import Type from 'typebox'
import { NoBody } from '../envelope.ts'
import { Email, nullable, words } from '../fields.ts'
import { operatorTeamRefusals } from '../refusals/index.ts'
import { OPERATOR_ROLES } from '../roles.ts'
import { group, route } from '../route.ts'
import { Instant, ListQuery, listOf } from './lists.ts'
import { OPERATOR_ACTS, OPERATOR_READS, Reason } from './operator.ts'

export const OPERATOR_STATUSES = ['ACTIVE', 'INVITED'] as const

export const browseOperators = route({
  ...OPERATOR_READS,
  method: 'GET',
  path: '/dashboard/api/operator/team',
  summary: 'List the operator’s team and its invitations, newest first',
  query: Type.Object({ ...ListQuery, status: Type.Optional(words(OPERATOR_STATUSES)) }),
  reply: listOf(
    Type.Object({
      id: Type.String(),
      createdOn: Instant,
      email: Type.String(),
      name: nullable(Type.String()),
      role: words(OPERATOR_ROLES),
      status: words(OPERATOR_STATUSES),
      hasSecondFactor: Type.Boolean(),
      isYou: Type.Boolean(),
      expiresOn: nullable(Instant),
    }),
  ),
})

export const requestOperator = route({
  ...OPERATOR_ACTS,
  person: 'operator.team.manage',
  path: '/dashboard/api/operator/team/changes',
  summary: 'Request to invite someone, change a role or remove an operator',
  body: Type.Object({
    email: Email,
    role: nullable(words(OPERATOR_ROLES)),
    reason: Reason,
  }),
  reply: Type.Object({ id: Type.String() }),
  refusals: [operatorTeamRefusals.roleUnchanged],
})

export const withdrawOperatorInvitation = route({
  ...OPERATOR_READS,
  method: 'DELETE',
  person: 'operator.team.manage',
  path: '/dashboard/api/operator/team/invitations/:id',
  summary: 'Withdraw an invitation to the operator’s dashboard',
  params: Type.Object({ id: Type.String({ pattern: '^\\d{1,18}$', 'x-rule': 'a numeric ID' }) }),
  reply: NoBody,
  refusals: [operatorTeamRefusals.unknownInvitation],
})

export const operatorTeam = group({
  title: 'Operator: team',
  text: 'The operator’s team. One operator requests a change, another approves it.',
  routes: { browseOperators, requestOperator, withdrawOperatorInvitation },
  refusals: operatorTeamRefusals,
})
