import { vendBill } from './bills.ts'
import { approve, changeApprovalPolicy } from './dashboard/approvals.ts'
import { createRestrictedKey, rotateKey } from './dashboard/keys.ts'
import { setSignOn } from './dashboard/sign-on.ts'
import { changeRole, invite, removeMember } from './dashboard/team.ts'
import { initiateBatch, initiateTransfer } from './disbursements.ts'
import { acceptDispute } from './disputes.ts'
import { createPaycode, revealPaycode } from './paycodes.ts'
import { initiateRefund } from './refunds.ts'
import { updateIncomeSplitConfig } from './reserved-accounts.ts'
import {
  FIELD_PERMISSIONS,
  MONEY_OUT_SCOPES,
  type PersonPermission,
  permissionsOfRole,
  ROLES,
  type Role,
} from './roles.ts'
import type { Route } from './route.ts'
import { changeMerchantSettings } from './settings.ts'
import { changeSubAccount, createSubAccounts } from './sub-accounts.ts'
import { initTransaction } from './transactions.ts'

/** An action of a user that moves money out of a wallet. */
export interface MoneyOut {
  readonly action: string
  readonly route: Route
  /**
   * The safeguard: others must approve it. Or no one has to, because the money only goes back to its payer.
   */
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

/** An action of a user that gives someone a way to move money out later. */
export interface MoneyMeans {
  readonly action: string
  readonly route: Route
  /**
   * The safeguard. Either a second person approves it, or its effect on money starts a day later. In that case all
   * owners get an email and can stop it.
   */
  readonly gate: 'second person' | 'a day'
}

/** Every action of a user that gives someone a way to move money out later. */
export const MONEY_MEANS: readonly MoneyMeans[] = [
  { action: 'secret key: create', route: rotateKey, gate: 'second person' },
  { action: 'restricted key that can move money: create', route: createRestrictedKey, gate: 'second person' },
  { action: 'IP whitelist: add addresses', route: changeMerchantSettings, gate: 'second person' },
  { action: 'sub account: create', route: createSubAccounts, gate: 'second person' },
  { action: 'sub account: change', route: changeSubAccount, gate: 'second person' },
  { action: 'payment: split (`incomeSplitConfig`)', route: initTransaction, gate: 'second person' },
  { action: 'reserved account: split', route: updateIncomeSplitConfig, gate: 'second person' },
  { action: 'paycode of someone else: show the code', route: revealPaycode, gate: 'second person' },
  { action: 'approval policy: change', route: changeApprovalPolicy, gate: 'second person' },
  { action: 'owner or approver: add', route: invite, gate: 'a day' },
  { action: 'owner or approver: change the role', route: changeRole, gate: 'a day' },
  { action: 'owner or approver: remove', route: removeMember, gate: 'a day' },
  { action: 'single sign-on whose second factor counts: set up', route: setSignOn, gate: 'a day' },
]

/** A user's place in a team: the role and, for roles that do not always approve payouts, whether this user does. */
export interface Place {
  readonly name: string
  readonly role: Role
  readonly approves: boolean
}

/** Every role, and again as an approver if that adds permissions. */
export const PLACES: readonly Place[] = ROLES.flatMap((role) => {
  const plain = { name: role, role, approves: false }
  const isOpen = permissionsOfRole(role, true).length > permissionsOfRole(role, false).length
  return isOpen ? [plain, { name: `${role}, approver`, role, approves: true }] : [plain]
})

/** The rights of a user to an action that moves money out. */
export interface MoneyRights {
  readonly makes: boolean
  /** Whether the user may approve such actions of others. */
  readonly approves: boolean
  /** Whether the user can move the money out without anyone else, and under which condition. */
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

/** A user's right to an action that gives someone a way to move money out. */
export interface MeansRights {
  readonly requests: boolean
  /** Whether the user may approve such requests of others. */
  readonly approves: boolean
  readonly alone: 'no' | 'as the sole approver' | 'after a day, unless an owner stops it'
}

/**
 * Permissions that an action needs in addition to its route's, because it sets a guarded field or gives rights. Users
 * can give only rights that they have.
 */
const ALSO_NEEDED: ReadonlyMap<Route, readonly PersonPermission[]> = new Map<Route, readonly PersonPermission[]>([
  [initTransaction, Object.values(FIELD_PERMISSIONS)],
  [invite, [approve.person]],
  [changeRole, [approve.person]],
])

export function meansRightsOf({ role, approves }: Place, { route, gate }: MoneyMeans): MeansRights {
  const held = permissionsOfRole(role, approves)
  const needed: readonly unknown[] = [route.person, ...(ALSO_NEEDED.get(route) ?? [])]
  // A restricted key gets no right that its creator lacks.
  const lacks = route === createRestrictedKey && !MONEY_OUT_SCOPES.some((scope) => held.includes(scope))
  const requests = needed.every((one) => held.includes(one as PersonPermission)) && !lacks
  const isApprover = held.includes(approve.person)
  if (gate === 'a day')
    return { requests, approves: false, alone: requests ? 'after a day, unless an owner stops it' : 'no' }
  return { requests, approves: isApprover, alone: requests && isApprover ? 'as the sole approver' : 'no' }
}
