import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { wallClock } from '../../gateway/src/kernel/clock.ts'
import { hidden } from '../../gateway/src/kernel/hidden.ts'
import { openConnectorMetrics } from '../../gateway/src/platform/metrics/connector-metrics.ts'
import { openLog } from '../../gateway/src/platform/observability/log.ts'
import { OPERATIONS } from '../../gateway/src/rails/protocol/index.ts'
import { CHECKS } from '../src/conformance/checks.ts'
import { type ConformanceReport, checkAdapter } from '../src/conformance/index.ts'
import { FAULTS, type Fault } from '../src/faults.ts'
import { openNotifier } from '../src/notifier.ts'
import { OPERATION_HANDLERS } from '../src/operations.ts'
import { sandboxConnector } from '../src/partners/sandbox/index.ts'
import { templateKind } from '../src/partners/template/index.ts'
import { openServer } from '../src/server.ts'
import { connected } from './conformance.ts'
import { SECRET, sandbox } from './connectors.ts'
import { BANK_SECRET, templateBank } from './simulators/template.ts'

/** Timeouts in milliseconds: long enough for any machine, and short for partners that never respond. */
const PATIENT = 120_000
const IMPATIENT = 300

const tried = (url: string, timeoutMilliseconds = PATIENT): Promise<ConformanceReport> =>
  checkAdapter({ url, secret: hidden(SECRET), wall: wallClock, timeoutMilliseconds })

const named = ({ verdicts }: ConformanceReport, verdict: string): readonly string[] =>
  verdicts.flatMap(({ name, result }) => (result === verdict ? name : []))

test('every operation of the protocol can be served by rails behind it', () => {
  assert.deepEqual(Object.keys(OPERATION_HANDLERS).sort(), Object.keys(OPERATIONS).sort())
})

test('the sandbox’s connector passes every check', async (t) => {
  const { url } = await sandbox(t)
  const report = await tried(url)
  assert.deepEqual(
    report.verdicts.filter(({ result }) => result !== 'passed'),
    [],
  )
  assert.equal(report.verdicts.length, Object.keys(CHECKS).length + 1)
  assert.equal(report.manifest?.partner.code, 'sandbox')
})

/** The checks that must fail for each fault. No check covers delays and faulty notifications to the gateway. */
const FOUND_BY: Readonly<Record<Fault, readonly string[]>> = {
  delay: [],
  'lost answer': ['answers'],
  hang: ['answers'],
  down: ['answers'],
  busy: ['answers'],
  page: ['answers'],
  half: ['answers'],
  forged: ['signed answers'],
  unsigned: ['signed answers'],
  swapped: ['signed answers'],
  gullible: ['who may ask', 'heard before'],
  twice: ['one effect', 'not found'],
  forgetful: ['one effect', 'lost answers'],
  'broken promise': ['not found'],
  'hasty no': ['unknown'],
  limitless: ['limits'],
  'wrong amount': ['amount'],
  'same names': ['names'],
  'returns again': ['one return'],
  'does more': [],
  'not sent': [],
  'out of order': [],
}

for (const [fault, checks] of Object.entries(FOUND_BY) as [Fault, readonly string[]][])
  test(`an adapter that ${FAULTS[fault]} fails ${checks.length === 0 ? 'no check' : `by ${checks.join(' and ')}`}`, async (t) => {
    const { url, faults } = await sandbox(t)
    // A fault that blocks every response must leave the manifest readable.
    const isSilence = checks.includes('answers')
    faults.inject(fault, { milliseconds: 20, ...(isSilence ? { operation: 'transfer/send' } : {}) })
    let report = await tried(url, fault === 'hang' ? IMPATIENT : PATIENT)
    // On a busy machine other responses may also exceed the short timeout, so it is raised.
    for (let limit = IMPATIENT; fault === 'hang' && named(report, 'failed').length > 1 && limit < PATIENT; limit *= 10)
      report = await tried(url, limit * 10)
    assert.deepEqual(named(report, 'failed'), checks, JSON.stringify(report.verdicts, null, 1))
    for (const { result, reason, why } of report.verdicts)
      if (result === 'failed') assert.ok(why !== '' && reason !== undefined && reason !== '')
  })

test('an adapter that offers more than its manifest says fails that check', async (t) => {
  const log = openLog('silent')
  const keys = { secret: hidden(SECRET) }
  const notifier = openNotifier({ gatewayUrl: undefined, keys, wall: wallClock, log })
  const whole = sandboxConnector({ wall: wallClock, notifier })
  const capabilities = whole.manifest.capabilities.filter((word) => word !== 'cards')
  const connector = { ...whole, manifest: { ...whole.manifest, capabilities } }
  const { server } = openServer({
    served: new Map([['bank', { connector, keys }]]),
    wall: wallClock,
    log,
    metrics: openConnectorMetrics(),
    tls: undefined,
    isStopping: () => false,
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    whole.close?.()
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bank`
  assert.deepEqual(named(await tried(url), 'failed'), [])
  whole.faults?.inject('does more')
  assert.deepEqual(named(await tried(url), 'failed'), ['unsupported'])
})

test('a connector whose trial account accepts no transfer fails the trial', async (t) => {
  const bank = await templateBank(t)
  const settings = { URL: bank.url, SECRET: BANK_SECRET, TRIAL_ACCOUNT: '058/0000000051' }
  const { url } = await connected(t, 'template', settings, { template: templateKind })
  assert.deepEqual(named(await tried(url), 'failed'), ['amount'])
})

test('an adapter without a manifest fails only that check, and nothing is sent to it', async (t) => {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const report = await tried(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  assert.deepEqual(named(report, 'failed'), ['manifest'])
  assert.deepEqual(named(report, 'passed'), [])
  assert.deepEqual(requests, ['GET /manifest'])
})

test('the connectors’ log never contains a secret, a card number or a BVN, whatever fails', async (t) => {
  const lines: string[] = []
  const log = openLog('trace', { write: (line: string) => void lines.push(line) })
  const { url, faults } = await sandbox(t, { log, env: { KOBO_GATEWAY_URL: 'http://127.0.0.1:1' } })
  faults.inject('busy')
  faults.inject('gullible')
  await tried(url)
  assert.doesNotMatch(lines.join(''), /a-secret-between|4111111111|22222222226/)
})
