import { isAbove, permissionsOfRole, type Role, TEAM_CHANGE_HOURS } from '@kobo/contract'
import type { By } from '../../core/edge/http/index.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { notify } from '../../core/messages/notices.ts'
import { audit } from '../../core/security/audit.ts'
import {
  delaySoleApproval,
  deleteMembership,
  endSessions,
  type Member,
  NO_PENDING_CHANGE,
  type SignedIn,
  selectTeam,
  updateMembership,
} from '../../core/sessions/index.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { displayMoment } from '../../kernel/dates.ts'
import { voidInvitationsOf } from '../sign-in/index.ts'
import { teamErrors } from './errors.ts'
import { checkRights, isLastOwner, type MemberRights, storedRights, type TeamDeps } from './service.ts'

const WAIT_SECONDS = TEAM_CHANGE_HOURS * 3_600

/** Finds the member to change. Rejects one with a higher role than the caller's, and a change that leaves no owner. */
function findMember(team: readonly Member[], person: SignedIn, personId: bigint, becomes: Role | undefined): Member {
  const member = team.find((one) => one.personId === personId)
  if (member === undefined) throw teamErrors.unknownMember()
  if (isAbove(member.role, person.role as Role)) throw teamErrors.roleTooHigh()
  if (becomes !== 'owner' && isLastOwner(team, member)) throw teamErrors.lastOwner()
  return member
}

const approves = ({ role, approves = false }: MemberRights): boolean =>
  permissionsOfRole(role, approves).includes('payout.approve')

/**
 * Changes a member's role, from the next request on. A new owner or approver can approve payouts after a day, and an
 * owner loses the role after a day. Another owner who makes the same change ends the wait.
 */
export async function changeRole(
  { core }: TeamDeps,
  { id: merchantId }: Merchant,
  person: SignedIn,
  { personId, ...requested }: MemberRights & { readonly personId: bigint },
  by: By,
): Promise<void> {
  await unitOfWork(core, async (unit) => {
    const team = await selectTeam(unit.tx, merchantId, true)
    const member = findMember(team, person, personId, requested.role)
    checkRights(person, requested, member)
    if (
      member.role === 'owner' &&
      requested.role !== 'owner' &&
      isHeldBack(unit, team, member, person, requested.role, by)
    )
      return
    const after = storedRights(requested)
    const rights = waitOf(unit, member, person, after)
    await updateMembership(unit.tx, member, { ...after, ...rights, ...NO_PENDING_CHANGE })
    const now = core.wall.now()
    if (after.role !== member.role && personId !== person.personId)
      await endSessions(unit.tx, { personId, merchantId }, now)
    if (after.role !== member.role) await voidInvitationsOf(unit.tx, merchantId, { ...member, id: personId }, now)
    const before = { role: member.role, approves: member.approves }
    const details = { email: member.email, before, after }
    audit(unit, { ...by, merchantId, act: 'team.change', reference: `person/${personId}`, details })
    if (approves(member) && !approves(after)) afterApproverLeft(unit, team, member, person, by)
    if (approves(after) && !approves(member))
      notifyOwners(unit, team, {
        subject: `${member.name} can soon approve payouts`,
        text: `${by.name} made ${member.name} (${member.email}) ${after.role}. They can approve payouts in ${TEAM_CHANGE_HOURS} hours, or as soon as another owner makes the same change.`,
      })
  })
}

/** Returns when a member's rights to move money apply, and who gave them. */
function waitOf(
  { at }: UnitOfWork,
  member: Member,
  { personId, role, may }: SignedIn,
  after: MemberRights,
): Partial<Pick<Member, 'rightsFrom' | 'namedBy'>> {
  if (!approves(after)) return { rightsFrom: null, namedBy: personId }
  if (!approves(member)) return { rightsFrom: secondsAfter(at, WAIT_SECONDS), namedBy: personId }
  const isAnother = member.namedBy !== personId && member.personId !== personId
  return isAnother && role === 'owner' && may('payout.approve') ? { rightsFrom: null } : {}
}

/** Removes a member from the team and ends their sessions for the merchant. An owner is removed after a day. */
export async function removeMember(
  { core }: TeamDeps,
  { id: merchantId }: Merchant,
  person: SignedIn,
  personId: bigint,
  by: By,
): Promise<void> {
  await unitOfWork(core, async (unit) => {
    const team = await selectTeam(unit.tx, merchantId, true)
    const member = findMember(team, person, personId, undefined)
    if (member.role === 'owner' && isHeldBack(unit, team, member, person, null, by)) return
    await remove(unit, member, core.wall.now(), by)
    if (approves(member)) afterApproverLeft(unit, team, member, person, by)
  })
}

/**
 * An approver who may be a risk must be removed at once, so removing one does not wait. But for a day, a sole remaining
 * approver cannot approve their own payouts. There is no such delay if two owners agreed to remove a third, or if the
 * member left on their own.
 */
