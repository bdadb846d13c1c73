import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

function simulate(...args: readonly string[]) {
  // Else the runner of this test takes the one that is started for a part of itself.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return spawnSync(process.execPath, ['tools/simulate.ts', ...args], { cwd: ROOT, env, encoding: 'utf8' })
}

test('the command tells how it is used, and refuses what it does not understand', () => {
  const help = simulate('--help')
  assert.deepEqual([help.status, help.stderr], [0, ''])
  assert.match(help.stdout, /npm run simulate -- \[--seeds COUNT\] \[--from SEED\]/)
  for (const args of [['--seeds', 'many'], ['--seeds'], ['--seed', '1'], ['--seeds', '1000001']]) {
    const { status, stderr } = simulate(...args)
    assert.equal(status, 1)
    assert.match(stderr, /is not understood/)
  }
})

test('the command plays the seeds that it is told, and says what came of them', () => {
  const { status, stdout } = simulate('--from', '7', '--seeds', '2')
  assert.equal(status, 0, stdout)
  assert.match(stdout, /^Seeds 7 to 8\n/)
  assert.match(stdout, /\nNothing lost, nothing doubled, in \d+ s\n$/)
})
