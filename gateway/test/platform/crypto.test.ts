import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, randomBytes, sign as signWith } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { secondsAfter } from '../../src/kernel/clock.ts'
import {
  deriveKey,
  equalSecrets,
  hmacSha256Base64,
  hmacSha512Hex,
  KEY_LENGTH,
  open,
  openHmac,
  seal,
} from '../../src/platform/crypto.ts'
import { ACCESS_TOKEN_SECONDS, accessTokens } from '../../src/platform/http/access-tokens.ts'

const KEY = Buffer.alloc(KEY_LENGTH, 7)
const someBytes = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes))

test('any value can be decrypted with the same key and context', () => {
  fc.assert(
    fc.property(someBytes, fc.string({ unit: 'binary' }), (plain, context) => {
      assert.deepEqual(open(KEY, seal(KEY, plain, context), context), plain)
    }),
  )
})

test('the reusable signer matches HMAC for any key and text', () => {
  const aKey = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes))
  fc.assert(
    fc.property(aKey, fc.array(fc.string({ unit: 'binary', maxLength: 300 })), (key, texts) => {
      const [sign, signHex] = [openHmac('sha256', key, 'base64url'), openHmac('sha512', key, 'hex')]
      for (const text of [...texts, 'é'.repeat(20_000)]) {
        assert.equal(sign(text), createHmac('sha256', key).update(text).digest('base64url'))
        assert.equal(signHex(text), createHmac('sha512', key).update(text).digest('hex'))
      }
    }),
  )
})

test('the same value is encrypted differently each time, and its bytes do not show', () => {
  const plain = Buffer.from('a secret of some length')
  const sealed = [seal(KEY, plain, 'row/1'), seal(KEY, plain, 'row/1')] as const
  assert.notDeepEqual(sealed[0], sealed[1])
  for (const one of sealed) assert.ok(!one.includes(plain.subarray(0, 8)))
})

test('an encrypted value cannot be decrypted with another key or in another place', () => {
  const sealed = seal(KEY, Buffer.from('secret'), 'row/1')
  assert.throws(() => open(Buffer.alloc(KEY_LENGTH, 8), sealed, 'row/1'))
  for (const context of ['row/2', 'row/11', 'row/', ''])
    assert.throws(() => open(KEY, sealed, context), `${context} decrypts it`)
})

test('an encrypted value with any bit flipped, or cut anywhere, cannot be decrypted', () => {
  const sealed = seal(KEY, Buffer.from('secret'), 'row/1')
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const flipped = Buffer.from(sealed)
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    assert.throws(() => open(KEY, flipped, 'row/1'), `bit ${bit}`)
  }
  for (let length = 0; length < sealed.length; length++)
    assert.throws(() => open(KEY, sealed.subarray(0, length), 'row/1'), `length ${length}`)
})

test('secrets are equal if they are the same text, of any length', () => {
  assert.ok(equalSecrets('', '') && equalSecrets('ABC', 'ABC'))
  for (const other of ['', 'AB', 'ABCD', 'abc', 'ABC\0']) assert.equal(equalSecrets('ABC', other), false)
})

test('a key derived for one use is a full key, always the same, and differs from that of another use', () => {
  assert.equal(deriveKey(KEY, 'tokens').length, KEY_LENGTH)
  assert.deepEqual(deriveKey(KEY, 'tokens'), deriveKey(KEY, 'tokens'))
  assert.notDeepEqual(deriveKey(KEY, 'tokens'), deriveKey(KEY, 'cards'))
  assert.notDeepEqual(deriveKey(KEY, 'tokens'), deriveKey(randomBytes(KEY_LENGTH), 'tokens'))
})

test('hashes of bodies match RFC 4231', () => {
  assert.match(hmacSha512Hex('Jefe', 'what do ya want for nothing?'), /^164b7a7bfcf819e2e395fbe73b56e0a3.*38bce737$/)
  assert.equal(hmacSha256Base64('Jefe', 'what do ya want for nothing?'), 'W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM=')
})

const NOW = new Date('2026-03-01T09:30:00.500Z')
const SECOND = Math.floor(NOW.getTime() / 1_000)

