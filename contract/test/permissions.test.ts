import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_PERMISSION, permissionsOf, route } from '@kobo/contract'
import Type from 'typebox'

const PLAIN = { method: 'GET', path: '/api/v1/somewhere', summary: 'Something', reply: Type.Object({}) } as const

test('a route without a decision about permissions does not compile', () => {
  // @ts-expect-error: neither a permission nor why there is none
  route({ ...PLAIN })
  // @ts-expect-error: nobody has such a permission
  route({ ...PLAIN, permission: 'everything' })
  assert.deepEqual(permissionsOf(route({ ...PLAIN, permission: 'cards' })), ['cards'])
  assert.deepEqual(permissionsOf(route({ ...PLAIN, permission: ['cards', 'refunds'] })), ['cards', 'refunds'])
  assert.deepEqual(permissionsOf(route({ ...PLAIN, permission: NO_PERMISSION.reference })), [])
})
