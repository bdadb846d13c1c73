import type * as contract from '@kobo/contract'
import type { Input, OperatorRole, Reply } from '@kobo/contract'
import type { By } from '../../core/edge/http/index.ts'
import { HOUSE } from '../../core/money/ledger/index.ts'
import { audit, NO_MERCHANT } from '../../core/security/audit.ts'
import { findPersonByEmail, type SignedIn, selectOperators } from '../../core/sessions/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { selectInvitations, voidInvitation } from '../sign-in/index.ts'
import { type Asker, ask } from './ask.ts'
import { operatorTeamErrors } from './errors.ts'
import type { OperatorDeps } from './merchants.ts'
import { pageOfAll, wantedOf } from './page.ts'

type Shown = Reply<typeof contract.browseOperators>

/** Everybody who is an operator or invited to be one. */
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
      role: role as OperatorRole, // an invitation that is no merchant's names no other
      status: 'INVITED' as const,
      hasSecondFactor: false,
      isYou: false,
      expiresOn: expiresAt.toISOString(),
    })),
  ]
  return pageOfAll(
    all.filter(({ status }) => query.status === undefined || status === query.status),
    wantedOf(query),
  )
}

/** Asks that somebody becomes an operator, has another role, or is none any more. */
export async function askForOperator(
  { core }: OperatorDeps,
  { email, role }: Input<typeof contract.askForOperator>['body'],
  asker: Asker,
): Promise<{ readonly id: string }> {
  const before = (await findPersonByEmail(core.db, email))?.operatorRole ?? null
  if (before === role) throw operatorTeamErrors.staysSo(email, role ?? 'no operator')
  return unitOfWork(core, async (unit) => ask(unit, HOUSE, 'TEAM', { email, role, before }, asker))
}

/** Withdraws an invitation: with that nobody comes in, so one operator will do. */
export const withdrawOperatorInvitation = ({ core }: OperatorDeps, id: bigint, by: By): Promise<void> =>
  unitOfWork(core, async (unit) => {
    const link = await voidInvitation(unit.tx, null, id, core.wall.now())
    if (link === undefined) throw operatorTeamErrors.unknownInvitation()
    const { email, role } = link
    audit(unit, { ...by, merchantId: NO_MERCHANT, act: 'operator.withdraw', details: { email, role } })
  })
