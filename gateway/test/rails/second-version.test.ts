import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { sandbox } from '../../../connectors/test/connectors.ts'
import { secondsAfter } from '../../src/kernel/clock.ts'
import { hidden } from '../../src/kernel/hidden.ts'
import { openLog } from '../../src/platform/observability/log.ts'
import { absentRails } from '../../src/rails/absent.ts'
import { httpRails, type ProtocolChoice } from '../../src/rails/http/index.ts'
import { keyId, openNonces, readSignedRequest, signRequest, signResponse } from '../../src/rails/protocol/index.ts'
import { contradictionIn } from '../../src/rails/unknown.ts'
import { testWall } from '../harness/clock.ts'
import { slow } from '../harness/slow.ts'
import { until } from '../harness/until.ts'
import { RAILS_SECRET } from './adapter.ts'
import { aCharge } from './card-suite.ts'
import {
  aDebitOrder,
  anOrder,
  billerRailSuite,
  debitRailSuite,
  identityRailSuite,
  transferRailSuite,
} from './suites.ts'

interface Options {
  readonly secret?: string
  readonly secretAlso?: string
  readonly protocol?: ProtocolChoice
  readonly timeoutMilliseconds?: number
  readonly manifestMilliseconds?: number
}

/** The rails that call an adapter, and their log. */
function railsTo(t: TestContext, url: string, { secret = RAILS_SECRET, secretAlso, ...options }: Options = {}) {
  const lines: string[] = []
  const opened = httpRails({
    url,
    secret: hidden(secret),
    secretAlso: secretAlso === undefined ? undefined : hidden(secretAlso),
    wall: testWall,
    log: openLog('trace', { write: (line: string) => void lines.push(line) }),
    ...options,
  })
  t.after(opened.close)
  return { ...opened, logged: () => lines.join('') }
}

/** The sandbox's connector, and the rails that call it. */
async function connected(t: TestContext, options: Options = {}) {
  const partners = await sandbox(t, { wall: testWall })
  return { partners, ...railsTo(t, partners.url, options) }
}

identityRailSuite('register over the second version', async (t) => (await connected(t)).rails.identity)

billerRailSuite('biller over the second version', async (t) => {
  const { rails, partners } = await connected(t)
  return { rail: rails.biller, advance: (seconds) => void partners.control('advance', { seconds }) }
})

transferRailSuite('transfers over the second version', async (t) => ({
  rail: (await connected(t)).rails.transfer,
  good: '0123456789',
  bad: '0123456001',
  tellsAmounts: true,
}))

debitRailSuite('debits over the second version', async (t) => ({
  rail: (await connected(t)).rails.debit,
  good: '0123456789',
  bad: '0123456001',
}))

test('cards over the second version: a charge is approved, declined, found and refunded', async (t) => {
  const { rails } = await connected(t)
  const charge = aCharge('4111111111111111')
  assert.equal((await rails.card.charge(charge)).kind, 'approved')
  assert.equal((await rails.card.find(charge.reference)).kind, 'approved')
  assert.equal((await rails.card.charge(aCharge('5399838383838381'))).kind, 'declined')
  const refund = { reference: `refund-${charge.reference}`, chargeReference: charge.reference, amount: charge.amount }
  assert.deepEqual(await rails.card.refund(refund), { kind: 'refunded' })
  assert.deepEqual(await rails.card.findRefund(refund.reference), { kind: 'refunded' })
})

test('an adapter with a manifest is called in the second version, under the name in its manifest', async (t) => {
  const { rails, code, logged } = await connected(t)
  assert.equal(code(), undefined)
  assert.equal((await rails.transfer.send(anOrder('0123456789'))).kind, 'succeeded')
  assert.equal(code(), 'sandbox')
  assert.match(logged(), /protocol version 2/)
  assert.match(logged(), /"level":"warn".*simulated/)
})

for (const fault of ['forged', 'unsigned', 'swapped', 'page', 'half', 'busy'] as const)
  test(`a response that is ${fault} is not trusted: the send is unknown, and found later`, async (t) => {
    const { rails, partners } = await connected(t)
    await rails.transfer.find('so that the manifest is known')
    partners.faults.inject(fault, { times: 2 })
    const [transfer, debit] = [anOrder('0123456789'), aDebitOrder('0123456789')]
    assert.deepEqual(await rails.transfer.send(transfer), { kind: 'unknown' })
    assert.deepEqual(await rails.debit.debit(debit), { kind: 'unknown' })
    assert.equal((await rails.transfer.find(transfer.reference)).kind, 'succeeded')
    assert.equal((await rails.debit.findDebit(debit.reference)).kind, 'paid')
  })

