import { vendBill } from './bills.ts'
import { approve } from './dashboard/approvals.ts'
import { initiateBatch, initiateTransfer } from './disbursements.ts'
import { acceptDispute } from './disputes.ts'
import { createPaycode } from './paycodes.ts'
import { initiateRefund } from './refunds.ts'
import { type PersonPermission, permissionsOfRole, ROLES, type Role, type Scope } from './roles.ts'
import { type Route, scopeOf } from './route.ts'

/** An action of a user that moves money out of a wallet. */
export interface MoneyOut {
  readonly action: string
  readonly route: Route
  /** The condition that releases it: the approval of others, or nothing because it only goes back to its payer. */
  readonly gate: 'approval' | 'back to the payer'
}

/** Every action of a user that moves money out of a wallet. */
export const MONEY_OUT: readonly MoneyOut[] = [
  { action: 'transfer', route: initiateTransfer, gate: 'approval' },
  { action: 'batch', route: initiateBatch, gate: 'approval' },
  { action: 'refund to another account', route: initiateRefund, gate: 'approval' },
  { action: 'paycode', route: createPaycode, gate: 'approval' },
  { action: 'bill', route: vendBill, gate: 'approval' },
  { action: 'refund to the payer', route: initiateRefund, gate: 'back to the payer' },
  { action: 'accept a dispute', route: acceptDispute, gate: 'back to the payer' },
]

/** The scopes of API keys that can move money out of a wallet. */
export const MONEY_OUT_SCOPES: readonly Scope[] = [...new Set(MONEY_OUT.flatMap(({ route }) => scopeOf(route) ?? []))]

/** The place of a user in a team: the role, and the user's own flag where the role leaves it open. */
export interface Place {
  readonly name: string
  readonly role: Role
  readonly approves: boolean
}

/** Every place that differs in its permissions. */
export const PLACES: readonly Place[] = ROLES.flatMap((role) => {
  const plain = { name: role, role, approves: false }
  const isOpen = permissionsOfRole(role, true).length > permissionsOfRole(role, false).length
  return isOpen ? [plain, { name: `${role}, approver`, role, approves: true }] : [plain]
})

/** The rights of a user about money that leaves. */
export interface MoneyRights {
  readonly makes: boolean
  /** Whether they approve what others have made. */
  readonly approves: boolean
  /** Whether it leaves without anyone else. */
  readonly alone: 'no' | 'back to the payer' | 'as the sole approver, up to the limit of the policy'
}

export function moneyRightsOf({ role, approves }: Place, { route, gate }: MoneyOut): MoneyRights {
  const may = (permission: Route['person']): boolean =>
    permissionsOfRole(role, approves).includes(permission as PersonPermission)
  const makes = may(route.person)
  if (gate === 'back to the payer') return { makes, approves: false, alone: makes ? gate : 'no' }
  const isApprover = may(approve.person)
  const alone = makes && isApprover ? 'as the sole approver, up to the limit of the policy' : 'no'
  return { makes, approves: isApprover, alone }
}
