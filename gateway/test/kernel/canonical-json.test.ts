import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { canonicalJson } from '../../src/kernel/canonical-json.ts'

for (const [value, text] of [
  [{ b: 1, a: { d: [2, { f: 1, e: 2 }], c: null } }, '{"a":{"c":null,"d":[2,{"e":2,"f":1}]},"b":1}'],
  [{ '10': 1, '9': 2, é: 3, Z: 4 }, '{"10":1,"9":2,"Z":4,"é":3}'],
  [{ a: undefined, b: 1 }, '{"b":1}'],
  [JSON.parse('{"__proto__": 1, "a": 2}'), '{"__proto__":1,"a":2}'],
  ['"quoted"\n', '"\\"quoted\\"\\n"'],
  [[], '[]'],
  [{}, '{}'],
  [null, 'null'],
  [undefined, 'null'],
  [1.0, '1'],
  [-0, '0'],
] as const) {
  test(`the canonical text of ${inspect(value, { breakLength: Number.POSITIVE_INFINITY })} is ${text}`, () =>
    assert.equal(canonicalJson(value), text))
}

const turned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, turned(item)]),
  )
}

test('the canonical text depends on the value alone, not on the order of keys, and holds all of the value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const plain = JSON.parse(JSON.stringify(value))
      assert.equal(canonicalJson(turned(plain)), canonicalJson(plain))
      assert.deepEqual(JSON.parse(canonicalJson(plain)), plain)
    }),
  )
})
