import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ANY_PERSON,
  DASHBOARD_ROUTES,
  inDashboard,
  isAbove,
  NO_PERMISSION,
  PERSON_PERMISSIONS,
  permissionsOf,
  permissionsOfRole,
  ROLES,
  ROUTES,
  route,
  SCOPES,
  scopeOf,
} from '@kobo/contract'
import Type from 'typebox'

const READS = { person: 'money.read' } as const
const PLAIN = { method: 'GET', path: '/api/v1/somewhere', summary: 'Something', reply: Type.Object({}) } as const

test('a route without a permission decision does not compile', () => {
  // @ts-expect-error: neither a permission nor a reason for none
  route({ ...PLAIN, ...READS })
  // @ts-expect-error: no such permission
  route({ ...PLAIN, ...READS, permission: 'everything' })
  assert.deepEqual(permissionsOf(route({ ...PLAIN, ...READS, permission: 'cards' })), ['cards'])
  assert.deepEqual(permissionsOf(route({ ...PLAIN, ...READS, permission: ['cards', 'refunds'] })), ['cards', 'refunds'])
  assert.deepEqual(permissionsOf(route({ ...PLAIN, ...READS, permission: NO_PERMISSION.reference })), [])
})

test('a dashboard route without a user permission decision does not compile', () => {
  const dashboard = { ...PLAIN, path: '/dashboard/api/somewhere', permission: NO_PERMISSION.ownData } as const
  // @ts-expect-error: neither a user permission nor a reason for none
  route({ ...dashboard, access: 'person' })
  // @ts-expect-error: no such permission
  route({ ...dashboard, access: 'person', person: 'everything' })
  assert.equal(route({ ...dashboard, access: 'person', person: 'money.read' }).person, 'money.read')
  assert.equal(route({ ...dashboard, access: 'person', person: ANY_PERSON.own }).person, ANY_PERSON.own)
})

test('an API route without a scope decision does not compile, and every decision is a scope that keys can have', () => {
  // @ts-expect-error: neither a user permission nor a scope
  route({ ...PLAIN, permission: 'cards' })
  // @ts-expect-error: no such scope
  route({ ...PLAIN, permission: 'cards', scope: 'keys.manage' })
  assert.equal(scopeOf(route({ ...PLAIN, permission: 'cards', scope: 'collect.make' })), 'collect.make')
  assert.equal(scopeOf(route({ ...PLAIN, permission: 'cards', person: ANY_PERSON.reference })), undefined)
  const needed = new Set(
    ROUTES.filter(({ route: one }) => (one.access ?? 'token') === 'token').map(({ route: one }) => scopeOf(one)),
  )
  needed.delete(undefined)
  assert.deepEqual([...needed].sort(), [...SCOPES].sort())
})

test('the dashboard’s own routes are for users or for sign-in, and are under its path', () => {
  for (const { name, route: one } of DASHBOARD_ROUTES) {
    assert.ok(one.path.startsWith('/dashboard/api/'), name)
    assert.ok(one.access === 'open' || (one.access === 'person' && one.person !== undefined), name)
  }
})

test('an API route that users may call is also under the dashboard’s path, once', () => {
  const shared = ROUTES.filter(({ route: one }) => one.person !== undefined)
  assert.ok(shared.length > 50, 'the routes are found')
  for (const { name, route: one } of shared) {
    assert.equal(one.access ?? 'token', 'token', name)
    const { path, access, person } = inDashboard(one)
    assert.ok(path.startsWith('/dashboard/api/') && access === 'person' && person === one.person, name)
  }
  const own = inDashboard(route({ ...PLAIN, permission: 'cards', person: 'money.read' }))
  const path: '/dashboard/api/v1/somewhere' = own.path
  assert.equal(path, '/dashboard/api/v1/somewhere')
})

test('a role has the permissions of the table: support moves no money, a viewer sees no customers, a flag makes an approver', () => {
  const may = (role: (typeof ROLES)[number], approves = false): readonly string[] => permissionsOfRole(role, approves)
  assert.deepEqual(may('owner'), PERSON_PERMISSIONS)
  assert.deepEqual(may('support'), [
    'money.read',
    'payer.read',
    'collect.make',
    'payout.read',
    'sandbox.use',
    'till.use',
  ])
  assert.deepEqual(may('cashier'), ['till.use'])
  assert.deepEqual(may('viewer'), ['money.read', 'balances.read'])
  assert.ok(!may('finance').includes('payout.approve') && may('finance', true).includes('payout.approve'))
  assert.ok(!may('support', true).includes('payout.approve'), 'a flag gives nothing that the role leaves no room for')
})

test('no one is above an owner, and only an owner is above an admin', () => {
  assert.deepEqual(
    ROLES.filter((role) => isAbove(role, 'admin')),
    ['owner'],
  )
  assert.deepEqual(
    ROLES.filter((role) => isAbove(role, 'viewer')),
    ['owner', 'admin'],
  )
})
