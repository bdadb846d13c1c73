import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { openLog } from '../../../gateway/src/platform/observability/log.ts'
import { until } from '../../../gateway/test/harness/until.ts'
import { orderOf } from '../../src/conformance/sends.ts'
import { decode, encode, framed, type Message, unframed } from '../../src/partners/iso8583/codec.ts'
import { initialKey, pinBlock, pinKey } from '../../src/partners/iso8583/dukpt.ts'
import { traceOf } from '../../src/partners/iso8583/wire.ts'
import { readSettings } from '../../src/settings.ts'
import { startConnectors } from '../../src/start.ts'
import { CHECKS_OF_TRANSFERS, connected, logsNoSecrets, passesAdapterTest } from '../conformance.ts'
import { SECRET } from '../connectors.ts'
import { acquirerSwitch } from '../simulators/iso8583.ts'

const CARD = { number: '5061000000000000003', expiryMonth: '12', expiryYear: '2030', cvv: '123', pin: '1234' }
const PIN_TEST_KEY = '6AC292FAA1315B4D858AB3A3D7D5933A'
const SETTINGS = { ACQUIRER: '111111', TERMINAL: 'KOBO0001', MERCHANT: 'KOBO00000000001', PIN_TEST_KEY }

async function world(t: TestContext, more: Record<string, string> = {}) {
  const host = await acquirerSwitch(t)
  const start = async () => {
    const connector = await connected(t, 'iso8583', { ADDRESS: host.address, ...SETTINGS, ...more })
    await until('it is signed on', () => connector.logged().includes('signed on at the switch'))
    return connector
  }
  return { host, start, connector: await start() }
}

const aCharge = (number = CARD.number) => ({
  ...orderOf(`KFCC${randomUUID()}`),
  amount: 10_000,
  currencyCode: 'NGN',
  card: { ...CARD, number },
  initiator: 'HOLDER',
  merchantName: 'Demo Shop — Lagos',
  returnUrl: 'https://example.com/back',
})

const hex = (text: string): Buffer => Buffer.from(text, 'hex')

/** Messages as another implementation (the npm package iso_8583 2.6.7) writes them, with two length bytes. */
const WRITTEN_BY_ANOTHER: readonly [Message, string][] = [
  [
    {
      ...{
        0: '0200',
        2: '4084084084084081',
        3: '000000',
        4: '000000010000',
        7: '0301093000',
        11: '998001',
        12: '103000',
      },
      ...{ 13: '0301', 14: '3012', 18: '5999', 22: '812', 25: '59', 32: '111111', 37: '0002V3K4Z7AB', 41: 'KOBO0001' },
      ...{ 42: 'KOBO00000000001', 43: `${'Demo Shop'.padEnd(38)}NG`, 49: '566' },
    },
    '00b530323030f23c448108e08000000000000000000031363430383430383430383430383430383130303030303030303030303030313030303030333031303933303030393938303031313033303030303330313330313235393939383132353930363131313131313030303256334b345a3741424b4f424f303030314b4f424f303030303030303030303144656d6f2053686f7020202020202020202020202020202020202020202020202020202020204e47353636',
  ],
  [
    {
      ...{
        0: '0420',
        2: '4084084084084081',
        3: '000000',
        4: '000000010000',
        7: '0301093000',
        11: '998001',
        12: '103000',
      },
      ...{ 13: '0301', 32: '111111', 37: '0002V3K4Z7AB', 39: '68', 41: 'KOBO0001', 42: 'KOBO00000000001', 49: '566' },
      90: '0200998001030109300000000111111'.padEnd(42, '0'),
    },
    '00ac30343230f23800010ac080000000004000000000313634303834303834303834303834303831303030303030303030303030303130303030303330313039333030303939383030313130333030303033303130363131313131313030303256334b345a37414236384b4f424f303030314b4f424f3030303030303030303031353636303230303939383030313033303130393330303030303030303131313131313030303030303030303030',
  ],
  [
    { 0: '0800', 7: '0301093000', 11: '000001', 70: '001' },
    '0027303830308220000000000000040000000000000030333031303933303030303030303031303031',
  ],
  [
    {
      ...{ 0: '0210', 3: '000000', 4: '000000010000', 7: '0301093000', 11: '998001', 37: '0002V3K4Z7AB', 38: 'A1B2C3' },
      ...{ 39: '00', 41: 'KOBO0001', 49: '566' },
    },
    '005530323130b22000000e8080000000000000000000303030303030303030303030303130303030303330313039333030303939383030313030303256334b345a37414241314232433330304b4f424f30303031353636',
  ],
  [
    { 0: '0200', 4: '000000010000', 11: '998001', 52: '1B9C1845EB993A7A' },
    '002e30323030902000000000100000000000000000003030303030303031303030303939383030311b9c1845eb993a7a',
  ],
]

test('messages are written and read as another implementation does', () => {
  for (const [message, bytes] of WRITTEN_BY_ANOTHER) {
    assert.equal(framed(message).toString('hex'), bytes)
    const { texts, rest } = unframed(hex(bytes)) ?? assert.fail('it is a message')
    assert.deepEqual([decode(texts[0] ?? Buffer.alloc(0)), rest.length], [message, 0])
  }
})

