import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { offsetClock } from '../../src/kernel/clock.ts'
import { hidden } from '../../src/kernel/hidden.ts'
import { openLog } from '../../src/platform/observability/log.ts'
import { openDatabase } from '../../src/platform/postgres/db.ts'
import { httpRails } from '../../src/rails/http/index.ts'
import type { PartnerRails } from '../../src/rails/not-sent.ts'
import { OPERATIONS } from '../../src/rails/protocol/index.ts'
import { simulatedAccessControl, simulatedBook, simulatedRails } from '../../src/rails/simulated/index.ts'
import { testWall } from '../harness/clock.ts'
import { ownDatabase } from '../harness/postgres.ts'
import { slow } from '../harness/slow.ts'
import { until } from '../harness/until.ts'
import { OPERATION_NAMES, RAILS_SECRET, railAdapter } from './adapter.ts'
import { aCharge, cardRailSuite } from './card-suite.ts'
import {
  aDebitOrder,
  anOrder,
  billerRailSuite,
  debitRailSuite,
  identityRailSuite,
  transferRailSuite,
} from './suites.ts'

/** Simulated rails behind an adapter, and the rails that call it. */
async function connected(t: TestContext, timeoutMilliseconds?: number) {
  const { url, drop } = await ownDatabase()
  const db = openDatabase(url, 3)
  const clock = offsetClock(testWall)
  const book = simulatedBook(db)
  const adapter = await railAdapter(t, simulatedRails({ clock, book }), testWall)
  const lines: string[] = []
  const { rails, close } = httpRails({
    url: adapter.url,
    secret: hidden(RAILS_SECRET),
    wall: testWall,
    log: openLog('trace', { write: (line: string) => void lines.push(line) }),
    ...(timeoutMilliseconds === undefined ? {} : { timeoutMilliseconds }),
  })
  t.after(async () => {
    close()
    await db.end()
    await drop()
  })
  const advance = (seconds: number): void => clock.setOffset(clock.offsetMilliseconds() + seconds * 1_000)
  return { rails, adapter, advance, control: simulatedAccessControl({ clock, book }), logged: () => lines.join('') }
}

identityRailSuite('register over HTTP', async (t) => (await connected(t)).rails.identity)

billerRailSuite('biller over HTTP', async (t) => {
  const { rails, advance } = await connected(t)
  return { rail: rails.biller, advance }
})

transferRailSuite('transfers over HTTP', async (t) => ({
  rail: (await connected(t)).rails.transfer,
  good: '0123456789',
  bad: '0123456001',
}))

debitRailSuite('debits over HTTP', async (t) => ({
  rail: (await connected(t)).rails.debit,
  good: '0123456789',
  bad: '0123456001',
}))

cardRailSuite('cards over HTTP', async (t) => {
  const { rails, control } = await connected(t)
  return {
    rail: rails.card,
    cards: {
      approved: '4111111111111111',
      otp: '5060995994247093',
      '3ds': '4000000000000002',
      declined: '5399838383838381',
      silent: '4242424242424242',
    },
    otp: '123456',
    approve: async (reference) => assert.equal(await control.approve(reference, hidden('123456')), 'approved'),
  }
})

const VEND = {
  reference: 'vend-1',
  productCode: 'MTN-AIRTIME',
  customerId: '08142223149',
  amount: 100_000n as never,
  validationReference: null,
  emailAddress: null,
  phoneNumber: null,
}

/**
 * Every operation, and its result if there is no response: `unknown` if it may have had an effect or asks about one,
 * else `unavailable`.
 */
const CALLS: Readonly<
  Record<string, readonly [(rails: PartnerRails) => Promise<{ kind: string }>, 'unknown' | 'unavailable']>
