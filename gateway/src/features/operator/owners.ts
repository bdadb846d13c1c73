import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import type { Mailer } from '../../core/messages/mail.ts'
import { notify } from '../../core/messages/notices.ts'
import { audit } from '../../core/security/audit.ts'
import { selectTeam } from '../../core/sessions/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import { createLink, linkAddress, linkMail } from '../sign-in/index.ts'
import { operatorErrors } from './errors.ts'
import type { ActingOperator } from './team-changes.ts'

interface OwnerDeps {
  readonly core: Pick<Core, 'wall' | 'directory'>
  readonly mailer: Mailer
  readonly dashboardUrl: () => string
}

/** The approved change, the approver, and a way to run work after the commit. */
interface ApprovedOwner {
  readonly change: { readonly merchantId: bigint; readonly askedBy: bigint }
  readonly wanted: { readonly email: string }
  readonly by: ActingOperator
  readonly details: object
  readonly afterwards: (work: () => Promise<unknown>) => void
}

/** Rejects a merchant that already has an owner, who can invite further owners. */
export async function checkNoOwner({ tx }: UnitOfWork, merchantId: bigint): Promise<void> {
  const team = await selectTeam(tx, merchantId, true)
  if (team.some(({ role }) => role === 'owner')) throw operatorErrors.hasOwner()
}

/** Invites an owner on whom two operators agreed, and notifies the merchant at its registered address. */
export async function applyOwner(
  unit: UnitOfWork,
  { change: { merchantId, askedBy }, wanted: { email }, by, details, afterwards }: ApprovedOwner,
  deps: OwnerDeps,
): Promise<void> {
  await checkNoOwner(unit, merchantId)
  const merchant = await deps.core.directory.byId(merchantId)
  invariant(merchant !== undefined, 'merchants are never deleted')
  const token = await ownersLink(unit, deps.core, { merchantId, email, invitedBy: askedBy }, { ...by, details })
  notify(unit, [
    {
      merchantId,
      subject: 'An owner was invited to your account',
      text: [
        `We invited ${email} as owner of ${merchant.name}, since the account has no owner.`,
        'If you did not ask for this, contact us at once: a new owner can move money after a day.',
      ].join('\n'),
    },
  ])
  afterwards(() => mailOwner(deps, merchant, email, token))
}

/** Creates an invitation that makes its user an owner. Returns the token of the link. */
export async function ownersLink(
  unit: UnitOfWork,
  { wall }: Pick<Core, 'wall'>,
  { merchantId, email, invitedBy }: { readonly merchantId: bigint; readonly email: string; readonly invitedBy: bigint },
  { details, ...by }: ActingOperator & { readonly details?: object },
): Promise<string> {
  audit(unit, { ...by, merchantId, act: 'team.invite', details: { ...details, email, role: 'owner' } })
  const link = { kind: 'INVITATION', email, merchantId, role: 'owner', at: wall.now() } as const
  return (await createLink(unit, { ...link, invitedBy })).token
}

export const mailOwner = (
  { mailer, dashboardUrl }: Pick<OwnerDeps, 'mailer' | 'dashboardUrl'>,
  { id, name }: Pick<Merchant, 'id' | 'name'>,
  to: string,
  token: string,
): Promise<unknown> =>
  mailer.send({
    merchantId: id,
    to,
    isPrivate: true,
    ...linkMail('INVITATION', linkAddress(dashboardUrl(), token), name),
  })
