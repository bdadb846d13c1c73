import { permissionsOfRole } from '@kobo/contract'
import type { Member } from '../../core/sessions/index.ts'

/** Returns the team members who may approve payouts, including those whose permission starts later. */
export const approversOf = (team: readonly Member[]): ReadonlySet<bigint> =>
  new Set(
    team
      .filter(({ role, approves }) => permissionsOfRole(role, approves).includes('payout.approve'))
      .map(({ personId }) => personId),
  )

/** Whether a member is the team's only approver, and no other approver was removed recently. */
export function isSole(team: readonly Member[], personId: bigint, at: Date): boolean {
  const isOnly = [...approversOf(team)].every((one) => one === personId)
  const { soleFrom = null } = team.find((one) => one.personId === personId) ?? {}
  return isOnly && (soleFrom === null || soleFrom <= at)
}