> = {
  'account/find-send-back': [({ returns }) => returns.find('return-1'), 'unknown'],
  'account/send-back': [
    ({ returns }) =>
      returns.send({
        reference: 'return-1',
        amount: 100n as never,
        credit: { railReference: 'credit-1', bankCode: '058', accountNumber: '0123456789' },
        narration: 'Returned',
      }),
    'unknown',
  ],
  'biller/catalogue': [({ biller }) => biller.catalogue(), 'unavailable'],
  'biller/validate-customer': [({ biller }) => biller.validateCustomer(VEND), 'unavailable'],
  'biller/vend': [({ biller }) => biller.vend(VEND), 'unknown'],
  'biller/find-vend': [({ biller }) => biller.findVend('vend-1'), 'unknown'],
  'card/charge': [({ card }) => card.charge(aCharge('4111111111111111')), 'unknown'],
  'card/authorize-otp': [({ card }) => card.authorizeOtp({ reference: 'charge-1', otp: hidden('123456') }), 'unknown'],
  'card/find': [({ card }) => card.find('charge-1'), 'unknown'],
  'card/refund': [
    ({ card }) => card.refund({ reference: 'refund-1', chargeReference: 'charge-1', amount: 100n as never }),
    'unknown',
  ],
  'card/find-refund': [({ card }) => card.findRefund('refund-1'), 'unknown'],
  'debit/debit': [({ debit }) => debit.debit(aDebitOrder('0123456789')), 'unknown'],
  'debit/find': [({ debit }) => debit.findDebit('debit-1'), 'unknown'],
  'identity/find-account': [
    ({ identity }) => identity.findAccount({ bvn: '22222222226', bankCode: '058', accountNumber: '0123456789' }),
    'unavailable',
  ],
  'identity/find-bvn': [({ identity }) => identity.findBvn('22222222226'), 'unavailable'],
  'identity/find-nin': [({ identity }) => identity.findNin('22222222226'), 'unavailable'],
  'transfer/find': [({ transfer }) => transfer.find('transfer-1'), 'unknown'],
  'transfer/name-enquiry': [
    ({ transfer }) => transfer.nameEnquiry({ bankCode: '058', accountNumber: '0123456789' }),
    'unavailable',
  ],
  'transfer/send': [({ transfer }) => transfer.send(anOrder('0123456789')), 'unknown'],
}

test('the tables of this test cover every operation, and so does the documentation', () => {
  const isFirst = (operation: string): boolean => OPERATIONS[operation]?.capability !== 'issued-accounts'
  assert.deepEqual(Object.keys(CALLS).sort(), OPERATION_NAMES.filter(isFirst).sort())
  const documented = readFileSync(new URL('../../../docs/reference/rails.md', import.meta.url), 'utf8')
  for (const operation of OPERATION_NAMES) assert.ok(documented.includes(`\`${operation}\``), operation)
})

test('an adapter of the first version opens no accounts, and is not asked to', async (t) => {
  const { rails, adapter } = await connected(t)
  const opening = {
    kind: 'DYNAMIC',
    ...{ reference: 'account-1', bankCode: '232', accountName: 'Shoes', expiresAt: null, customer: null },
  } as const
  const issued = { reference: 'account-1', bankCode: '232', accountNumber: '0123456789' }
  const { operations: request } = adapter
  const before = request.length
  assert.equal((await rails.account.open(opening)).kind, 'not sent')
  assert.deepEqual(await rails.account.find(opening), { kind: 'unknown' })
  assert.deepEqual(await rails.account.close(issued), { kind: 'unsupported' })
  assert.deepEqual(await rails.account.rename({ ...issued, accountName: 'Boots' }), { kind: 'unsupported' })
  assert.deepEqual(
    request.slice(before).filter((operation) => operation !== 'manifest'),
    [],
  )
})

/** Calls every operation; each must return unknown, and a send also whether there was any response. */
async function checkUnknownToAll(rails: PartnerRails, hasResponse: boolean): Promise<void> {
  for (const [operation, [call, kind]] of Object.entries(CALLS))
    assert.deepEqual(
      await call(rails),
      kind === 'unknown' && !hasResponse ? { kind, unanswered: true } : { kind },
      operation,
    )
}

