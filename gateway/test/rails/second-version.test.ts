import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { sandbox } from '../../../rails/test/connectors.ts'
import { secondsAfter } from '../../src/kernel/clock.ts'
import { hidden } from '../../src/kernel/hidden.ts'
import { openLog } from '../../src/platform/log.ts'
import { absentRails } from '../../src/rails/absent.ts'
import { httpRails, type ProtocolChoice } from '../../src/rails/http/index.ts'
import { keyId, openNonces, readQuestion, signAnswer, signQuestion } from '../../src/rails/protocol/index.ts'
import { testWall } from '../harness/clock.ts'
import { until } from '../harness/wait.ts'
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

/** The rails that speak to an adapter, and what they log. */
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

/** The sandbox's connector, and the rails that speak to it. */
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

test('an adapter with a manifest is spoken to in the second version, and is called what it calls itself', async (t) => {
  const { rails, code, logged } = await connected(t)
  assert.equal(code(), undefined)
  assert.equal((await rails.transfer.send(anOrder('0123456789'))).kind, 'succeeded')
  assert.equal(code(), 'sandbox')
  assert.match(logged(), /speaks the second version/)
  assert.match(logged(), /"level":"warn".*simulated/)
})

for (const fault of ['forged', 'unsigned', 'swapped', 'page', 'half', 'busy'] as const)
  test(`an answer that is ${fault} is not believed: what was sent is unknown, and found later`, async (t) => {
    const { rails, partners } = await connected(t)
    await rails.transfer.find('so that the manifest is known')
    partners.mischief.plant(fault, { times: 2 })
    const [transfer, debit] = [anOrder('0123456789'), aDebitOrder('0123456789')]
    assert.deepEqual(await rails.transfer.send(transfer), { kind: 'unknown' })
    assert.deepEqual(await rails.debit.debit(debit), { kind: 'unknown' })
    assert.equal((await rails.transfer.find(transfer.reference)).kind, 'succeeded')
    assert.equal((await rails.debit.findDebit(debit.reference)).kind, 'paid')
  })

for (const fault of ['lost answer', 'hang'] as const)
  test(`after the effect ${fault}: nobody has answered, and what was done is found`, async (t) => {
    const { rails, partners } = await connected(t, { timeoutMilliseconds: fault === 'hang' ? 300 : 60_000 })
    await until('the manifest is known', async () => (await rails.transfer.find('x')).kind === 'not found')
    partners.mischief.plant(fault, { operation: 'transfer/send' })
    const order = anOrder('0123456789')
    assert.deepEqual(await rails.transfer.send(order), { kind: 'unknown', unanswered: true })
    await until('it is found', async () => (await rails.transfer.find(order.reference)).kind === 'succeeded')
    const { effects } = await partners.control('effects')
    assert.equal((effects as unknown[]).length, 1)
  })