function afterApproverLeft(
  unit: UnitOfWork,
  team: readonly Member[],
  { merchantId, personId, role, name, email }: Member,
  person: SignedIn,
  by: By,
): void {
  if (role === 'owner' || personId === person.personId) return
  delaySoleApproval(unit.tx, merchantId, secondsAfter(unit.at, WAIT_SECONDS))
  const subject = `${name} no longer approves payouts`
  const text = `${by.name} removed ${name} (${email}) as an approver. For ${TEAM_CHANGE_HOURS} hours, no one can approve their own payouts.`
  notifyOwners(unit, team, { subject, text })
  notify(unit, [{ merchantId, subject, text }])
}

/**
 * Whether an owner keeps the role for now. If another owner requests the change, it takes effect after a day, or once a
 * second owner requests it too. If owners change their own role, it takes effect at once.
 */
function isHeldBack(
  unit: UnitOfWork,
  team: readonly Member[],
  member: Member,
  { personId }: SignedIn,
  endsAs: Role | null,
  by: By,
): boolean {
  const { merchantId, email, name } = member
  if (member.personId === personId) return false
  const requestedBy = team.find((one) => one.role === 'owner' && one.personId === member.endsAskedBy)
  if (requestedBy !== undefined && requestedBy.personId !== personId && member.endsAs === endsAs) return false
  const endsAt = secondsAfter(unit.at, WAIT_SECONDS)
  void updateMembership(unit.tx, member, { endsAt, endsAs, endsAskedBy: personId })
  const details = { email, endsAt, endsAs }
  audit(unit, { ...by, merchantId, act: 'team.request-change', reference: `person/${member.personId}`, details })
  notifyOwners(unit, team, {
    subject: endsAs === null ? `${name} is to be removed as an owner` : `${name} is to become ${endsAs}`,
    text: `${by.name} requested it. It takes effect on ${displayMoment(endsAt)}, or as soon as another owner requests the same change. Any owner can stop it on the team page.`,
  })
  return true
}

/** Stops the removal or the role change of an owner. */
export async function keepMember(
  { core }: TeamDeps,
  { id: merchantId }: Merchant,
  person: SignedIn,
  personId: bigint,
  by: By,
): Promise<void> {
  await unitOfWork(core, async (unit) => {
    const team = await selectTeam(unit.tx, merchantId, true)
    const member = findMember(team, person, personId, 'owner')
    if (member.endsAt === null) throw teamErrors.unknownMember()
    await updateMembership(unit.tx, member, NO_PENDING_CHANGE)
    const details = { email: member.email }
    audit(unit, { ...by, merchantId, act: 'team.keep', reference: `person/${personId}`, details })
    notifyOwners(unit, team, { subject: `${member.name} stays an owner`, text: `${by.name} stopped the change.` })
  })
}

/** Applies a removal or a change of role that has waited long enough; the last owner stays. */
export async function endWait(
  { core }: TeamDeps,
  { merchantId, personId }: Pick<Member, 'merchantId' | 'personId'>,
): Promise<void> {
  await unitOfWork(core, async (unit) => {
    const team = await selectTeam(unit.tx, merchantId, true)
    const member = team.find((one) => one.personId === personId)
    if (member === undefined || member.endsAt === null || member.endsAt > unit.at) return
    if (isLastOwner(team, member)) return void (await updateMembership(unit.tx, member, NO_PENDING_CHANGE))
    const by = { actor: 'worker', name: undefined } as const
    if (member.endsAs === null) return remove(unit, member, core.wall.now(), by)
    await updateMembership(unit.tx, member, { role: member.endsAs, approves: false, ...NO_PENDING_CHANGE })
    await leave(unit, member, core.wall.now())
    const details = { email: member.email, before: { role: member.role }, after: { role: member.endsAs } }
    audit(unit, { ...by, merchantId, act: 'team.change', reference: `person/${personId}`, details })
  })
}

async function remove(
  unit: UnitOfWork,
  member: Member,
  now: Date,
  by: Pick<By, 'actor' | 'name'> & Partial<By>,
): Promise<void> {
  const { merchantId, personId, email, role } = member
  await deleteMembership(unit.tx, merchantId, personId)
  await leave(unit, member, now)
  audit(unit, { ...by, merchantId, act: 'team.remove', reference: `person/${personId}`, details: { email, role } })
}

/** Ends a member's sessions for the merchant, and the invitations that the member got or sent. */
async function leave({ tx }: UnitOfWork, { merchantId, personId, email }: Member, now: Date): Promise<void> {
  await endSessions(tx, { personId, merchantId }, now)
  await voidInvitationsOf(tx, merchantId, { id: personId, email }, now)
}

function notifyOwners(
  unit: UnitOfWork,
  team: readonly Member[],
  { subject, text }: { readonly subject: string; readonly text: string },
): void {
  const warning = 'If you did not expect this, sign in and stop it, and contact us: someone may be using your account.'
  notify(
    unit,
    team
      .filter(({ role }) => role === 'owner')
      .map(({ merchantId, email: recipient }) => ({ merchantId, recipient, subject, text: `${text}\n\n${warning}` })),
  )
}
