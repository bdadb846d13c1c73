import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SECRET, sandbox } from '../../rails/test/connectors.ts'
import { commandsWith } from './commands.ts'

test('kobo rails check shows what an adapter passes, and ends with 0', async (t) => {
  const { url } = await sandbox(t)
  const { code, stdout, stderr } = await commandsWith({ KOBO_RAILS_SECRET: SECRET }).run('rails', 'check', `${url}/`)
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /^Sandbox \(@kobo\/rails .*transfers/)
  assert.match(stdout, /^ {2}passed {3}A reference that is sent again has one effect$/m)
  assert.match(stdout, /^\d+ passed, 0 failed, 0 skipped$/m)
  assert.match(stdout, /Not seen from here/)
  assert.ok(!stdout.includes(SECRET))
})

test('kobo rails check says what it found and why it matters, and ends with 1', async (t) => {
  const { url, mischief } = await sandbox(t)
  mischief.plant('broken promise')
  const { run } = commandsWith({ ITS_SECRET: SECRET })
  const told = await run('rails', 'check', url, '--secret-env', 'ITS_SECRET')
  assert.equal(told.code, 1)
  assert.match(told.stdout, /^ {2}FAILED {3}What was not found is never carried out/m)
  assert.match(told.stdout, /found: transfer\/find answers “not found”/)
  assert.match(told.stdout, /why it matters: Kobo sends again what was not found/)
  const { code, stdout } = await run('rails', 'check', url, '--secret-env', 'ITS_SECRET', '--json')
  const { manifest, verdicts, notSeen } = JSON.parse(stdout)
  assert.deepEqual([code, manifest.partner.code, notSeen.length > 0], [1, 'sandbox', true])
  assert.deepEqual(
    verdicts.filter(({ result }: { result: string }) => result === 'failed').map(({ name }: { name: string }) => name),
    ['not found'],
  )
})

test('kobo rails check wants an address and the secret', async () => {
  await commandsWith({}).misused(
    [/Name the adapter/, 'rails', 'check'],
    [/Name the adapter/, 'rails', 'check', 'ftp://example.com'],
    [/set KOBO_RAILS_SECRET/, 'rails', 'check', 'http://127.0.0.1:1'],
    [/set OTHER/, 'rails', 'check', 'http://127.0.0.1:1', '--secret-env', 'OTHER'],
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