test('a malformed message is rejected without an exception; a value that does not fit its field is not written', () => {
  const [, bytes] = WRITTEN_BY_ANOTHER[0] ?? assert.fail()
  const whole = hex(bytes).subarray(2)
  for (let length = 0; length < whole.length; length++) assert.equal(decode(whole.subarray(0, length)), undefined)
  assert.equal(decode(Buffer.concat([whole, Buffer.from('0')])), undefined)
  fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (noise) => void decode(Buffer.from(noise))))
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 40, maxLength: 400 }),
      (noise) => void decode(Buffer.concat([Buffer.from('0210'), noise])),
    ),
  )
  for (const wrong of [{ 4: '1' }, { 2: '1'.repeat(20) }, { 52: 'XYZ' }, { 43: 'é'.repeat(40) }, { 99: '1' }])
    assert.throws(() => encode({ 0: '0200', ...wrong }), /field/)
  assert.equal(unframed(Buffer.from([0xff, 0xff, 0])), undefined, 'none of our messages is that long')
})

test('PINs are encrypted as in the samples of ANSI X9.24-1, and keys derived as another implementation does', () => {
  const base = hex('0123456789ABCDEFFEDCBA9876543210')
  const first = initialKey(base, hex('FFFF9876543210E00000'))
  assert.equal(first.toString('hex').toUpperCase(), PIN_TEST_KEY)
  // These keys were computed with the npm package dukpt 3.0.0.
  for (const [ksn, key] of [
    ['FFFF9876543210E00001', '042666B49184CF5C68DE9628D0397B36'],
    ['FFFF9876543210E00002', 'C46551CEF9FD244FAA9AD834130D3B38'],
    ['FFFF9876543210E00003', '0DF3D9422ACA561A47676D07AD6BAD05'],
    ['FFFF9876543210EFF800', 'F9CDFEBF4F5B1D61B3EC12454527E189'],
    ['FFFF9876543210E12345', 'A2330D64954AB2E6A363A5E47393B2B8'],
  ] as const)
    assert.equal(pinKey(first, hex(ksn)).toString('hex').toUpperCase(), key, ksn)
  assert.equal(pinBlock(pinKey(first, hex('FFFF9876543210E00001')), '1234', '4012345678909'), '1B9C1845EB993A7A')
})

test('the identifiers of a charge are the same each time, and unique within a second', () => {
  const placedAt = '2026-03-01T09:30:00.123Z'
  const [stans, rrns] = [new Set<string>(), new Set<string>()]
  for (let millisecond = 0n; millisecond < 1_000n; millisecond++)
    for (const rest of [0n, 1n, 9n, 1n << 15n, (99n << 15n) | 3n]) {
      const order = { reference: 'r', sequence: String(((68_000_000_000n + millisecond) << 22n) | rest), placedAt }
      const trace = traceOf(order) ?? assert.fail()
      assert.deepEqual(traceOf({ ...order }), trace)
      assert.match(`${trace.stan} ${trace.rrn} ${trace.sentAt}`, /^\d{6} [0-9A-Z]{12} 0301093000$/)
      stans.add(trace.stan)
      rrns.add(trace.rrn)
    }
  assert.deepEqual([stans.size, rrns.size], [5_000, 5_000])
})

test('no two nodes share a STAN in one millisecond, whatever their counters are', () => {
  const stan = (node: bigint, counter: bigint) =>
    traceOf({
      reference: 'r',
      sequence: String((68_000_000_000n << 22n) | (node << 15n) | counter),
      placedAt: '2026-03-01T09:30:00.123Z',
    })?.stan
  const counters = fc.bigInt(0n, 32_767n)
  const node = fc.bigInt(0n, 99n)
  fc.assert(
    fc.property(node, node, counters, counters, (one, other, a, b) => {
      fc.pre(one !== other)
      assert.notEqual(stan(one, a), stan(other, b))
    }),
  )
})

test('the connector to an acquirer’s switch signs on, passes the adapter test, and logs nothing of a card', async (t) => {
  const { host, connector } = await world(t, { ECHO_MILLISECONDS: '20' })
  assert.equal(host.messages[0], '0800/001')
  assert.deepEqual(await passesAdapterTest(connector), CHECKS_OF_TRANSFERS)
  const before = host.approvedCharges()
  const charge = aCharge()
  const twice = await Promise.all([connector.ask('card/charge', charge), connector.ask('card/charge', charge)])
  assert.deepEqual(twice, Array(2).fill({ kind: 'approved', reusable: true }))
  assert.equal(host.approvedCharges(), before + 1)
  const sent = host.last('0200')
  assert.deepEqual(
    [4, 14, 43, 49].map((number) => sent.get(number)),
    ['000000010000', '3012', `${'Demo Shop Lagos'.padEnd(38)}NG`, '566'],
  )
  assert.equal(
    sent.get(52),
    pinBlock(pinKey(hex(PIN_TEST_KEY), hex(sent.get(127) ?? '')), '1234', CARD.number).toLowerCase(),
  )
  assert.equal((await connector.ask('card/charge', aCharge('5061000000000000051')))['kind'], 'declined')
  await until('an echo was requested', () => host.messages.includes('0800/301'))
  logsNoSecrets(connector, CARD.number, '5061000000000000051', PIN_TEST_KEY)
})

