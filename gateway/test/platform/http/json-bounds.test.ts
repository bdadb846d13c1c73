import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findExcess, isShallow } from '../../../src/platform/http/json-bounds.ts'
import { checkTexts } from '../../../src/platform/http/validation.ts'

const VALUES_MAX = 1_000
const blank = ' '.repeat(2_048)
/** A text too short to do harm is not checked, so these are made long. */
const excess = (text: string): string | undefined => findExcess(Buffer.from(text + blank), VALUES_MAX)

const list = (count: number): string => `[${Array.from({ length: count }, () => 1).join(',')}]`
const object = (count: number): string => `{${Array.from({ length: count }, (_, nth) => `"${nth}":1`).join(',')}}`
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`

for (const [what, text, found] of [
  ['nothing', '', undefined],
  ['a list of as many as allowed', list(VALUES_MAX - 1), undefined],
  ['a list of one more', list(VALUES_MAX), 'must have at most 1000 values'],
  ['empty lists', `[${'[],'.repeat(VALUES_MAX)}[]]`, 'must have at most 1000 values'],
  ['an object of as many fields as allowed', object(256), undefined],
  ['an object of one more', object(257), 'must have at most 256 fields per object'],
  ['one inside a list', `[1,${object(257)}]`, 'must have at most 256 fields per object'],
  ['many small objects', `[${Array.from({ length: 300 }, () => '{"a":1,"b":2}').join(',')}]`, undefined],
  ['a long list inside an object', `{"a":${list(300)},"b":1}`, undefined],
  ['as deep as allowed', nested(32), undefined],
  ['one level more', nested(33), 'must be nested at most 32 levels deep'],
  ['separators inside a text', JSON.stringify({ a: ',{[,'.repeat(2_000) }), undefined],
  ['escaped quotes inside a text', JSON.stringify({ a: '",",'.repeat(2_000) }), undefined],
  ['a text that ends in a backslash', JSON.stringify([`${'x,'.repeat(2_000)}\\`, 1]), undefined],
  ['an unterminated text', `"${',"'.slice(0, 1).repeat(5_000)}`, undefined],
  ['brackets that only close', ']'.repeat(5_000), undefined],
] as const) {
  test(`${what}: ${found ?? 'nothing is too much'}`, () => assert.equal(excess(text), found))
}

test('the quick depth check accepts nothing that the full check rejects', () => {
  for (const text of [nested(33), `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`]) {
    assert.throws(() => checkTexts(JSON.parse(text)), text)
    assert.equal(isShallow(Buffer.from(text)), false, text)
  }
  for (const text of ['{}', '{"name":"Ada ₦5","list":[1,{"b":null}]}', nested(32)])
    assert.equal(isShallow(Buffer.from(text)), true, text)
})
