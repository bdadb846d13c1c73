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
import { migrateDatabase } from '../../../../src/app/core.ts'
import { type Answer, checkRefusal } from '../../../harness/answers.ts'
import { aShop, type Client, gateway } from '../../../harness/gateway.ts'
import { asOwner, ownerOf, urlsOf } from '../../../harness/postgres.ts'

/** A path with something in each of its places. */
const somewhere = (path: string): string =>
  pathOf(path, Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, 'nothing'])))

/** Calls a route with nothing that it could do. */
const callInVain = ({ send }: Client, { method, path }: Route): Promise<Answer> =>
  send(method, somewhere(path), method === 'GET' || method === 'DELETE' ? {} : { body: {} })

/** Routes that ask for a token, by what permission they take. */
const TOKEN_ROUTES = ROUTES.filter(({ route }) => (route.access ?? 'token') === 'token')
const GUARDED = TOKEN_ROUTES.filter(({ route }) => permissionsOf(route).length > 0)

test('with all permissions withdrawn, every route that takes one refuses with 403, and its code names the permission', async () => {
  const shop = await aShop()
  const nobody = await shop.anotherMerchant([])
  assert.ok(GUARDED.length > 60, 'the routes are found')
  for (const { name, route } of GUARDED) {
    const answer = await callInVain(nobody, route)
    assert.equal(answer.status, 403, `${name}: ${answer.text}`)
    const { code, message } = checkRefusal(route, answer)
    const [first] = permissionsOf(route)
    assert.equal(code, first === undefined ? '' : permissionRefusals[first].code, name)
    assert.equal(message, 'Merchant is not permitted to perform this operation')
  }
})

test('with its permission alone, a route lets the merchant in', async () => {
  const shop = await aShop()
  for (const permission of PERMISSIONS) {
    const merchant = await shop.anotherMerchant([permission])
    for (const { name, route } of GUARDED) {
      const answer = await callInVain(merchant, route)
      assert.equal(
        answer.status === 403,
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

test('whoever was here before the new permissions has them all, and in the sandbox any page may open payments as before', async (t) => {
  const { db, databaseUrl } = await gateway(t)
  // As the version before left it.
  for (const statement of [
    'alter table merchant drop column inline_origins',
    `update merchant set permissions = '{transfers,bills}'`,
    `delete from schema_addition where name like '%permissions_and_origins.sql'`,
  ])
    await asOwner(databaseUrl, statement)
  assert.equal(await migrateDatabase({ ...urlsOf(databaseUrl), owner: ownerOf(databaseUrl) }), 1)
  const [merchant] = await db<{ permissions: string[]; inlineOrigins: string[] }[]>`
    select permissions, inline_origins from merchant`
  assert.deepEqual(merchant?.permissions, [
    'transfers',
    'bills',
    'checkoutCards',
    'recurring',
    'reservedAccounts',
    'directDebit',
    'verification',
  ])
  assert.deepEqual(merchant?.inlineOrigins, ['*'])
})
