/** What a person of a merchant's team may be allowed to do in the dashboard. */
export const PERSON_PERMISSIONS = [
  'money.read',
  // Payers' names, addresses and numbers unmasked.
  'payer.read',
  'balances.read',
  'export.make',
  'collect.make',
  'refund.make',
  'payout.read',
  'payout.make',
  'payout.approve',
  'developer.read',
  'developer.manage',
  'keys.manage',
  'terms.manage',
  'team.manage',
  'audit.read',
  'sandbox.use',
] as const
export type PersonPermission = (typeof PERSON_PERMISSIONS)[number]

/** What somebody does for a merchant, highest first. */
export const ROLES = ['owner', 'admin', 'developer', 'finance', 'support', 'viewer'] as const
export type Role = (typeof ROLES)[number]

/** Whether a role has a permission: always, never, or where the person's own flag says so. */
export type Held = 'yes' | 'no' | 'flag'

const held = (owner: Held, admin: Held, developer: Held, finance: Held, support: Held, viewer: Held) => ({
  owner,
  admin,
  developer,
  finance,
  support,
  viewer,
})

/** Which role may do what. */
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
  'developer.read': held('yes', 'yes', 'yes', 'no', 'no', 'no'),
  'developer.manage': held('yes', 'yes', 'yes', 'no', 'no', 'no'),
  'keys.manage': held('yes', 'no', 'yes', 'no', 'no', 'no'),
  'terms.manage': held('yes', 'no', 'no', 'no', 'no', 'no'),
  'team.manage': held('yes', 'yes', 'no', 'no', 'no', 'no'),
  'audit.read': held('yes', 'yes', 'no', 'yes', 'no', 'no'),
  'sandbox.use': held('yes', 'yes', 'yes', 'yes', 'yes', 'no'),
}

/**
 * What whoever runs the gateway may be allowed to do in its dashboard. None of it shows a secret, or moves a merchant's money
 * but for one thing: what became of an order that nobody answers for, two people decide.
 */
export const OPERATOR_PERMISSIONS = [
  'operator.read',
  // Payers' names, addresses and numbers unmasked.
  'operator.payer.read',
  'operator.manage',
  'operator.team.manage',
] as const
export type OperatorPermission = (typeof OPERATOR_PERMISSIONS)[number]

export const OPERATOR_ROLES = ['operator', 'auditor', 'operator-support'] as const
export type OperatorRole = (typeof OPERATOR_ROLES)[number]

/** Which role of the operator's may do what. */
export const OPERATOR_ROLE_PERMISSIONS: Readonly<Record<OperatorRole, readonly OperatorPermission[]>> = {
  operator: OPERATOR_PERMISSIONS,
  auditor: ['operator.read', 'operator.payer.read'],
  'operator-support': ['operator.read'],
}

/** That a route asks for no permission of a person who is signed in, and why. */
export interface AnyPerson {
  readonly any: string
}

/** The reasons why a route asks for none. */
export const ANY_PERSON = {
  own: { any: 'one’s own: profile, sessions, second factors' },
  reference: { any: 'the same for everybody' },
} as const satisfies Readonly<Record<string, AnyPerson>>

/** What a person must be allowed to do, or why nothing. */
export type PersonNeeded = PersonPermission | OperatorPermission | AnyPerson

/** What somebody with a role may do. `approves` is the person's own flag, which counts where the role leaves it open. */
export const permissionsOfRole = (role: Role, approves: boolean): readonly PersonPermission[] =>
  PERSON_PERMISSIONS.filter((permission) => {
    const has = ROLE_PERMISSIONS[permission][role]
    return has === 'yes' || (has === 'flag' && approves)
  })

/** Nobody gives, changes or takes away a role above the own. Below an admin all are equal: they do other things. */
const RANKS: Readonly<Record<Role, number>> = { owner: 3, admin: 2, developer: 1, finance: 1, support: 1, viewer: 1 }
export const isAbove = (role: Role, other: Role): boolean => RANKS[role] > RANKS[other]
