/** The permissions of a merchant. Collecting by transfer needs none. */
export const PERMISSIONS = [
  'transfers',
  'subAccounts',
  'wallets',
  'bills',
  'paycode',
  'refunds',
  // Card charges: by the merchant's server, on the hosted checkout, and with tokens.
  'cards',
  'checkoutCards',
  'recurring',
  'reservedAccounts',
  'directDebit',
  'verification',
  // Changing the merchant's own settings through the API.
  'settings',
] as const
export type Permission = (typeof PERMISSIONS)[number]

/** A route that needs no permission, with the reason. */
export interface NoPermission {
  readonly none: string
}

/**
 * The permissions that a route can require. `checkoutCards` is not one of them: it controls the hosted page, whose
 * customers have no token.
 */
export type RoutePermission = Exclude<Permission, 'checkoutCards'>

/** The permissions that a route requires (all of them), or the reason why it requires none. */
export type Needed = RoutePermission | readonly RoutePermission[] | NoPermission

/** The reasons why a route requires no permission. */
export const NO_PERMISSION = {
  collecting: { none: 'every merchant may collect payments' },
  ownData: { none: 'reads or changes only the merchant’s or the user’s own data' },
  operator: { none: 'for operators; their roles decide' },
  reference: { none: 'public reference data' },
  login: { none: 'the caller is not known before the login' },
  payer: { none: 'called by customers; the merchant’s permissions decide what they are offered' },
  sandbox: { none: 'sandbox control; no real money moves' },
} as const satisfies Readonly<Record<string, NoPermission>>

/** The permissions to charge cards. A merchant without any of them cannot charge cards at all. */
export const CARD_PERMISSIONS = ['cards', 'checkoutCards', 'recurring'] as const satisfies readonly Permission[]

/** Permissions that require the customers' consent: the merchant's statement is stored when they are granted. */
export const CONSENT_PERMISSIONS = ['verification', 'recurring'] as const satisfies readonly Permission[]

const NONE: readonly RoutePermission[] = []

export function permissionsOf({ permission }: { readonly permission: Needed }): readonly RoutePermission[] {
  if (typeof permission === 'string') return [permission]
  return 'none' in permission ? NONE : permission
}
