import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connected } from '../../connectors/test/conformance.ts'
import { SECRET, sandbox } from '../../connectors/test/connectors.ts'
import { KEYS, wema } from '../../connectors/test/simulators/wema.ts'
import { commandsWith } from './commands.ts'

test('rails check lists passed tests, exit code 0', async (t) => {
  const { url } = await sandbox(t)
  const { code, stdout, stderr } = await commandsWith({ KOBO_RAILS_SECRET: SECRET }).run('rails', 'check', `${url}/`)
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /^Sandbox \(@kobo\/connectors .*transfers/)
  assert.match(stdout, /^ {2}passed {3}A repeated reference has one effect$/m)
  assert.match(stdout, /^\d+ passed, 0 failed, 0 skipped$/m)
  assert.match(stdout, /Not tested:/)
  assert.ok(!stdout.includes(SECRET))
})

test('rails check explains failed tests, exit code 1', async (t) => {
  const { url, faults } = await sandbox(t)
  faults.inject('broken promise')
  const { run } = commandsWith({ ITS_SECRET: SECRET })
  const reported = await run('rails', 'check', url, '--secret-env', 'ITS_SECRET')
  assert.equal(reported.code, 1)
  assert.match(reported.stdout, /^ {2}FAILED {3}A reference reported as not found is never processed/m)
  assert.match(reported.stdout, /found: transfer\/find returns “not found”/)
  assert.match(reported.stdout, /why it matters: Kobo sends an order again if it was not found/)
  const { code, stdout } = await run('rails', 'check', url, '--secret-env', 'ITS_SECRET', '--json')
  const { manifest, verdicts, notSeen } = JSON.parse(stdout)
  assert.deepEqual([code, manifest.partner.code, notSeen.length > 0], [1, 'sandbox', true])
  assert.deepEqual(
    verdicts.filter(({ result }: { result: string }) => result === 'failed').map(({ name }: { name: string }) => name),
    ['not found'],
  )
})

test('rails check requires a URL and the secret', async () => {
  await commandsWith({}).misused(
    [/Specify the connector/, 'rails', 'check'],
    [/Specify the connector/, 'rails', 'check', 'ftp://example.com'],
    [/Set KOBO_RAILS_SECRET/, 'rails', 'check', 'http://127.0.0.1:1'],
    [/Set OTHER/, 'rails', 'check', 'http://127.0.0.1:1', '--secret-env', 'OTHER'],
  )
  await commandsWith({ KOBO_RAILS_SECRET: SECRET }).misused([
    /--timeout must be/,
    'rails',
    'check',
    'http://127.0.0.1:1',
    '--timeout',
    'soon',
  ])
})

test('rails pay at a connector of a real bank says what to do instead, exit code 1', async (t) => {
  const bank = await wema(t)
  const { url } = await connected(t, 'wema', { URL: bank.url, AUTH_KEY: KEYS.auth, API_KEY: KEYS.api })
  const { run } = commandsWith({ KOBO_RAILS_SECRET: SECRET })
  const paid = await run('rails', 'pay', url, '--bank', '035', '--account', '0123456789', '--amount', '5000')
  assert.deepEqual([paid.code, paid.stdout], [1, ''])
  assert.match(paid.stderr, /^Only simulated partners .*\n$/)
})
