import Type from 'typebox'
import { nullable } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { group, route } from '../route.ts'

const Time = Type.String({ examples: ['2026-03-01T09:30:00.000Z'] })
/** The longest time that a replaced secret key may stay valid. */
export const OVERLAP_HOURS_MAX = 24 * 30

export const getKeys = route({
  method: 'GET',
  path: '/dashboard/api/keys',
  summary: 'List the merchant’s API keys, without the secret keys',
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
        isSigning: Type.Boolean({ description: 'whether events are signed with this key' }),
      }),
    ),
  }),
})

export const rotateKey = route({
  method: 'POST',
  path: '/dashboard/api/keys/rotate',
  summary: 'Create a new secret key, shown only once; earlier keys stay valid for a while',
  access: 'person',
  permission: NO_PERMISSION.ownBooks,
  person: 'keys.manage',
  fresh: true,
  body: Type.Object({ overlapHours: Type.Integer({ minimum: 0, maximum: OVERLAP_HOURS_MAX }) }),
  reply: Type.Object({ secretKey: Type.String(), oldValidUntil: Time }),
})

export const keys = group({
  title: 'API keys',
  text: 'The API keys of the merchant’s server.',
  routes: { getKeys, rotateKey },
  refusals: {},
})
