/** What a merchant may be allowed to do beyond collecting money by transfer. */
export const PERMISSIONS = [
  'transfers',
  'subAccounts',
  'wallets',
  'bills',
  'paycode',
  'refunds',
  // Card numbers in calls of the merchant's server; on the hosted page, where it never sees them; and by tokens.
  'cards',
  'checkoutCards',
  'recurring',
  'reservedAccounts',
  'directDebit',
  'verification',
  // Changing settings of its own by the API.
  'settings',
] as const
export type Permission = (typeof PERMISSIONS)[number]

/** That a route asks for no permission, and why. */
export interface NoPermission {
  readonly none: string
}

/** Those that a route can take: who may offer cards on the hosted page is asked of nobody who has a token. */
export type RoutePermission = Exclude<Permission, 'checkoutCards'>

/** What every route declares: the permissions that it takes, all of them, or why it takes none. */
export type Needed = RoutePermission | readonly RoutePermission[] | NoPermission

/** The reasons why a route takes no permission. */
export const NO_PERMISSION = {
  collecting: { none: 'collecting money is what every merchant is here for' },
  ownBooks: { none: 'tells a merchant of what is its own' },
  reference: { none: 'the same for everybody' },
  login: { none: 'nobody is known before it' },
  payer: { none: 'asked by payers; what they are offered follows from the permissions of the merchant' },
  sandbox: { none: 'a control of the sandbox, where no money moves' },
} as const satisfies Readonly<Record<string, NoPermission>>

/** Each is a way to charge cards: with none of them, no card is charged for a merchant. */
export const CARD_PERMISSIONS = ['cards', 'checkoutCards', 'recurring'] as const satisfies readonly Permission[]

/** What may be done to people only with their consent: what the merchant asserts when it is granted is kept. */
export const CONSENT_PERMISSIONS = ['verification', 'recurring'] as const satisfies readonly Permission[]

const NONE: readonly RoutePermission[] = []

/** The permissions that a route takes. */
export function permissionsOf({ permission }: { readonly permission: Needed }): readonly RoutePermission[] {
  if (typeof permission === 'string') return [permission]
  return 'none' in permission ? NONE : permission
}