test('a charge without a response is sent once and reversed until that is acknowledged; a late response is ignored', async (t) => {
  const { host, connector, start } = await world(t, { ANSWER_MILLISECONDS: '200', REPEAT_MILLISECONDS: '200' })
  host.respondToCharges('not')
  host.ignoreReversals(2)
  const charge = aCharge()
  const reversed = { kind: 'declined', reason: 'The issuer did not respond in time, and the charge was reversed' }
  assert.deepEqual(await connector.ask('card/charge', charge), reversed)
  const types = host.messages.filter((type) => !type.startsWith('08'))
  assert.deepEqual(types.slice(0, 4), ['0200', '0420', '0421', '0421'])
  assert.ok(!types.slice(1).includes('0200'), 'never a second time')
  const [original, reversal] = [host.last('0200'), host.last('0421')]
  assert.equal(reversal.get(90), `0200${original.get(11)}${original.get(7)}00000111111${'0'.repeat(11)}`)
  assert.equal(reversal.get(37), original.get(37))
  host.respondLate()
  await until('the late response was received', () => connector.logged().includes('unexpected message from the switch'))
  assert.deepEqual(await connector.ask('card/find', charge), reversed)
  assert.equal(host.approvedCharges(), 0)

  // A new process does not remember the charge. When it is queried about the unknown outcome, it reverses the charge.
  host.respondToCharges('soundly')
  const heardOnce = aCharge()
  const other = await start()
  const { kind } = await connector.ask('card/charge', heardOnce)
  if (kind === 'approved') assert.equal(host.approvedCharges(), 1)
  assert.deepEqual(await other.ask('card/find', heardOnce), { kind: 'not found' })
  assert.equal(host.approvedCharges(), 0)
  assert.deepEqual(await other.ask('card/charge', heardOnce), reversed, 'never after that')
})

test('a charge is treated as reversed only if the switch says so; a refused reversal is repeated', async (t) => {
  const { host, connector } = await world(t, { ANSWER_MILLISECONDS: '200', REPEAT_MILLISECONDS: '50' })
  const reversals = () => host.messages.filter((type) => type === '0420' || type === '0421')
  for (const code of ['96', '91', '57']) {
    host.respondToCharges('by ZZ')
    host.rejectReversals(2, code)
    const before = reversals().length
    assert.equal((await connector.ask('card/charge', aCharge()))['kind'], 'declined')
    assert.deepEqual(reversals().slice(before), ['0420', '0421', '0421'], `after ${code}`)
    assert.equal(host.approvedCharges(), 0, 'it was reversed in the end')
  }
  // A charge that never arrived: the agreed code says that there is nothing to reverse.
  host.rejectReversals(1, '25')
  assert.deepEqual(await connector.ask('card/find', aCharge()), { kind: 'not found' })
})

test('a charge that the switch calls a duplicate is unknown, and nothing is reversed', async (t) => {
  const { host, connector } = await world(t)
  const first = aCharge()
  assert.equal((await connector.ask('card/charge', first))['kind'], 'approved')
  host.respondToCharges('by 94')
  const second = aCharge()
  assert.deepEqual(await connector.ask('card/charge', second), { kind: 'unknown' })
  assert.deepEqual(await connector.ask('card/find', second), { kind: 'unknown' })
  assert.ok(!host.messages.some((type) => type.startsWith('042')))
})

test('a charge with an unlisted code is reversed; without a connection nothing is sent, and it reconnects', async (t) => {
  const { host, connector } = await world(t)
  host.respondToCharges('by ZZ')
  assert.equal((await connector.ask('card/charge', aCharge()))['kind'], 'declined')
  assert.equal(host.approvedCharges(), 0, 'it had been approved, and was reversed')
  host.respondToCharges('soundly')
  host.goAway()
  await until('nothing is sent', async () => (await connector.ask('card/charge', aCharge()))['kind'] === 'not sent')
  await host.comeBack()
  await until(
    'the connection is back',
    async () => (await connector.ask('card/charge', aCharge()))['kind'] === 'approved',
  )
})

test('a PIN is never sent unencrypted, and live mode accepts no clear key', async (t) => {
  const { host, connector } = await world(t, { PIN_TEST_KEY: '' })
  assert.equal((await connector.ask('card/charge', aCharge()))['kind'], 'not sent')
  assert.ok(!host.messages.includes('0200'))
  const env = Object.entries({ ADDRESS: host.address, ...SETTINGS }).map(([name, text]) => [
    `KOBO_ISO8583_${name}`,
    text,
  ])
  const live = readSettings({
    ...Object.fromEntries(env),
    PORT: '0',
    KOBO_RAILS_SECRET: SECRET,
    KOBO_CONNECTORS: 'iso8583',
  })
  const started = startConnectors(live, openLog('silent')).then((rails) => rails.close())
  await assert.rejects(started, /PIN_TEST_KEY is an unprotected key/)
})
