import Type from 'typebox'
import { NoBody } from '../envelope.ts'
import { IpRange, nullable, optional, words } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { keyRefusals } from '../refusals/index.ts'
import { MONEY_OUT_SCOPES, SCOPES, type Scope } from '../roles.ts'
import { group, route } from '../route.ts'

const Time = Type.String({ examples: ['2026-03-01T09:30:00.000Z'] })
/** The longest time that a replaced secret key may stay valid. */
export const OVERLAP_HOURS_MAX = 24 * 30

/** The maximum number of a merchant's restricted keys that are valid at the same time. */
export const RESTRICTED_KEYS_MAX = 50
const EXPIRY_DAYS_MAX = 3_650
const KEY_IP_RANGES_MAX = 100

const Scopes = Type.Array(words(SCOPES), { minItems: 1, maxItems: SCOPES.length })

/** An API key with some of the merchant's rights. */
const RestrictedKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  environment: words(['sandbox', 'live']),
  hint: Type.String({ description: 'start and end of the secret key', examples: ['RK_TEST_…7Q2M'] }),
  scopes: Type.Array(words(SCOPES)),
  ipWhitelist: nullable(
    Type.Array(Type.String(), {
      description: 'addresses that may use it, from the merchant’s IP whitelist; null for the whole whitelist',
    }),
  ),
  createdBy: Type.String(),
  createdAt: Time,
  lastUsedAt: nullable(Type.String({ description: 'the last login with it' })),
  expiresAt: nullable(Time),
})

export const getKeys = route({
  method: 'GET',
  path: '/dashboard/api/keys',
  summary: 'List the merchant’s API keys, without the secret keys',
  access: 'person',
  permission: NO_PERMISSION.ownData,
  person: 'developer.read',
  reply: Type.Object({
    apiKey: Type.String(),
    walletAccountNumber: Type.String(),
    contracts: Type.Array(Type.Object({ code: Type.String(), name: Type.String(), isDisabled: Type.Boolean() })),
    secretKeys: Type.Array(
      Type.Object({
        id: Type.String(),
        createdAt: Time,
        firstUsedAt: nullable(Time),
        expiresAt: nullable(Time),
        isSigning: Type.Boolean({ description: 'whether events are signed with this key' }),
      }),
    ),
    restrictedKeys: Type.Array(RestrictedKey),
  }),
})

export const rotateKey = route({
  method: 'POST',
  path: '/dashboard/api/keys/rotate',
  summary: 'Create a new secret key, shown only once; earlier keys stay valid for a while',
  access: 'person',
  permission: NO_PERMISSION.ownData,
  person: 'keys.manage',
  fresh: true,
  twoPeople: { action: 'Create a secret key' },
  body: Type.Object({ overlapHours: Type.Integer({ minimum: 0, maximum: OVERLAP_HOURS_MAX }) }),
  reply: Type.Object({ secretKey: Type.String(), oldValidUntil: Time }),
})

export const createRestrictedKey = route({
  method: 'POST',
  path: '/dashboard/api/keys/restricted',
  summary: 'Create an API key with some of your own rights; its secret key is shown only once',
  description: 'Log in with the merchant’s API key and this secret key. Tokens of the key are limited to its scopes.',
  access: 'person',
  permission: NO_PERMISSION.ownData,
  person: 'developer.manage',
  fresh: true,
  twoPeople: {
    action: 'Create a restricted key that can move money',
    // A user who lacks one of the scopes gets the route's own error.
    applies: ({ scopes }, { may }) => {
      const requested = scopes as readonly Scope[]
      return requested.every(may) && MONEY_OUT_SCOPES.some((scope) => requested.includes(scope))
    },
  },
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 60 }),
    scopes: Scopes,
    ipWhitelist: optional(Type.Array(IpRange, { minItems: 1, maxItems: KEY_IP_RANGES_MAX })),
    expiresInDays: optional(Type.Integer({ minimum: 1, maximum: EXPIRY_DAYS_MAX })),
  }),
  reply: Type.Object({ secretKey: Type.String(), key: RestrictedKey }),
  refusals: [keyRefusals.scopeTooHigh, keyRefusals.tooManyKeys],
})

export const revokeRestrictedKey = route({
  method: 'DELETE',
  path: '/dashboard/api/keys/restricted/:id',
  summary: 'Revoke a restricted key; it and its tokens stop working at once',
  access: 'person',
  permission: NO_PERMISSION.ownData,
  person: 'developer.manage',
  fresh: true,
  params: Type.Object({ id: Type.String({ pattern: '^\\d{1,19}$', 'x-rule': 'a numeric ID' }) }),
  reply: NoBody,
  refusals: [keyRefusals.unknownKey],
})

export const keys = group({
  title: 'API keys',
  text: 'The API keys of the merchant’s server.',
  routes: { getKeys, rotateKey, createRestrictedKey, revokeRestrictedKey },
  refusals: keyRefusals,
})
