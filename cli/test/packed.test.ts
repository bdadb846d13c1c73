import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { aShop } from '../../gateway/test/harness/gateway.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { pack } from '../../sdk/src/packing/pack.ts'
import { npmInstall } from '../../sdk/test/npm.ts'
import { nodeOf } from '../../sdk/test/packed.ts'

const run = promisify(execFile)
const PACKAGE = fileURLToPath(new URL('../package', import.meta.url))

slow('the packed command line installs, pays at a sandbox, and says which keys it needs', async (t) => {
  const folder = ownFolder('packed-cli')
  writeFileSync(join(folder, 'package.json'), '{}')
  const file = await pack(PACKAGE, '../src/packing/build.ts', folder)
  const problem = await npmInstall(folder, `./${file}`)
  if (problem !== undefined) return t.skip(problem)
  const installed = join(folder, 'node_modules/@kobo/cli')
  assert.deepEqual(readdirSync(installed, { recursive: true }).sort(), [
    ...['dist', 'dist/bin', 'dist/bin/kobo.js', 'package.json', 'readme.md'],
  ])
  const { dependencies, version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  assert.equal(dependencies, undefined)

  const kobo = (...args: string[]) =>
    run(join(folder, 'node_modules/.bin/kobo'), args, { cwd: folder }).then(
      ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    )
  assert.equal((await kobo('--version')).stdout, `${version}\n`)
  const { stdout: help } = await kobo('--help')
  const listed = [...help.matchAll(/^ {2}(\S+(?: \w+)?) {2}/gm)].map(([, words]) => words)
  const all = ['listen', 'trigger', 'pay', 'clock', 'inbox', 'logs tail', 'fixtures', 'check-integration']
  assert.deepEqual(listed, all)

  const keys = join(folder, 'keys.json')
  writeFileSync(keys, JSON.stringify((await aShop()).credentials))
  for (const major of ['20', '22', '24'])
    await t.test(`Node ${major}`, async (nested) => {
      const node = await nodeOf(major)
      if ('missing' in node) return nested.skip(node.missing)
      const args = [join(folder, 'node_modules/.bin/kobo'), 'pay', '--credentials', keys]
      const { stdout, stderr } = await run(node.path, args, { cwd: folder })
      assert.equal(stderr, '')
      assert.equal(JSON.parse(stdout).paymentStatus, 'PAID')
    })

  assert.match((await kobo('pay', '--help')).stdout, /^Usage: kobo pay /m)
  const { code, stderr } = await kobo('pay')
  assert.equal(code, 2)
  assert.match(stderr, /^--credentials \(or KOBO_CREDENTIALS\) is required\.\nFILE .* holds the output of/)
})
