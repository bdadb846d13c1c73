import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import type { Merchant, Secret } from '../../../../src/core/merchants/index.ts'
import { afterAttempt, type Next, requestsStop } from '../../../../src/core/messages/outbox/schedule.ts'
import { serviceSignature, signatureHeaders } from '../../../../src/core/messages/outbox/signature.ts'
import { secondsAfter } from '../../../../src/kernel/clock.ts'
import { hidden } from '../../../../src/kernel/hidden.ts'

const failed = { status: 500, retryAfterSeconds: null }
const shown = (next: Next): string =>
  next.status === 'PENDING' ? `is retried after ${next.waitSeconds} s` : next.status

const SCHEDULE = [10, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400, 86_400]

SCHEDULE.forEach((waitSeconds, index) => {
  test(`an event that failed ${index + 1} times is retried after ${waitSeconds} s`, () =>
    assert.deepEqual(afterAttempt(index + 1, failed), { status: 'PENDING', waitSeconds }))
})

test('an event that failed ten times is given up, after about three days', () => {
  assert.deepEqual(afterAttempt(10, failed), { status: 'GIVEN_UP' })
  assert.deepEqual(afterAttempt(11, failed), { status: 'GIVEN_UP' })
  const days = SCHEDULE.reduce((total, seconds) => total + seconds, 0) / 86_400
  assert.ok(days > 2.8 && days < 3.1, `${days} days`)
})

for (const nth of [1, 5, 10]) {
  test(`200 on attempt ${nth} is delivered`, () =>
    assert.deepEqual(afterAttempt(nth, { status: 200, retryAfterSeconds: null }), { status: 'DELIVERED' }))
}

for (const status of [null, 101, 201, 202, 204, 301, 302, 400, 404, 410, 429, 500, 503]) {
  test(`${status ?? 'no response'} is no delivery`, () =>
    assert.deepEqual(afterAttempt(1, { status, retryAfterSeconds: null }), { status: 'PENDING', waitSeconds: 10 }))
}

for (const [nth, status, retryAfterSeconds, expected] of [
  [1, 429, 30, 'is retried after 30 s'],
  [1, 503, 30, 'is retried after 30 s'],
  [1, 503, 60, 'is retried after 60 s'],
  [1, 503, 61, 'is retried after 60 s'], // no later than the schedule's next step
  [1, 503, 86_400, 'is retried after 60 s'],
  [1, 503, 0, 'is retried after 10 s'], // and no sooner than its own
  [1, 503, 5, 'is retried after 10 s'],
  [4, 429, 5_000, 'is retried after 5000 s'],
  [8, 429, 1_000_000, 'is retried after 86400 s'],
  [9, 429, 1_000_000, 'is retried after 86400 s'],
  [1, 500, 30, 'is retried after 10 s'],
  [1, 302, 30, 'is retried after 10 s'],
  [1, 200, 30, 'DELIVERED'],
  [10, 503, 30, 'GIVEN_UP'],
] as const) {
  test(`attempt ${nth}, with response ${status} and Retry-After ${retryAfterSeconds}, ${expected}`, () =>
    assert.equal(shown(afterAttempt(nth, { status, retryAfterSeconds })), expected))
}

test('only 410 stops further events', () => {
  for (const status of [null, 200, 400, 404, 409, 411, 429, 500, 503])
    assert.equal(requestsStop({ status, retryAfterSeconds: null }), false)
  assert.equal(requestsStop({ status: 410, retryAfterSeconds: null }), true)
})

const AT = new Date('2026-03-01T09:30:00Z')
const WALL_AT = new Date('2026-02-01T00:00:00.900Z')
const EVENT = { id: 42n, body: '{"eventType":"SETTLEMENT","eventData":{"memo":"₦5 – thanks"}}' }

