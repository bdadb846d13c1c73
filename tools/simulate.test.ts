import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { slow } from '../gateway/test/harness/slow.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

function simulate(...args: readonly string[]) {
  // Without this the runner treats the command as one of its own tests.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return spawnSync(process.execPath, ['tools/simulate.ts', ...args], { cwd: ROOT, env, encoding: 'utf8' })
}

test('the command explains its usage, and rejects arguments that it does not understand', () => {
  const help = simulate('--help')
  assert.deepEqual([help.status, help.stderr], [0, ''])
  assert.match(help.stdout, /npm run simulate -- \[--seeds COUNT\] \[--from SEED\]/)
  for (const args of [['--seeds', 'many'], ['--seeds'], ['--seed', '1'], ['--seeds', '1000001']]) {
    const { status, stderr } = simulate(...args)
    assert.equal(status, 1)
    assert.match(stderr, /is not understood/)
  }
})

slow('the command plays the seeds that it is given, on all cores, and prints the outcome', () => {
  const { status, stdout } = simulate('--from', '7', '--seeds', '2')
  assert.equal(status, 0, stdout)
  assert.match(stdout, /^Seeds 7 to 8\n/)
  assert.match(stdout, /nothing lost, nothing duplicated, in \d+ s\n$/)
})
