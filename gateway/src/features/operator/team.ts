import type * as contract from '@kobo/contract'
import type { Input, OperatorRole, Reply } from '@kobo/contract'
import type { By } from '../../core/edge/http/index.ts'
import { audit, NO_MERCHANT } from '../../core/security/audit.ts'
import { findPersonByEmail, type SignedIn, selectOperators } from '../../core/sessions/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { HOUSE } from '../../kernel/house.ts'
import { selectInvitations, voidInvitation } from '../sign-in/index.ts'
import { operatorTeamErrors } from './errors.ts'
import type { OperatorDeps } from './merchants.ts'
import { pageOfAll, pageQueryOf } from './pagination.ts'
import type { Proposal } from './request-change.ts'

type Shown = Reply<typeof contract.browseOperators>

/** Lists all operators and all users who are invited as operators. */
export async function browseOperators(
  { core: { db, wall } }: OperatorDeps,
  { personId }: SignedIn,
  query: Input<typeof contract.browseOperators>['query'],
): Promise<Shown> {
  const [operators, invitations] = await Promise.all([selectOperators(db), selectInvitations(db, null, wall.now())])
  const all: Shown['items'] = [
    ...operators.map(({ id, createdAt, email, name, operatorRole: role, hasSecondFactor }) => ({
      id: String(id),
      createdOn: createdAt.toISOString(),
      email,
      name,
      role,
      status: 'ACTIVE' as const,
      hasSecondFactor,
      isYou: id === personId,
      expiresOn: null,
    })),
    ...invitations.map(({ id, createdAt, email, role, expiresAt }) => ({
      id: String(id),
      createdOn: createdAt.toISOString(),
      email,
      name: null,
      role: role as OperatorRole, // operator invitations have no other roles
      status: 'INVITED' as const,
      hasSecondFactor: false,
      isYou: false,
      expiresOn: expiresAt.toISOString(),
    })),
  ]
  return pageOfAll(
    all.filter(({ status }) => query.status === undefined || status === query.status),
    pageQueryOf(query),
  )
}

/** Proposes that a user becomes an operator, gets another role, or is removed. */
export async function proposeOperatorChange(
  { core }: OperatorDeps,
  { email, role }: Input<typeof contract.requestOperator>['body'],
): Promise<Proposal<'TEAM'>> {
  const before = (await findPersonByEmail(core.db, email))?.operatorRole ?? null
  if (before === role) throw operatorTeamErrors.roleUnchanged(email, role ?? 'no operator')
  return { merchantId: HOUSE, kind: 'TEAM', wanted: { email, role, before } }
}

/** Withdraws an invitation. One operator is enough, because this only reduces access. */
export const withdrawOperatorInvitation = ({ core }: OperatorDeps, id: bigint, by: By): Promise<void> =>
  unitOfWork(core, async (unit) => {
    const link = await voidInvitation(unit.tx, null, id, core.wall.now())
    if (link === undefined) throw operatorTeamErrors.unknownInvitation()
    const { email, role } = link
    audit(unit, { ...by, merchantId: NO_MERCHANT, act: 'operator.withdraw', details: { email, role } })
  })
