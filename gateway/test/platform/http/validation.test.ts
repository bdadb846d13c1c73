import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { holdsCardNumber } from '../../../src/kernel/card-numbers.ts'
import { compileCheck } from '../../../src/platform/http/validation.ts'

const holds = (rules: object, value: unknown): boolean => compileCheck(rules, 'body')(value) === undefined
const isUrl = compileCheck({ type: 'string', 'x-url': true }, 'body')
const isWithoutCredentials = compileCheck({ type: 'string', 'x-no-credentials': true }, 'body')

test('the quick check of a URL agrees with the full one', () => {
  const tricky = [
    'https://shop.example.com/thanks',
    'http://shop.example.com?a=b@c',
    'https://user:password@example.com/',
    'https://example.com@evil.example/',
    'https://example.com\\@evil.example/',
    'https://example.com/\\@evil',
    'https://1.2.3.4.5/',
    'https://1.2.3.0x7f/',
    'https://a.1e3/',
    'https://xn--a/',
    'https://xn--a.com/',
    'https://xn--nxasmq6b.com/',
    'https://-a-.com/',
    'https://a..com/',
    'https://.com/',
    'https://a.com:99999/',
    'https://EXAMPLE.com/',
    'https://a_b.com/',
    'https:///a.com',
    'https:a.com',
    'https://a.com/ with space',
    'https://a.com\n/',
    'https://localhost',
  ]
  const aHost = fc.array(fc.constantFrom('a', 'xn--', '1', '0x', '-', '.', '@', ':', '/', '\\', '?', '#', '%', 'com'))
  const anAddress = fc.oneof(
    fc.webUrl(),
    aHost.map((parts) => `https://${parts.join('')}`),
  )
  const examples = tricky.map((address): [string] => [address])
  fc.assert(
    fc.property(anAddress, (address) => {
      const url = URL.parse(address)
      assert.equal(isUrl(address) === undefined, /^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(url?.hostname ?? ''), address)
      assert.equal(isWithoutCredentials(address) === undefined, !url?.username && !url?.password, address)
    }),
    { examples },
  )
})

test('a map that passes the quick check contains no card number and is small', () => {
  const isSound = (map: object): boolean => holds({ type: 'object', 'x-meta-data': true }, map)
  const card = '4111111111111111'
  assert.ok(isSound({ order: 'order-1', channel: 'web', note: '"\\'.repeat(80) }))
  for (const map of [{ note: `card ${card}` }, { [card]: 'x' }, { list: [card] }, { number: Number(card) }]) {
    assert.ok(holdsCardNumber(JSON.stringify(map)))
    assert.ok(!isSound(map), JSON.stringify(map))
  }
  const [key, bytes] = ['a', 8 * 1024 - '{"a":""}'.length]
  assert.ok(isSound({ [key]: 'x'.repeat(bytes) }))
  for (const text of ['x'.repeat(bytes + 1), '₦'.repeat(bytes / 2), '\x01'.repeat(bytes / 5)])
    assert.ok(!isSound({ [key]: text }))
})