for (const [what, status, text] of [
  ['an error', 500, '{"kind":"failed","reason":"broken"}'],
  ['a redirect', 302, ''],
  ['another success', 202, '{"kind":"vended","description":"","metadata":{}}'],
  ['no JSON', 200, '<html>'],
  ['half a response', 200, '{"kind":"suc'],
  ['nothing', 200, ''],
  ['no object', 200, '["approved"]'],
  ['null', 200, 'null'],
  ['an unknown kind', 200, '{"kind":"perhaps"}'],
  ['a kind without its fields', 200, '{"kind":"found"}'],
  ['a number for a text', 200, '{"kind":"failed","reason":5}'],
  ['a success without details', 200, '{"kind":"succeeded"}'],
  ['a text that no database can store', 200, '{"kind":"failed","reason":"a\\u0000b"}'],
  ['an approval with half its fields missing', 200, '{"kind":"approved"}'],
] as const) {
  test(`an adapter that responds with ${what} is not trusted, and nothing is thrown`, async (t) => {
    const { rails, adapter } = await connected(t)
    adapter.misbehaving = () => ({ status, text })
    await checkUnknownToAll(rails, true)
  })
}

for (const status of [502, 503, 504])
  test(`a proxy that returns ${status} counts as no response`, async (t) => {
    const { rails, adapter } = await connected(t)
    adapter.misbehaving = () => ({ status, text: '' })
    await checkUnknownToAll(rails, false)
  })

slow('an adapter that times out has not responded: a send is unknown and can be queried', async (t) => {
  const { rails, adapter } = await connected(t, 300)
  adapter.misbehaving = () => 'silent'
  await checkUnknownToAll(rails, false)
  await until('the adapter has done it all the same', () => adapter.operations.includes('biller/vend'))
  adapter.misbehaving = () => undefined
  await until('its outcome is found', async () => (await rails.biller.findVend('vend-1')).kind === 'vended')
})

test('an unreachable adapter has not responded, and nothing was sent', async () => {
  const { rails, close } = httpRails({
    url: 'http://127.0.0.1:1',
    secret: hidden(RAILS_SECRET),
    wall: testWall,
    log: openLog('silent'),
  })
  for (const [operation, [call, kind]] of Object.entries(CALLS)) {
    const { kind: response, ...more } = await call(rails)
    const isSend = OPERATIONS[operation]?.foundBy !== undefined
    assert.equal(response, isSend ? 'not sent' : kind, operation)
    assert.equal('unanswered' in more, kind === 'unknown', operation)
  }
  close()
})

test('an endless response is not read to its end', async (t) => {
  const { rails, adapter } = await connected(t)
  adapter.misbehaving = () => ({ status: 200, text: `{"kind":"found","accountName":"${'A'.repeat(9_000_000)}"}` })
  const account = { bankCode: '058', accountNumber: '0123456789' }
  assert.deepEqual(await rails.transfer.nameEnquiry(account), { kind: 'unavailable' })
})

test('a request is signed over time, operation and body: another secret is rejected', async (t) => {
  const { adapter } = await connected(t)
  const { rails, close } = httpRails({
    url: adapter.url,
    secret: hidden('another-secret-that-is-long-enough'),
    wall: testWall,
    log: openLog('silent'),
  })
  t.after(close)
  await checkUnknownToAll(rails, true)
  assert.deepEqual(adapter.operations, [])
})

test('a failing adapter is logged with the operation and the reason, without request or response', async (t) => {
  const { rails, adapter, logged } = await connected(t)
  adapter.misbehaving = () => ({ status: 500, text: '{"bvn":"22222222226"}' })
  await rails.identity.findBvn('22222222226')
  await rails.card.charge(aCharge('4111111111111111'))
  assert.match(logged(), /identity\/find-bvn.*500/)
  assert.match(logged(), /card\/charge/)
  assert.doesNotMatch(logged(), /22222222226|4111111111/)
})
