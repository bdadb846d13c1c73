import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { slow } from '../gateway/test/harness/slow.ts'
import { until } from '../gateway/test/harness/until.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Much longer than a run takes, so that only a hanging run fails. */
const MILLISECONDS_MAX = 300_000

// Without this the runner treats the runner that it starts as a part of itself.
const { NODE_TEST_CONTEXT: _, ...env } = process.env

/** A test file that does something and then never ends, and the arguments that run it. */
function waitingTest(t: TestContext, something: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'kobo test process-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'waits.test.mjs')
  const waiting = `setInterval(() => {}, 1_000); await new Promise(() => {})`
  writeFileSync(file, `import { test } from 'node:test'\ntest('waits', async () => { ${something}; ${waiting} })\n`)
  return ['--test', '--import=./tools/test-process.ts', '--test-reporter=spec', file]
}

for (const [what, failure] of [
  ['an exception in a callback', `setTimeout(() => { throw new Error('lost') })`],
  ['a promise that nobody handles', `void Promise.reject(new Error('lost'))`],
] as const)
  test(`${what} fails the run at once, with its stack, even if its test never ends`, (t) => {
    const args = waitingTest(t, failure)
    const { status, stdout } = spawnSync(process.execPath, args, {
      cwd: ROOT,
      env,
      encoding: 'utf8',
      timeout: MILLISECONDS_MAX,
    })
    assert.equal(status, 1, stdout)
    assert.match(stdout, /Something failed that no test was waiting for\.\s+Error: lost\s+at /)
  })

slow('a runner that is killed leaves no test process behind', async (t) => {
  const args = waitingTest(t, `process.stdout.write(\`pid \${process.pid}\\n\`)`)
  const runner = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => runner.kill('SIGKILL'))
  const [line] = await once(runner.stdout.setEncoding('utf8'), 'data')
  const pid = Number(/pid (\d+)/.exec(line)?.[1] ?? assert.fail(line))
  assert.ok(process.kill(pid, 0))
  runner.kill('SIGKILL')
  await until('the test process has ended', () => {
    try {
      return !process.kill(pid, 0)
    } catch {
      return true
    }
  })
})
