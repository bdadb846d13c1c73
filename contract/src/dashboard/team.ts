import Type from 'typebox'
import { NoBody } from '../envelope.ts'
import { Email, nullable, words } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { teamRefusals } from '../refusals/index.ts'
import { ROLES } from '../roles.ts'
import { group, route } from '../route.ts'

const Id = Type.Object({ id: Type.String({ pattern: '^\\d{1,19}$', 'x-rule': 'a numeric ID' }) })
const Time = Type.String({ examples: ['2026-03-01T09:30:00.000Z'] })
const Role = words(ROLES)
const TEAM = { access: 'person', permission: NO_PERMISSION.ownData, person: 'team.manage' } as const

export const getTeam = route({
  ...TEAM,
  method: 'GET',
  path: '/dashboard/api/team',
  summary: 'List the team and its invitations',
  reply: Type.Object({
    members: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        email: Type.String(),
        role: Role,
        approves: Type.Boolean(),
        hasSecondFactor: Type.Boolean(),
        isYou: Type.Boolean(),
        since: Time,
        rightsFrom: nullable(
          Type.String({
            description: 'time from which a new owner or approver can move money; null if they already can',
          }),
        ),
        endsOn: nullable(Type.String({ description: 'when an owner leaves or gets another role, if requested' })),
        endsAs: nullable(Role),
        mayChange: Type.Boolean({
          description: 'whether the caller may change the role of this member or remove them',
        }),
      }),
    ),
    invitations: Type.Array(
      Type.Object({
        id: Type.String(),
        email: Type.String(),
        role: Role,
        approves: Type.Boolean(),
        expiresAt: Time,
      }),
    ),
    roles: Type.Array(Role, { description: 'roles that the caller may give' }),
  }),
})

export const invite = route({
  ...TEAM,
  method: 'POST',
  path: '/dashboard/api/team/invitations',
  summary: 'Invite someone to the team by email',
  fresh: true,
  body: Type.Object({ email: Email, role: Role, approves: Type.Optional(Type.Boolean()) }),
  reply: Type.Object({ id: Type.String() }),
  refusals: [teamRefusals.roleTooHigh, teamRefusals.alreadyInTeam],
})

export const withdrawInvitation = route({
  ...TEAM,
  method: 'DELETE',
  path: '/dashboard/api/team/invitations/:id',
  summary: 'Withdraw an invitation',
  params: Id,
  reply: NoBody,
  refusals: [teamRefusals.unknownMember],
})

export const changeRole = route({
  ...TEAM,
  method: 'PUT',
  path: '/dashboard/api/team/:id',
  summary: 'Change a team member’s role',
  fresh: true,
  params: Id,
  body: Type.Object({ role: Role, approves: Type.Boolean() }),
  reply: NoBody,
  refusals: [teamRefusals.unknownMember, teamRefusals.roleTooHigh, teamRefusals.lastOwner],
})

export const removeMember = route({
  ...TEAM,
  method: 'DELETE',
  path: '/dashboard/api/team/:id',
  summary: 'Remove a team member; an owner leaves after a day, or once a second owner requests it',
  fresh: true,
  params: Id,
  reply: NoBody,
  refusals: [teamRefusals.unknownMember, teamRefusals.roleTooHigh, teamRefusals.lastOwner],
})

export const keepMember = route({
  ...TEAM,
  method: 'POST',
  path: '/dashboard/api/team/:id/keep',
  summary: 'Stop the removal or the role change of an owner',
  fresh: true,
  params: Id,
  reply: NoBody,
  refusals: [teamRefusals.unknownMember, teamRefusals.roleTooHigh],
})

export const team = group({
  title: 'Team',
  text: 'The merchant’s team.',
  routes: { getTeam, invite, withdrawInvitation, changeRole, removeMember, keepMember },
  refusals: teamRefusals,
})
