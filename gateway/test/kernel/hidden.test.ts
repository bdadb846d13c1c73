import assert from 'node:assert/strict'
import { test } from 'node:test'
import { format, inspect } from 'node:util'
import { hidden } from '../../src/kernel/hidden.ts'

const SECRET = 'MK_SECRET_DO_NOT_PRINT'
const secret = hidden(SECRET)

for (const [way, shown] of Object.entries({
  'JSON.stringify': JSON.stringify({ secret }),
  String: String(secret),
  'a template': `${secret}`,
  'joining a list': [secret].join(','),
  'util.inspect': inspect({ deep: { secret } }, { depth: 9 }),
  'util.inspect with hidden properties': inspect(secret, { showHidden: true, depth: 9 }),
  'console.log': format(secret, { secret }),
  'console.log of an error that carries it': format(Object.assign(new Error('x'), { secret })),
  'console.log with %s': format('%s', secret),
  'console.log with %o': format('%o', { secret }),
  'console.log with %j': format('%j', { secret }),
})) {
  test(`a hidden value is shown as [secret] by ${way}`, () => {
    assert.ok(shown.includes('[secret]'), shown)
    assert.ok(!shown.includes(SECRET), shown)
  })
}

test('a hidden value reveals nothing when listed, spread or inspected, and everything when read on purpose', () => {
  assert.ok(!inspect({ ...secret }, { customInspect: false, showHidden: true, depth: 9 }).includes(SECRET))
  assert.ok(!Object.values(secret).includes(SECRET as never))
  assert.throws(() => Object.assign(secret, { toJSON: () => SECRET }), TypeError)
  assert.equal(secret.reveal(), SECRET)
})
