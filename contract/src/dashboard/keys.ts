import Type from 'typebox'
import { nullable } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { group, route } from '../route.ts'

const Time = Type.String({ examples: ['2026-03-01T09:30:00.000Z'] })
/** For how long a secret key that is replaced may stay valid. */
export const OVERLAP_HOURS_MAX = 24 * 30

export const getKeys = route({
  method: 'GET',
  path: '/dashboard/api/keys',
  summary: 'By what the merchant’s server is known; secret keys without themselves',
  access: 'person',
  permission: NO_PERMISSION.ownBooks,
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
        isSigning: Type.Boolean({ description: 'whether events are signed with it' }),
      }),
    ),
  }),
})

export const rotateKey = route({
  method: 'POST',
  path: '/dashboard/api/keys/rotate',
  summary: 'A new secret key, shown this once; those of before stay valid for a while',
  access: 'person',
  permission: NO_PERMISSION.ownBooks,
  person: 'keys.manage',
  fresh: true,
  body: Type.Object({ overlapHours: Type.Integer({ minimum: 0, maximum: OVERLAP_HOURS_MAX }) }),
  reply: Type.Object({ secretKey: Type.String(), oldValidUntil: Time }),
})

export const keys = group({
  title: 'Keys',
  text: 'By what a merchant’s server is known to us.',
  routes: { getKeys, rotateKey },
  refusals: {},
})