/** Tokens under a clock that the test sets. */
function tokensAt(key = KEY) {
  const wall = { now: () => wall.at, at: NOW }
  return { wall, ...accessTokens({ current: () => ({ id: '1', key }), find: () => key }, wall) }
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const HS256 = { alg: 'HS256', typ: 'JWT' }
const PAYLOAD = { sub: '42', iat: SECOND, exp: SECOND + 60 }
const signed = (header: object, payload: object, key = KEY, hash = 'sha256'): string => {
  const text = `${part(header)}.${part(payload)}`
  return `${text}.${createHmac(hash, key).update(text).digest('base64url')}`
}

test('a token is valid for its merchant for exactly an hour', () => {
  const { wall, sign, read } = tokensAt()
  const token = sign(9_007_199_254_740_993n, 7n)
  const valid = { kind: 'valid', merchantId: 9_007_199_254_740_993n, secretId: 7n }
  assert.deepEqual(read(token), valid)
  wall.at = new Date((SECOND + ACCESS_TOKEN_SECONDS) * 1_000 - 1)
  assert.deepEqual(read(token), valid)
  wall.at = new Date((SECOND + ACCESS_TOKEN_SECONDS) * 1_000)
  assert.deepEqual(read(token), { kind: 'expired' })
})

test('several tokens of one merchant are valid at once, and a new one ends none', () => {
  const { wall, sign, read } = tokensAt()
  const tokens = [sign(1n, 7n), sign(1n, 7n), sign(2n, 7n)]
  wall.at = secondsAfter(NOW, 60)
  tokens.push(sign(1n, 7n))
  assert.equal(new Set(tokens).size, 4)
  assert.deepEqual(
    tokens.map((token) => read(token)),
    [1n, 1n, 2n, 1n].map((merchantId) => ({ kind: 'valid', merchantId, secretId: 7n })),
  )
})

test('the longest token that we issue can be read', () => {
  const { sign, read } = tokensAt()
  assert.equal(read(sign(2n ** 63n - 1n, 7n)).kind, 'valid')
})

test('a token signed by another node with the same key is valid', () => {
  assert.deepEqual(tokensAt().read(tokensAt().sign(1n, 7n)), { kind: 'valid', merchantId: 1n, secretId: 7n })
  assert.deepEqual(tokensAt().read(signed(HS256, PAYLOAD)), { kind: 'valid', merchantId: 42n, secretId: undefined })
})

const { privateKey } = generateKeyPairSync('ed25519')
const edDsa = `${part({ alg: 'EdDSA', typ: 'JWT' })}.${part(PAYLOAD)}`

for (const [what, token] of Object.entries({
  'with no algorithm': `${part({ alg: 'none', typ: 'JWT' })}.${part(PAYLOAD)}.`,
  'with no algorithm, in another case': `${part({ alg: 'nOnE', typ: 'JWT' })}.${part(PAYLOAD)}.`,
  'with no algorithm, and a signature all the same': signed({ alg: 'none', typ: 'JWT' }, PAYLOAD),
  'under another key': signed(HS256, PAYLOAD, Buffer.alloc(KEY_LENGTH, 8)),
  'under another key, and expired': signed(HS256, { ...PAYLOAD, exp: 1 }, Buffer.alloc(KEY_LENGTH, 8)),
  'with another algorithm under our key': signed({ alg: 'HS512', typ: 'JWT' }, PAYLOAD, KEY, 'sha512'),
  'signed by a key pair': `${edDsa}.${signWith(null, Buffer.from(edDsa), privateKey).toString('base64url')}`,
  'whose payload was changed': [
    part(HS256),
    part({ ...PAYLOAD, sub: '43' }),
    signed(HS256, PAYLOAD).split('.')[2],
  ].join('.'),
  'whose expiry was changed': [
    part(HS256),
    part({ ...PAYLOAD, exp: PAYLOAD.exp + 1 }),
    signed(HS256, PAYLOAD).split('.')[2],
  ].join('.'),
  'without signature': signed(HS256, PAYLOAD).replace(/[^.]*$/, ''),
  'with its signature cut': signed(HS256, PAYLOAD).slice(0, -2),
  'with two parts': signed(HS256, PAYLOAD).replace(/\.[^.]*$/, ''),
  'with four parts': `${signed(HS256, PAYLOAD)}.x`,
  'without merchant': signed(HS256, { ...PAYLOAD, sub: undefined }),
  'without expiry': signed(HS256, { ...PAYLOAD, exp: undefined }),
  'whose merchant is not a number': signed(HS256, { ...PAYLOAD, sub: 'admin' }),
  'whose payload is not JSON': (() => {
    const text = `${part(HS256)}.${Buffer.from('hello').toString('base64url')}`
    return `${text}.${createHmac('sha256', KEY).update(text).digest('base64url')}`
  })(),
  'that is empty': '',
  'that is a dot': '.',
})) {
  test(`a token ${what} is malformed, however often it is presented`, () => {
    const { read } = tokensAt()
    for (let i = 0; i < 2; i++) assert.deepEqual(read(token), { kind: 'malformed' })
  })
}

test('no text presented as a token makes the check throw or pass', () => {
  const { read } = tokensAt()
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.base64String().map((text) => `${part(HS256)}.${text}.${text}`),
      ),
      (text) => read(text).kind === 'malformed',
    ),
  )
})
