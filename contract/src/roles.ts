/** The permissions of a merchant's team members in the dashboard. */
export const PERSON_PERMISSIONS = [
  'money.read',
  // Customers' names, addresses and numbers, unmasked.
  'payer.read',
  'balances.read',
  'export.make',
  'collect.make',
  'refund.make',
  'payout.read',
  'payout.make',
  'payout.approve',
  // BVN and NIN checks, which cost a fee and show the data of anyone.
  'identity.verify',
  'developer.read',
  'developer.manage',
  'keys.manage',
  'terms.manage',
  'team.manage',
  'sign-on.manage',
  'audit.read',
  'sandbox.use',
  // Tills and the payments into them; a cashier sees only their own till.
  'till.use',
] as const
export type PersonPermission = (typeof PERSON_PERMISSIONS)[number]

/** The roles in a merchant's team, highest first. */
export const ROLES = ['owner', 'admin', 'developer', 'finance', 'support', 'viewer', 'cashier'] as const
export type Role = (typeof ROLES)[number]

/** Whether a role has a permission: always, never, or only if the user is marked as an approver. */
export type Held = 'yes' | 'no' | 'flag'

/** Whether each role has a permission. A cashier has none by default, because a cashier only uses a till. */
const held = (
  owner: Held,
  admin: Held,
  developer: Held,
  finance: Held,
  support: Held,
  viewer: Held,
  cashier: Held = 'no',
) => ({
  owner,
  admin,
  developer,
  finance,
  support,
  viewer,
  cashier,
})

export const ROLE_PERMISSIONS: Readonly<Record<PersonPermission, Readonly<Record<Role, Held>>>> = {
  //                        owner  admin  developer finance support viewer
  'money.read': held('yes', 'yes', 'yes', 'yes', 'yes', 'yes'),
  'payer.read': held('yes', 'yes', 'no', 'yes', 'yes', 'no'),
  'balances.read': held('yes', 'yes', 'no', 'yes', 'no', 'yes'),
  'export.make': held('yes', 'yes', 'no', 'yes', 'no', 'no'),
  'collect.make': held('yes', 'yes', 'no', 'yes', 'yes', 'no'),
  'refund.make': held('yes', 'no', 'no', 'yes', 'no', 'no'),
  'payout.read': held('yes', 'yes', 'no', 'yes', 'yes', 'no'),
  'payout.make': held('yes', 'no', 'no', 'yes', 'no', 'no'),
  'payout.approve': held('yes', 'flag', 'no', 'flag', 'no', 'no'),
  'identity.verify': held('yes', 'yes', 'no', 'no', 'no', 'no'),
  'developer.read': held('yes', 'yes', 'yes', 'no', 'no', 'no'),
  'developer.manage': held('yes', 'yes', 'yes', 'no', 'no', 'no'),
  // The secret key can do everything that the merchant may do, so only an owner can replace it.
  'keys.manage': held('yes', 'no', 'no', 'no', 'no', 'no'),
  'terms.manage': held('yes', 'no', 'no', 'no', 'no', 'no'),
  'team.manage': held('yes', 'yes', 'no', 'no', 'no', 'no'),
  // The identity provider can sign in as anyone in the team.
  'sign-on.manage': held('yes', 'no', 'no', 'no', 'no', 'no'),
  'audit.read': held('yes', 'yes', 'no', 'yes', 'no', 'no'),
  'sandbox.use': held('yes', 'yes', 'yes', 'yes', 'yes', 'no'),
  'till.use': held('yes', 'yes', 'no', 'yes', 'yes', 'no', 'yes'),
}

/** The permissions that a restricted API key can have: those that any API route needs. */
export const SCOPES = [
  'money.read',
  'payer.read',
  'balances.read',
  'collect.make',
  'refund.make',
  'payout.read',
  'payout.make',
  'identity.verify',
  'developer.read',
  'developer.manage',
  'terms.manage',
  'sandbox.use',
] as const satisfies readonly PersonPermission[]
export type Scope = (typeof SCOPES)[number]

