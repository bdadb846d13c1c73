import Type from 'typebox'
import { NO_PERMISSION } from './permissions.ts'
import { accessRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'

export const login = route({
  method: 'POST',
  path: '/api/v1/auth/login',
  summary: 'Exchange API key and secret key for an access token',
  description:
    'Send `Authorization: Basic base64(apiKey:secretKey)` and no body. The token is valid for `expiresIn` seconds. A new login does not revoke earlier tokens.',
  access: 'keys',
  permission: NO_PERMISSION.login,
  reply: Type.Object({
    accessToken: Type.String({ description: 'JWT to send as `Authorization: Bearer …` with every other request' }),
    expiresIn: Type.Integer({ description: 'seconds', examples: [3600] }),
  }),
})

export const authentication = group({
  title: 'Authentication',
  text: 'Exchange your API keys for an access token.',
  routes: { login },
  refusals: accessRefusals,
})
