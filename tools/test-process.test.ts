import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Far more than it takes, so that a hanging run fails. */
const MILLISECONDS_MAX = 300_000

for (const [what, failure] of [
  ['an exception in a callback', `setTimeout(() => { throw new Error('lost') })`],
  ['a promise that nobody handles', `void Promise.reject(new Error('lost'))`],
] as const)
  test(`${what} fails the run at once, with its stack, even if its test never ends`, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'kobo test process-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'waits.test.mjs')
    const waiting = `setInterval(() => {}, 1_000); await new Promise(() => {})`
    writeFileSync(file, `import { test } from 'node:test'\ntest('waits', async () => { ${failure}; ${waiting} })\n`)
    // Without this the runner treats the started one as a part of itself.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const args = ['--test', '--import=./tools/test-process.ts', '--test-reporter=spec', file]
    const { status, stdout } = spawnSync(process.execPath, args, {
      cwd: ROOT,
      env,
      encoding: 'utf8',
      timeout: MILLISECONDS_MAX,
    })
    assert.equal(status, 1, stdout)
    assert.match(stdout, /Something failed that no test was waiting for\.\s+Error: lost\s+at /)
  })