test('a success with another amount than was asked for is not believed, when it is sent and when it is asked about', async (t) => {
  const { rails, partners } = await connected(t)
  partners.mischief.plant('wrong amount')
  const order = anOrder('0123456789')
  assert.deepEqual(await rails.transfer.send(order), { kind: 'unknown' })
  assert.deepEqual(await rails.transfer.find(order.reference, order.amount), { kind: 'unknown' })
  partners.mischief.mend()
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

/** Reaches another server, until it is told to answer everything itself. */
async function between(t: TestContext, url: string) {
  const state: { answer: { readonly status: number; readonly text: string } | undefined } = { answer: undefined }
  const address = await serving(t, async (request, response) => {
    const { answer } = state
    if (answer !== undefined) return response.writeHead(answer.status).end(answer.text)
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

test('who has shown a manifest is never again believed unsigned, whoever stands between', async (t) => {
  const { url } = await sandbox(t, { wall: testWall })
  const { address, state } = await between(t, url)
  const { rails } = railsTo(t, address)
  assert.equal((await rails.transfer.send(anOrder('0123456789'))).kind, 'succeeded')
  state.answer = SUCCESS
  assert.deepEqual(await rails.transfer.send(anOrder('0123456001')), { kind: 'unknown' })
})

test('an adapter that no longer shows its manifest stays in the second version', async (t) => {
  const { url } = await sandbox(t, { wall: testWall })
  const { address, state } = await between(t, url)
  const { rails } = railsTo(t, address, { manifestMilliseconds: 0 })
  assert.equal((await rails.transfer.send(anOrder('0123456789'))).kind, 'succeeded')
  state.answer = { status: 404, text: '' }
  // Each of these also has the manifest asked for again, in the background: some time all of them have been answered 404.
  for (let n = 0; n < 20; n++) assert.deepEqual(await rails.transfer.send(anOrder('0123456789')), { kind: 'unknown' })
  state.answer = SUCCESS
  for (let n = 0; n < 20; n++) assert.deepEqual(await rails.transfer.send(anOrder('0123456789')), { kind: 'unknown' })
})

test('an adapter that has learnt the second version is spoken to in it', async (t) => {
  const { url } = await sandbox(t, { wall: testWall })
  const { address, state } = await between(t, url)
  const { rails, code } = railsTo(t, address, { manifestMilliseconds: 0 })
  state.answer = { status: 404, text: '' }
  assert.deepEqual(await rails.transfer.send(anOrder('0123456789')), { kind: 'unknown' })
  state.answer = undefined
  await until('it is known by its name', () => code() === 'sandbox')
  assert.equal((await rails.transfer.send(anOrder('0123456789'))).kind, 'succeeded')
})

test('where the second version is demanded, nothing is sent in the first', async (t) => {
  const asked: string[] = []
  const url = await serving(t, (request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(request.method === 'GET' ? 404 : 200).end(SUCCESS.text)
  })
  const strict = railsTo(t, url, { protocol: '2' })
  assert.deepEqual(await strict.rails.transfer.send(anOrder('0123456789')), NOT_REACHED)
  assert.deepEqual(asked, ['GET /manifest'])
  assert.match(strict.logged(), /does not show its manifest/)
  assert.equal((await railsTo(t, url).rails.transfer.send(anOrder('0123456789'))).kind, 'succeeded')
  asked.length = 0
  await railsTo(t, url, { protocol: '1' }).rails.transfer.send(anOrder('0123456789'))
  assert.deepEqual(asked, ['POST /transfer/send'], 'who demands the first asks for no manifest')
})

test('while nobody answers it is not taken for the first version: nothing is sent, and it is asked again', async (t) => {
  const { url } = await sandbox(t, { wall: testWall })
  const { address, state } = await between(t, url)
  const { rails } = railsTo(t, address)
  state.answer = { status: 503, text: '' }
  assert.deepEqual(await rails.transfer.send(anOrder('0123456789')), NOT_REACHED)
  state.answer = undefined
  assert.equal((await rails.transfer.send(anOrder('0123456789'))).kind, 'succeeded')
})

test('what a partner does not say that it can do is not asked of it: nothing is sent', async (t) => {
  const manifest = JSON.stringify({
    protocol: 2,
    partner: { code: 'identity-only', name: 'Identity Only' },
    software: 'test',
    simulated: false,
    capabilities: ['identity', 'a-word-that-is-not-known-yet'],
    limits: {},
  })
  const asked: (string | undefined)[] = []
  const url = await serving(t, (request, response) => {
    asked.push(request.url)
    const nonce = String(request.headers['kobo-nonce'])
    const answer = { operation: 'manifest', nonce, status: 200, body: manifest }
    response.writeHead(200, signAnswer(hidden(RAILS_SECRET), testWall, answer)).end(manifest)
  })
  const { rails } = railsTo(t, url)
  const order = anOrder('0123456789')
  assert.deepEqual(await rails.transfer.send(order), await absentRails.transfer.send(order))
  assert.deepEqual(await rails.transfer.find(order.reference), { kind: 'unknown' })
  assert.equal((await rails.card.charge(aCharge('4111111111111111'))).kind, 'not sent')
  assert.deepEqual(await rails.transfer.nameEnquiry({ bankCode: '058', accountNumber: '0123456789' }), {
    kind: 'unavailable',
  })
  assert.deepEqual(asked, ['/manifest'])
})

test('one secret takes the place of another while both sides go on', async (t) => {
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

test('a question is heard once, while it is fresh, under the secret and for the words that it was signed with', () => {
  const keys = { secret: hidden(RAILS_SECRET) }
  const question = { operation: 'credits', body: '{"amount":1}' }
  const { headers, nonce } = signQuestion(keys, testWall, question)
  const at = (seconds: number) => ({ now: () => secondsAfter(testWall.now(), seconds) })
  const heard = (changes: object = {}, wall = testWall, words = question) =>
    readQuestion(keys, wall, openNonces(wall), words, { ...headers, ...changes })
  assert.equal(heard()?.nonce, nonce)
  assert.equal(heard({}, at(299))?.nonce, nonce)
  for (const wrong of [
    heard({}, at(310)),
    heard({}, at(-310)),
    heard({}, testWall, { ...question, body: '{"amount":2}' }),
    heard({}, testWall, { ...question, operation: 'outcomes' }),
    heard({ 'kobo-nonce': `${nonce}x` }),
    heard({ 'kobo-nonce': 'short' }),
    heard({ 'kobo-key': keyId(hidden('another-secret-that-is-long-enough')) }),
    heard({ 'kobo-protocol': '1' }),
    heard({ 'kobo-timestamp': 'now' }),
    heard({ 'kobo-signature': undefined }),
    // An answer is no question, though the same side has signed it.
    heard(signAnswer(keys.secret, testWall, { ...question, nonce, status: 200 })),
  ])
    assert.equal(wrong, undefined)
  const nonces = openNonces(testWall)
  const again = () => readQuestion(keys, testWall, nonces, question, headers)
  assert.deepEqual([again() === undefined, again() === undefined], [false, true])
})

test('nonces are remembered for longer than their messages are heard, and no more than can be kept', () => {
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