for (const [fault, either] of [
  ['lost answer', test],
  ['hang', slow],
] as const)
  either(`after the effect ${fault}: there was no response, and the effect is found`, async (t) => {
    const { rails, partners } = await connected(t, { timeoutMilliseconds: fault === 'hang' ? 300 : 60_000 })
    await until('the manifest is known', async () => (await rails.transfer.find('x')).kind === 'not found')
    partners.faults.inject(fault, { operation: 'transfer/send' })
    const order = anOrder('0123456789')
    assert.deepEqual(await rails.transfer.send(order), { kind: 'unknown', unanswered: true })
    await until('it is found', async () => (await rails.transfer.find(order.reference)).kind === 'succeeded')
    const { effects } = await partners.control('effects')
    assert.equal((effects as unknown[]).length, 1)
  })

test('a success with an amount other than requested is not trusted, neither when sent nor when queried', async (t) => {
  const { rails, partners } = await connected(t)
  partners.faults.inject('wrong amount')
  const order = anOrder('0123456789')
  for (const response of [await rails.transfer.send(order), await rails.transfer.find(order.reference, order.amount)]) {
    assert.equal(response.kind, 'unknown')
    assert.match(contradictionIn(response) ?? '', /^succeeded with [\d.]+ instead of [\d.]+$/)
  }
  partners.faults.clear()
  const sound = anOrder('0123456789')
  assert.equal((await rails.transfer.send(sound)).kind, 'succeeded')
  assert.equal((await rails.transfer.find(sound.reference, sound.amount)).kind, 'succeeded')
})

