import { type getTeam, isAbove, permissionsOfRole, type Reply, ROLES, type Role } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { By } from '../../core/edge/http/index.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import type { Mailer } from '../../core/messages/mail.ts'
import { audit } from '../../core/security/audit.ts'
import { emailKeyOf, type Member, type SignedIn, selectTeam } from '../../core/sessions/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { createLink, linkAddress, linkMail, selectInvitations, voidInvitation } from '../sign-in/index.ts'
import { teamErrors } from './errors.ts'

export interface TeamDeps {
  readonly core: Core
  readonly mailer: Mailer
  readonly dashboardUrl: () => string
}

export async function readTeam(
  { core: { db, wall, clock } }: TeamDeps,
  { id }: Merchant,
  person: SignedIn,
): Promise<Reply<typeof getTeam>> {
  const at = clock.now()
  const [members, invitations] = await Promise.all([selectTeam(db, id), selectInvitations(db, id, wall.now())])
  return {
    members: members.map((one) => ({
      id: String(one.personId),
      name: one.name,
      email: one.email,
      role: one.role,
      approves: one.approves,
      hasSecondFactor: one.hasSecondFactor,
      isYou: one.personId === person.personId,
      since: one.createdAt.toISOString(),
      rightsFrom: one.rightsFrom !== null && one.rightsFrom > at ? one.rightsFrom.toISOString() : null,
      endsOn: one.endsAt?.toISOString() ?? null,
      endsAs: one.endsAs,
      mayChange: !isAbove(one.role, person.role as Role) && !isLastOwner(members, one),
    })),
    invitations: invitations.map((one) => ({
      id: String(one.id),
      email: one.email,
      role: one.role as Role, // invitations to a merchant's team have no other roles
      approves: one.approves,
      expiresAt: one.expiresAt.toISOString(),
    })),
    roles: ROLES.filter((role) => permissionsOfRole(role, false).every(person.may)),
  }
}

/** Returns whether the team would have no owner without this member. */
export const isLastOwner = (team: readonly Member[], { role, personId }: Pick<Member, 'role' | 'personId'>): boolean =>
  role === 'owner' && !team.some((one) => one.role === 'owner' && one.personId !== personId)

/** A team member's role and rights. */
export interface MemberRights {
  readonly role: Role
  readonly approves?: boolean | undefined
}

/** Returns the rights as they are stored: `approves` is dropped from a role that can never approve payouts. */
export const storedRights = ({
  role,
  approves = false,
}: MemberRights): { readonly role: Role; readonly approves: boolean } => ({
  role,
  approves: approves && permissionsOfRole(role, true).includes('payout.approve'),
})

/** Rejects rights that the caller lacks, unless the member already has them. */
export function checkRights({ may }: SignedIn, { role, approves = false }: MemberRights, held?: MemberRights): void {
  const has = held === undefined ? [] : permissionsOfRole(held.role, held.approves ?? false)
  const gained = permissionsOfRole(role, approves).filter((one) => !has.includes(one))
  if (!gained.every(may)) throw teamErrors.roleTooHigh()
}

export async function invite(
  { core, mailer, dashboardUrl }: TeamDeps,
  merchant: Merchant,
  person: SignedIn,
  requested: MemberRights & { readonly email: string },
  by: By,
): Promise<{ readonly id: string }> {
  checkRights(person, requested)
  const { email } = requested
  const { role, approves } = storedRights(requested)
  const at = core.wall.now()
  const { id, token } = await unitOfWork(core, async (unit) => {
    const team = await selectTeam(unit.tx, merchant.id)
    if (team.some((one) => emailKeyOf(one.email) === emailKeyOf(email))) throw teamErrors.alreadyInTeam()
    audit(unit, { ...by, merchantId: merchant.id, act: 'team.invite', details: { email, role, approves } })
    const link = { kind: 'INVITATION', email, merchantId: merchant.id, role, approves, at } as const
    return createLink(unit, { ...link, invitedBy: person.personId })
  })
  await mailer.send({
    merchantId: merchant.id,
    to: email,
    isPrivate: true,
    ...linkMail('INVITATION', linkAddress(dashboardUrl(), token), merchant.name),
  })
  return { id: String(id) }
}

export const withdraw = ({ core }: TeamDeps, { id: merchantId }: Merchant, id: bigint, by: By): Promise<void> =>
  unitOfWork(core, async (unit) => {
    const link = await voidInvitation(unit.tx, merchantId, id, core.wall.now())
    if (link === undefined) throw teamErrors.unknownMember()
    audit(unit, { ...by, merchantId, act: 'team.withdraw', details: { email: link.email, role: link.role } })
  })
