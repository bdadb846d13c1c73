import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  PERMISSIONS,
  type Permission,
  pathOf,
  permissionRefusals,
  permissionsOf,
  ROUTES,
  type Route,
} from '@kobo/contract'
import { aShop, type Client } from '../../../harness/gateway.ts'
import { type ApiResponse, checkRefusal } from '../../../harness/responses.ts'

/** A path with a value for each of its parameters. */
const somewhere = (path: string): string =>
  pathOf(path, Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, 'nothing'])))

/** Calls a route with an empty request. */
const callInVain = ({ send }: Client, { method, path }: Route): Promise<ApiResponse> =>
  send(method, somewhere(path), method === 'GET' || method === 'DELETE' ? {} : { body: {} })

/** Routes that require an access token. */
const TOKEN_ROUTES = ROUTES.filter(({ route }) => (route.access ?? 'token') === 'token')
const GUARDED = TOKEN_ROUTES.filter(({ route }) => permissionsOf(route).length > 0)

test('with all permissions revoked, every route that requires one returns 403 with a code that names it', async () => {
  const shop = await aShop()
  const nobody = await shop.anotherMerchant([])
  assert.ok(GUARDED.length > 60, 'there are routes')
  for (const { name, route } of GUARDED) {
    const response = await callInVain(nobody, route)
    assert.equal(response.status, 403, `${name}: ${response.text}`)
    const { code, message } = checkRefusal(route, response)
    const [first] = permissionsOf(route)
    assert.equal(code, first === undefined ? '' : permissionRefusals[first].code, name)
    assert.equal(message, 'Merchant is not permitted to perform this operation')
  }
})

test('a merchant that has only the permission of a route can call it', async () => {
  const shop = await aShop()
  for (const permission of PERMISSIONS) {
    const merchant = await shop.anotherMerchant([permission])
    for (const { name, route } of GUARDED) {
      const response = await callInVain(merchant, route)
      assert.equal(
        response.status === 403,
        permissionsOf(route).some((one) => one !== permission),
        `${name}: ${permission}`,
      )
    }
  }
})

test('every permission but that of the hosted page guards a route, and a route without any says why', () => {
  const guarding = new Set<Permission>(GUARDED.flatMap(({ route }) => permissionsOf(route)))
  assert.deepEqual(
    [...PERMISSIONS].filter((permission) => !guarding.has(permission)),
    ['checkoutCards'],
  )
  for (const { name, route } of ROUTES)
    if (permissionsOf(route).length === 0)
      assert.ok(typeof route.permission === 'object' && 'none' in route.permission && route.permission.none, name)
})