/** A server of the test's own. */
async function serving(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A proxy to another server, until it is switched to respond on its own. */
async function between(t: TestContext, url: string) {
  const state: { response: { readonly status: number; readonly text: string } | undefined } = { response: undefined }
  const address = await serving(t, async (request, response) => {
    const { response: given } = state
    if (given !== undefined) return response.writeHead(given.status).end(given.text)
    const body = Buffer.concat(await request.toArray())
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
    const reached = await fetch(`${url}${request.url}`, {
      method: request.method ?? 'POST',
      headers: headers as Record<string, string>,
      ...(request.method === 'POST' ? { body } : {}),
    })
    return response.writeHead(reached.status, Object.fromEntries(reached.headers)).end(await reached.text())
  })
  return { address, state }
}

const NOT_REACHED = { kind: 'not sent', reason: 'The partner cannot be reached', unanswered: true }
const SUCCESS = { status: 200, text: '{"kind":"succeeded","sessionId":"1"}' }

test('once a partner has shown a manifest, unsigned responses are never trusted again', async (t) => {
  const { url } = await sandbox(t, { wall: testWall })
  const { address, state } = await between(t, url)
  const { rails } = railsTo(t, address)
  assert.equal((await rails.transfer.send(anOrder('0123456789'))).kind, 'succeeded')
  state.response = SUCCESS
  assert.deepEqual(await rails.transfer.send(anOrder('0123456001')), { kind: 'unknown' })
})

test('an adapter that no longer shows its manifest stays in the second version', async (t) => {
  const { url } = await sandbox(t, { wall: testWall })
  const { address, state } = await between(t, url)
  const { rails } = railsTo(t, address, { manifestMilliseconds: 0 })
  assert.equal((await rails.transfer.send(anOrder('0123456789'))).kind, 'succeeded')
  state.response = { status: 404, text: '' }
  // Each of these also refetches the manifest in the background, until all of them have got a 404.
  for (let n = 0; n < 20; n++) assert.deepEqual(await rails.transfer.send(anOrder('0123456789')), { kind: 'unknown' })
  state.response = SUCCESS
  for (let n = 0; n < 20; n++) assert.deepEqual(await rails.transfer.send(anOrder('0123456789')), { kind: 'unknown' })
})

test('an adapter that was upgraded is called in the second version', async (t) => {
  const { url } = await sandbox(t, { wall: testWall })
  const { address, state } = await between(t, url)
  const { rails, code } = railsTo(t, address, { manifestMilliseconds: 0 })
  state.response = { status: 404, text: '' }
  assert.deepEqual(await rails.transfer.send(anOrder('0123456789')), { kind: 'unknown' })
  state.response = undefined
  await until('it is known by the name in its manifest', () => code() === 'sandbox')
  assert.equal((await rails.transfer.send(anOrder('0123456789'))).kind, 'succeeded')
})

test('if the second version is required, nothing is sent in the first', async (t) => {
  const requests: string[] = []
  const url = await serving(t, (request, response) => {
    requests.push(`${request.method} ${request.url}`)
    response.writeHead(request.method === 'GET' ? 404 : 200).end(SUCCESS.text)
  })
  const strict = railsTo(t, url, { protocol: '2' })
  assert.deepEqual(await strict.rails.transfer.send(anOrder('0123456789')), NOT_REACHED)
  assert.deepEqual(requests, ['GET /manifest'])
  assert.match(strict.logged(), /manifest unavailable/)
  assert.equal((await railsTo(t, url).rails.transfer.send(anOrder('0123456789'))).kind, 'succeeded')
  requests.length = 0
  await railsTo(t, url, { protocol: '1' }).rails.transfer.send(anOrder('0123456789'))
  assert.deepEqual(requests, ['POST /transfer/send'], 'if the first version is required, no manifest is fetched')
})

test('an unreachable adapter is not taken for the first version: nothing is sent, and it is retried', async (t) => {
  const { url } = await sandbox(t, { wall: testWall })
  const { address, state } = await between(t, url)
  const { rails } = railsTo(t, address)
  state.response = { status: 503, text: '' }
  assert.deepEqual(await rails.transfer.send(anOrder('0123456789')), NOT_REACHED)
  state.response = undefined
  assert.equal((await rails.transfer.send(anOrder('0123456789'))).kind, 'succeeded')
})

test('an operation missing from a partner’s manifest is not requested: nothing is sent', async (t) => {
  const manifest = JSON.stringify({
    protocol: 2,
    partner: { code: 'identity-only', name: 'Identity Only' },
    software: 'test',
    simulated: false,
    capabilities: ['identity', 'a-word-that-is-not-known-yet'],
    limits: {},
  })
  const requests: (string | undefined)[] = []
  const url = await serving(t, (request, response) => {
    requests.push(request.url)
    const nonce = String(request.headers['kobo-nonce'])
    const reply = { operation: 'manifest', nonce, status: 200, body: manifest }
    response.writeHead(200, signResponse(hidden(RAILS_SECRET), testWall, reply)).end(manifest)
  })
  const { rails } = railsTo(t, url)
  const order = anOrder('0123456789')
  assert.deepEqual(await rails.transfer.send(order), await absentRails.transfer.send(order))
  assert.deepEqual(await rails.transfer.find(order.reference), { kind: 'unknown' })
  assert.equal((await rails.card.charge(aCharge('4111111111111111'))).kind, 'not sent')
  assert.deepEqual(await rails.transfer.nameEnquiry({ bankCode: '058', accountNumber: '0123456789' }), {
    kind: 'unavailable',
  })
  assert.deepEqual(requests, ['/manifest'])
})

test('one secret replaces another while both sides keep running', async (t) => {
  const [OLD, NEW] = [RAILS_SECRET, 'the-secret-that-comes-after-the-first']
  const { url } = await sandbox(t, {
    wall: testWall,
    env: { KOBO_RAILS_SECRET: OLD, KOBO_RAILS_SECRET_ALSO: NEW },
  })
  for (const secret of [OLD, NEW]) {
    const { rails } = railsTo(t, url, { secret, protocol: '2' })
    assert.equal((await rails.transfer.send(anOrder('0123456789'))).kind, 'succeeded')
  }
  const { rails } = railsTo(t, url, { secret: 'a-third-secret-that-nobody-has-agreed-on', protocol: '2' })
  assert.deepEqual(await rails.transfer.send(anOrder('0123456789')), NOT_REACHED)
})

test('a request is accepted once, while it is fresh, under the secret and for the body that it was signed with', () => {
  const keys = { secret: hidden(RAILS_SECRET) }
  const question = { operation: 'credits', body: '{"amount":1}' }
  const { headers, nonce } = signRequest(keys, testWall, question)
  const at = (seconds: number) => ({ now: () => secondsAfter(testWall.now(), seconds) })
  const received = (changes: object = {}, wall = testWall, words = question) =>
    readSignedRequest(keys, wall, openNonces(wall), words, { ...headers, ...changes })
  assert.equal(received()?.nonce, nonce)
  assert.equal(received({}, at(299))?.nonce, nonce)
  for (const wrong of [
    received({}, at(310)),
    received({}, at(-310)),
    received({}, testWall, { ...question, body: '{"amount":2}' }),
    received({}, testWall, { ...question, operation: 'outcomes' }),
    received({ 'kobo-nonce': `${nonce}x` }),
    received({ 'kobo-nonce': 'short' }),
    received({ 'kobo-key': keyId(hidden('another-secret-that-is-long-enough')) }),
    received({ 'kobo-protocol': '1' }),
    received({ 'kobo-timestamp': 'now' }),
    received({ 'kobo-signature': undefined }),
    // A response is not a request, though the same side has signed it.
    received(signResponse(keys.secret, testWall, { ...question, nonce, status: 200 })),
  ])
    assert.equal(wrong, undefined)
  const nonces = openNonces(testWall)
  const again = () => readSignedRequest(keys, testWall, nonces, question, headers)
  assert.deepEqual([again() === undefined, again() === undefined], [false, true])
})

test('nonces are remembered for longer than their messages are accepted, up to a limit', () => {
  let now = new Date('2026-03-01T09:30:00Z')
  const nonces = openNonces({ now: () => now }, 3)
  assert.equal(nonces.isNew('first'), true)
  for (let passed = 0; passed < 600; passed += 60) {
    now = secondsAfter(now, 59)
    assert.equal(nonces.isNew('first'), false, `after ${passed} s`)
  }
  now = secondsAfter(now, 2_000)
  assert.deepEqual(
    ['first', 'second', 'third', 'fourth'].map((nonce) => nonces.isNew(nonce)),
    [true, true, true, false],
  )
})
