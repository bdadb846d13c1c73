import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import report from './reporter.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const HARNESS = new URL('../gateway/test/harness/', import.meta.url).href

const TESTS = `import { test } from 'node:test'
import { long } from '${HARNESS}long.ts'
import { slow } from '${HARNESS}slow.ts'
test('quick', () => {})
long('kept', () => {})
slow('left out', () => {})
slow('left out too', { timeout: 60_000 }, () => {})
test('of a program', { skip: 'caddy is not installed (Debian: caddy)' }, () => {})
`

/** The report of a run of these tests. */
function reportOf(t: TestContext, isShort: boolean): string {
  const folder = mkdtempSync(join(tmpdir(), 'kobo-test-reporter-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'some.test.mjs')
  writeFileSync(file, TESTS)
  // Without this the runner treats the file as one of its own tests.
  const { NODE_TEST_CONTEXT: _, KOBO_TEST_SHORT: __, ...env } = process.env
  const args = ['--test', '--test-isolation=none', '--test-reporter=./tools/reporter.ts', file]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    env: isShort ? { ...env, KOBO_TEST_SHORT: 'yes' } : env,
    encoding: 'utf8',
  })
  assert.equal(status, 0, stdout + stderr)
  return stdout
}

test('the short run leaves out slow tests, and says how to run what it skipped', (t) => {
  const output = reportOf(t, true)
  assert.match(output, /^Skipped: 2 slow tests, which npm test -- --all runs\.$/m)
  assert.match(output, /^Skipped: 1 × caddy is not installed \(Debian: caddy\)\.$/m)
  assert.match(output, /^5 tests, 2 passed, 0 failed, 3 skipped, /m)
})

test('the full run says how many tests it adds', (t) => {
  const output = reportOf(t, false)
  assert.match(output, /^Added to the short run: 2 slow tests\.$/m)
  assert.match(output, /^5 tests, 4 passed, 0 failed, 1 skipped, /m)
})

test('the short run names tests over five seconds that are not marked', async (t) => {
  const before = process.env['KOBO_TEST_SHORT']
  t.after(() => {
    if (before === undefined) delete process.env['KOBO_TEST_SHORT']
    else process.env['KOBO_TEST_SHORT'] = before
  })
  process.env['KOBO_TEST_SHORT'] = 'yes'
  const passed = (name: string, file: string, milliseconds: number) => ({
    type: 'test:pass',
    data: { name, file, nesting: 0, testNumber: 1, details: { duration_ms: milliseconds } },
  })
  async function* events() {
    yield passed('unmarked', '/kobo/some.test.ts', 6_000)
    yield passed('quick', '/kobo/some.test.ts', 4_000)
    yield passed('kept', '/kobo/gateway/test/harness/long.ts', 6_000)
  }
  const lines = (await text(report(events() as AsyncGenerator<TestEvent>))).split('\n')
  const from = lines.findIndex((line) => line.includes('not marked as slow'))
  assert.deepEqual(lines.slice(from + 1, -2), ['  6.0 s  unmarked'])
})
