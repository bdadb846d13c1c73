import { type getTeam, isAbove, type Reply, type Role } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { By } from '../../core/edge/http/index.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import type { Mailer } from '../../core/messages/mail.ts'
import { audit } from '../../core/security/audit.ts'
import {
  deleteMembership,
  emailKeyOf,
  endSessions,
  type Member,
  putMembership,
  type SignedIn,
  selectTeam,
} from '../../core/sessions/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { createLink, linkAddress, linkMail, selectInvitations, voidInvitation } from '../sign-in/index.ts'
import { teamErrors } from './errors.ts'

export interface TeamDeps {
  readonly core: Core
  readonly mailer: Mailer
  readonly dashboardUrl: () => string
}

export async function readTeam(
  { core: { db, wall } }: TeamDeps,
  { id }: Merchant,
  { personId }: SignedIn,
): Promise<Reply<typeof getTeam>> {
  const [members, invitations] = await Promise.all([selectTeam(db, id), selectInvitations(db, id, wall.now())])
  return {
    members: members.map((one) => ({
      id: String(one.personId),
      name: one.name,
      email: one.email,
      role: one.role,
      approves: one.approves,
      hasSecondFactor: one.hasSecondFactor,
      isYou: one.personId === personId,
      since: one.createdAt.toISOString(),
    })),
    invitations: invitations.map((one) => ({
      id: String(one.id),
      email: one.email,
      role: one.role as Role, // invitations to a merchant's team have no other roles
      approves: one.approves,
      expiresAt: one.expiresAt.toISOString(),
    })),
  }
}

/** A team member's role and rights. */
interface MemberRights {
  readonly role: Role
  readonly approves?: boolean | undefined
}

/** Rejects a role above the caller's own, and an approver named by a caller who is none. */
function checkRights({ role: own, may }: SignedIn, { role, approves = false }: MemberRights): void {
  if (isAbove(role, own as Role) || (approves && !may('payout.approve'))) throw teamErrors.roleTooHigh()
}

export async function invite(
  { core, mailer, dashboardUrl }: TeamDeps,
  merchant: Merchant,
  person: SignedIn,
  wanted: MemberRights & { readonly email: string },
  by: By,
): Promise<{ readonly id: string }> {
  checkRights(person, wanted)
  const { email, role, approves = false } = wanted
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

/** The member to change, locked. Rejects a member above the caller, and a change that leaves no owner. */
function findMember(team: readonly Member[], person: SignedIn, personId: bigint, becomes: Role | undefined): Member {
  const member = team.find((one) => one.personId === personId)
  if (member === undefined) throw teamErrors.unknownMember()
  if (isAbove(member.role, person.role as Role)) throw teamErrors.roleTooHigh()
  const others = team.filter((one) => one.role === 'owner' && one.personId !== personId)
  if (member.role === 'owner' && becomes !== 'owner' && others.length === 0) throw teamErrors.lastOwner()
  return member
}

/** Changes a member's role, from the next request on. */
export async function changeRole(
  { core }: TeamDeps,
  { id: merchantId }: Merchant,
  person: SignedIn,
  { personId, role, approves = false }: MemberRights & { readonly personId: bigint },
  by: By,
): Promise<void> {
  await unitOfWork(core, async (unit) => {
    const { tx } = unit
    const member = findMember(await selectTeam(tx, merchantId, true), person, personId, role)
    checkRights(person, { role, approves: approves && !member.approves })
    await putMembership(tx, { ...member, role, approves })
    if (role !== member.role && personId !== person.personId)
      await endSessions(tx, { personId, merchantId }, core.wall.now())
    const before = { role: member.role, approves: member.approves }
    audit(unit, {
      ...by,
      merchantId,
      act: 'team.change',
      reference: `person/${personId}`,
      details: { email: member.email, before, after: { role, approves } },
    })
  })
}

/** Removes a member from the team and ends their sessions for the merchant. */
export async function removeMember(
  { core }: TeamDeps,
  { id: merchantId }: Merchant,
  person: SignedIn,
  personId: bigint,
  by: By,
): Promise<void> {
  await unitOfWork(core, async (unit) => {
    const { tx } = unit
    const member = findMember(await selectTeam(tx, merchantId, true), person, personId, undefined)
    await deleteMembership(tx, merchantId, personId)
    await endSessions(tx, { personId, merchantId }, core.wall.now())
    const { email, role } = member
    audit(unit, { ...by, merchantId, act: 'team.remove', reference: `person/${personId}`, details: { email, role } })
  })
}