/** The scopes with which the holder of a key can send money to any account. */
export const MONEY_OUT_SCOPES = ['refund.make', 'payout.make', 'terms.manage'] as const satisfies readonly Scope[]

/**
 * Fields of request bodies that need their own permission from users and restricted keys, on every route that has
 * them.
 */
export const FIELD_PERMISSIONS = {
  // A split sends money to an account that is not the merchant's own.
  incomeSplitConfig: 'terms.manage',
} as const satisfies Readonly<Record<string, PersonPermission>>
/** Fields that a restricted key may not change, because it could remove its own limits with them. */
export const FIELDS_OF_FULL_KEY = ['ipWhitelist'] as const
type GuardedField = keyof typeof FIELD_PERMISSIONS

/** The fields of a route that need their own permission. */
export function guardedFieldsOf({ body }: { readonly body?: object }): readonly GuardedField[] {
  const fields = (body as { readonly properties?: object } | undefined)?.properties ?? {}
  return (Object.keys(FIELD_PERMISSIONS) as GuardedField[]).filter((field) => field in fields)
}

/** Whether a field has a value; an empty list is treated as left out. */
export const isFilled = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null

/**
 * The permissions of the operator's team. None shows a secret. A merchant's money moves only by decisions of two
 * operators, for example about the outcome of an unresolved order.
 */
export const OPERATOR_PERMISSIONS = [
  'operator.read',
  // Customers' names, addresses and numbers, unmasked.
  'operator.payer.read',
  'operator.manage',
  'operator.team.manage',
] as const
export type OperatorPermission = (typeof OPERATOR_PERMISSIONS)[number]

export const OPERATOR_ROLES = ['operator', 'auditor', 'operator-support'] as const
export type OperatorRole = (typeof OPERATOR_ROLES)[number]

export const OPERATOR_ROLE_PERMISSIONS: Readonly<Record<OperatorRole, readonly OperatorPermission[]>> = {
  operator: OPERATOR_PERMISSIONS,
  auditor: ['operator.read', 'operator.payer.read'],
  'operator-support': ['operator.read'],
}

/** A route that any signed-in user may call, with the reason. */
export interface AnyPerson {
  readonly any: string
}

/** The reasons why a route needs no permission. */
export const ANY_PERSON = {
  own: { any: 'the user’s own profile, sessions and second factors' },
  reference: { any: 'public reference data' },
} as const satisfies Readonly<Record<string, AnyPerson>>

/** The permission that a user needs, or the reason why none is needed. */
export type PersonNeeded = PersonPermission | OperatorPermission | AnyPerson

/** Hours until a new owner or approver has all rights, and until a removed owner leaves the team. */
export const TEAM_CHANGE_HOURS = 24

/**
 * The permissions that a new owner gets only after these hours. A new approver in another role waits only for the right
 * to approve.
 */
const DELAYED_PERMISSIONS: readonly PersonPermission[] = [
  'refund.make',
  'payout.make',
  'payout.approve',
  'keys.manage',
  'terms.manage',
  'sign-on.manage',
]

/**
 * The permissions of a user with a role. `approves`: whether the user is marked as an approver, which matters for some
 * roles. `isWaiting`: whether the user got the role less than TEAM_CHANGE_HOURS ago.
 */
export const permissionsOfRole = (role: Role, approves: boolean, isWaiting = false): readonly PersonPermission[] =>
  PERSON_PERMISSIONS.filter((permission) => {
    const has = ROLE_PERMISSIONS[permission][role]
    const waits = role === 'owner' ? DELAYED_PERMISSIONS.includes(permission) : permission === 'payout.approve'
    return (has === 'yes' || (has === 'flag' && approves)) && !(isWaiting && waits)
  })

/** Users can change or remove only members up to their own rank. Roles below admin have equal rank. */
const RANKS: Readonly<Record<Role, number>> = {
  owner: 3,
  admin: 2,
  developer: 1,
  finance: 1,
  support: 1,
  viewer: 1,
  cashier: 1,
}
export const isAbove = (role: Role, other: Role): boolean => RANKS[role] > RANKS[other]
