import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROUTES } from '@kobo/contract'
import { MASKED, masked, maskedUrl } from '../../../../src/core/edge/request-recorder/masking.ts'

test('a secret is masked by the name of its field, in any spelling and with any value', () => {
  const secret = {
    pin: '1234',
    CVV: 123,
    card_pin: '1234',
    otp: '000111',
    authorizationCode: '123456',
    accessToken: 'abc',
    'secret-key': 'abc',
    cardToken: 'tok',
    bvn: '22222222226',
    bvns: ['22222222226'],
    sourceAccountBvn: 22222222226,
    nin: '12345678901',
    bvnDateOfBirth: '1994-09-07',
    paycode: '12345678',
    token: { deep: 'abc' },
    number: '4111111111111112',
  }
  for (const [name, value] of Object.entries(secret)) {
    const [inside] = (masked({ a: [{ [name]: value }] }) as { a: [Record<string, unknown>] }).a
    assert.equal(inside[name], MASKED, name)
  }
  assert.equal(maskedUrl('/api/x?bvn=222&a=1&otp=9#'), `/api/x?bvn=${MASKED}&a=1&otp=${MASKED}`)
})

test('a card number is masked in any field; references, account numbers and harmless values stay', () => {
  for (const text of ['4111111111111111', '5060995994247093', 'paid by 4111-1111-1111-1111'])
    assert.ok(JSON.stringify(masked({ narration: text })).includes(MASKED), text)
  assert.deepEqual(masked({ amount: 4111111111111111 }), { amount: MASKED })
  const harmless = {
    transactionReference: 'KOBO|42|20260301093000|000017',
    reference: 'order-20260301093000123',
    accountNumber: '0123456789',
    sessionId: '000014260301093000000042000017',
    number: 3,
    pin: null,
    otpEnabled: true,
    paycode: false,
  }
  assert.deepEqual(masked(harmless), harmless)
  assert.equal(
    maskedUrl('/api/v2/transactions/KOBO%7C42%7C20260301093000%7C000017'),
    '/api/v2/transactions/KOBO%7C42%7C20260301093000%7C000017',
  )
})

test('only a limited part of a body is read, whatever its shape', () => {
  let deep: unknown = 'end'
  for (let depth = 0; depth < 10_000; depth++) deep = [deep]
  assert.ok(JSON.stringify(masked(deep)).length < 100)
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`field${n}`, { a: n }]))
  assert.ok(JSON.stringify(masked(wide)).length < 50_000)
  assert.ok(JSON.stringify(masked(Array.from({ length: 20_000 }, () => 'x'))).length < 20_000)
})

/** Fields that are not secret, though their names suggest it. */
const KNOWN_HARMLESS =
  /^(otpData|otpEnabled|supportsTokenization|bvnDetails|paycodeReference|authorizationLink|authorizationMessage|oldSecretValidUntil)$/

test('each field of the API whose name suggests a secret is masked or listed as harmless', () => {
  const names = new Set<string>()
  const walk = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'properties') for (const name of Object.keys(value)) names.add(name)
      walk(value)
    }
  }
  for (const { route } of ROUTES) for (const part of [route.params, route.query, route.body, route.reply]) walk(part)
  const speaking = [...names].filter((name) =>
    /(^|[a-z_])(Pin|Otp|Cvv|Secret|Token|Password|Bvn|Nin|Paycode|authorization)|^(pin|otp|cvv|secret|token|password|bvn|nin|paycode|authorization)/.test(
      name,
    ),
  )
  assert.ok(speaking.length > 10)
  for (const name of speaking.filter((one) => !KNOWN_HARMLESS.test(one)))
    assert.deepEqual(masked({ [name]: 'a secret' }), { [name]: MASKED }, name)
})
