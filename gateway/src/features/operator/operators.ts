import type { OperatorRole } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { By } from '../../core/edge/http/index.ts'
import type { Mailer } from '../../core/messages/mail.ts'
import { audit, NO_MERCHANT } from '../../core/security/audit.ts'
import { emailKeyOf, endSessions, lockPersonByEmail, updatePerson } from '../../core/sessions/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { linkAddress, linkMail, makeLink, selectInvitations, voidInvitation } from '../sign-in/index.ts'
import { changeErrors } from './errors.ts'

/** What somebody is to be for the operator, and what they were when it was asked for; null is nothing. */
export interface WantedOperator {
  readonly email: string
  readonly role: OperatorRole | null
  readonly before: OperatorRole | null
}

/** It in words. */
export const operatorInWords = ({ email, role, before }: WantedOperator): string =>
  role === null
    ? `${email} is no longer ${before}`
    : before === null
      ? `${email} is invited as ${role}`
      : `${email} is ${role} instead of ${before}`

/** What a change of the operator's team is carried out with. */
export interface OperatorsDeps {
  readonly core: Pick<Core, 'wall'>
  readonly mailer: Mailer
  readonly dashboardUrl: () => string
}

/** Who has approved it and for what, and how something is done once that is committed. */
interface ApprovedOperator {
  readonly wanted: WantedOperator
  readonly by: By
  readonly details: object
  readonly afterwards: (work: () => Promise<unknown>) => void
}

/**
 * Makes somebody what two operators want: who is new is invited, another role counts from the next call on, and who is one no
 * longer is signed out everywhere. What has become otherwise since it was asked for is no longer what was approved.
 */
export async function changeOperator(
  unit: UnitOfWork,
  { wanted, by, details, afterwards }: ApprovedOperator,
  { core: { wall }, mailer, dashboardUrl }: OperatorsDeps,
): Promise<void> {
  const { email, role, before } = wanted
  const at = wall.now()
  const person = await lockPersonByEmail(unit.tx, email)
  if ((person?.operatorRole ?? null) !== before) throw changeErrors.notWaiting()
  const told = { ...details, email, before, after: role }
  if (person !== undefined && before !== null) {
    await updatePerson(unit.tx, person.id, { operatorRole: role })
    if (role === null) await signOut(unit, person, at)
    const act = role === null ? 'operator.remove' : 'operator.change'
    audit(unit, { ...by, merchantId: NO_MERCHANT, act, reference: `person/${person.id}`, details: told })
    return
  }
  if (role === null) throw changeErrors.notWaiting()
  audit(unit, { ...by, merchantId: NO_MERCHANT, act: 'operator.invite', details: told })
  const { token } = await makeLink(unit, { kind: 'INVITATION', email, role, at })
  const link = linkAddress(dashboardUrl(), token)
  afterwards(() =>
    mailer.send({ merchantId: NO_MERCHANT, to: email, isPrivate: true, ...linkMail('INVITATION', link, undefined) }),
  )
}

/** Ends all that lets somebody in: sessions, and invitations that are still open. */
async function signOut(
  { tx }: UnitOfWork,
  person: { readonly id: bigint; readonly email: string },
  at: Date,
): Promise<void> {
  await endSessions(tx, { personId: person.id }, at)
  for (const { id, email } of await selectInvitations(tx, null, at))
    if (emailKeyOf(email) === emailKeyOf(person.email)) await voidInvitation(tx, null, id, at)
}
