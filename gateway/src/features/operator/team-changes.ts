import type { OperatorRole } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Mailer } from '../../core/messages/mail.ts'
import { type AuditRecord, audit, NO_MERCHANT } from '../../core/security/audit.ts'
import { deleteIdentities, endSessions, lockPersonByEmail, updatePerson } from '../../core/sessions/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { createLink, linkAddress, linkMail, voidInvitationsOf } from '../sign-in/index.ts'
import { changeErrors } from './errors.ts'

/** A user's new operator role, and the role at the time of the request; null for none. */
export interface OperatorChange {
  readonly email: string
  readonly role: OperatorRole | null
  readonly before: OperatorRole | null
}

export const operatorInWords = ({ email, role, before }: OperatorChange): string =>
  role === null
    ? `${email} is no longer ${before}`
    : before === null
      ? `${email} is invited as ${role}`
      : `${email} becomes ${role} (was ${before})`

/** The operator who acts, for the audit log. The IP address is set only if the request came over the network. */
export type ActingOperator = Pick<AuditRecord, 'actor' | 'name' | 'address'>

/** Dependencies of changing the operator's team. */
export interface OperatorsDeps {
  readonly core: Pick<Core, 'wall' | 'directory'>
  readonly mailer: Mailer
  readonly dashboardUrl: () => string
}

/** An approved change, its approver, and a way to run work after the commit. */
interface ApprovedOperator {
  readonly change: { readonly askedBy: bigint }
  readonly wanted: OperatorChange
  readonly by: ActingOperator
  readonly details: object
  readonly afterwards: (work: () => Promise<unknown>) => void
}

/**
 * Applies a change that two operators agreed on. A new operator is invited, a new role applies from the next request
 * on, and a removed operator is signed out everywhere. Throws if the role has changed since the proposal.
 */
export async function changeOperator(
  unit: UnitOfWork,
  { change: { askedBy }, wanted, by, details, afterwards }: ApprovedOperator,
  { core: { wall }, mailer, dashboardUrl }: OperatorsDeps,
): Promise<void> {
  const { email, role, before } = wanted
  const at = wall.now()
  const person = await lockPersonByEmail(unit.tx, email)
  if ((person?.operatorRole ?? null) !== before) throw changeErrors.notWaiting()
  const auditDetails = { ...details, email, before, after: role }
  if (person !== undefined && before !== null) {
    await updatePerson(unit.tx, person.id, { operatorRole: role })
    await voidInvitationsOf(unit.tx, null, person, at)
    if (role === null) await endSessions(unit.tx, { personId: person.id }, at)
    if (role === null) await deleteIdentities(unit.tx, NO_MERCHANT, person.id)
    const act = role === null ? 'operator.remove' : 'operator.change'
    audit(unit, { ...by, merchantId: NO_MERCHANT, act, reference: `person/${person.id}`, details: auditDetails })
    return
  }
  if (role === null) throw changeErrors.notWaiting()
  audit(unit, { ...by, merchantId: NO_MERCHANT, act: 'operator.invite', details: auditDetails })
  const { token } = await createLink(unit, { kind: 'INVITATION', email, role, at, invitedBy: askedBy })
  const link = linkAddress(dashboardUrl(), token)
  afterwards(() =>
    mailer.send({ merchantId: NO_MERCHANT, to: email, isPrivate: true, ...linkMail('INVITATION', link, undefined) }),
  )
}