const aSecret = (id: bigint, changes: Partial<Secret> = {}): Secret => ({
  id,
  createdAt: AT,
  key: hidden(`KEY${id}`),
  firstUsedAt: AT,
  expiresAt: null,
  ...changes,
})
const aMerchant = (...secrets: readonly Secret[]): Merchant => ({
  id: 1n,
  code: 'ABCDEFGHIJKL',
  name: 'Shop',
  email: 'shop@example.com',
  approvalPolicy: null,
  brandColour: null,
  supportContact: null,
  logoHash: null,
  reserveBasisPoints: null,
  reserveDays: null,
  compat: [],
  mutedTopics: [],
  apiKey: 'MK_TEST_ABCDEFGHIJ',
  walletAccountNumber: '0000014579',
  walletBankCode: null,
  otpEnabled: true,
  ipWhitelist: [],
  isWhitelisted: () => false,
  permissions: [],
  inlineOrigins: [],
  lowBalanceThreshold: null,
  mail: 'OK',
  standing: 'ACTIVE',
  lastRequestsEndAt: null,
  createdAt: new Date(0),
  prices: { own: [], standard: [] },
  contracts: new Map(),
  subAccounts: new Map(),
  secrets,
  restrictedKeys: new Map(),
  endpoints: new Map(),
})
const headersFor = (merchant: Merchant, furtherNames: readonly string[] = []): Record<string, string> =>
  signatureHeaders(merchant, EVENT, AT, WALL_AT, furtherNames)
const sha512 = (key: string): string => createHmac('sha512', key).update(Buffer.from(EVENT.body, 'utf8')).digest('hex')
const standard = (key: string): string =>
  `v1,${createHmac('sha256', key).update(`evt_42.1769904000.${EVENT.body}`, 'utf8').digest('base64')}`

test('service-signature is the lower-case hex of HMAC-SHA-512 over the body as sent, by a test vector of RFC 4231', () => {
  assert.equal(
    serviceSignature('Jefe', 'what do ya want for nothing?'),
    '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
  )
  assert.equal(headersFor(aMerchant(aSecret(1n)))['service-signature'], sha512('KEY1'))
})

test('the Standard Webhooks headers carry the event, the real time of the attempt, and a signature over both and the body', () => {
  assert.deepEqual(headersFor(aMerchant(aSecret(1n))), {
    'service-signature': sha512('KEY1'),
    'webhook-id': 'evt_42',
    'webhook-timestamp': '1769904000',
    'webhook-signature': standard('KEY1'),
  })
})

test('further header names carry the same value as service-signature', () => {
  const headers = headersFor(aMerchant(aSecret(1n)), ['x-one', 'x-two'])
  assert.equal(headers['x-one'], sha512('KEY1'))
  assert.equal(headers['x-two'], sha512('KEY1'))
})

const [newest, replaced] = [aSecret(2n), aSecret(1n, { expiresAt: secondsAfter(AT, 1) })]

test('during rotation, webhook-signature has one signature per secret, the newest first', () => {
  assert.equal(headersFor(aMerchant(newest, replaced))['webhook-signature'], `${standard('KEY2')} ${standard('KEY1')}`)
})

for (const [what, secrets, signedWith] of [
  ['the only one', [aSecret(1n)], 'KEY1'],
  ['the only one, even before a login with it', [aSecret(1n, { firstUsedAt: null })], 'KEY1'],
  ['the newest, once the merchant has logged in with it', [newest, replaced], 'KEY2'],
  [
    'the previous one, until the merchant has logged in with the newest',
    [aSecret(2n, { firstUsedAt: null }), replaced],
    'KEY1',
  ],
  ['the newest of three that was used', [aSecret(3n, { firstUsedAt: null }), newest, replaced], 'KEY2'],
  [
    'the newest, once the previous one has expired',
    [aSecret(2n, { firstUsedAt: null }), aSecret(1n, { expiresAt: AT })],
    'KEY2',
  ],
] as const) {
  test(`the signing secret is ${what}`, () =>
    assert.equal(headersFor(aMerchant(...secrets))['service-signature'], sha512(signedWith)))
}

test('an expired secret signs nothing', () => {
  assert.equal(headersFor(aMerchant(newest, aSecret(1n, { expiresAt: AT })))['webhook-signature'], standard('KEY2'))
})
