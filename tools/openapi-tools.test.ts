import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ownFolder } from '../gateway/test/harness/clear-up.ts'
import { slow } from '../gateway/test/harness/slow.ts'
import { npmInstall } from '../sdk/test/npm.ts'

const run = promisify(execFile)
const PACKAGES = ['@apidevtools/swagger-parser@13', 'openapi-typescript@7', 'orval@7', 'typescript@5']

slow('a validator and the generators openapi-typescript and orval accept openapi.json', async (t) => {
  const folder = ownFolder('openapi')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const problem = await npmInstall(folder, ...PACKAGES)
  if (problem !== undefined) return t.skip(problem)
  copyFileSync(fileURLToPath(new URL('../contract/openapi.json', import.meta.url)), join(folder, 'openapi.json'))
  const at = (command: string, ...args: readonly string[]) => run(command, args, { cwd: folder, maxBuffer: 10_000_000 })
  const bin = (name: string): string => join(folder, 'node_modules/.bin', name)

  const validate = `import Parser from '@apidevtools/swagger-parser'; await Parser.validate('openapi.json')`
  await at(process.execPath, '--input-type=module', '-e', validate)
  await at(bin('openapi-typescript'), 'openapi.json', '--output', 'types.ts')
  await at(bin('orval'), '--input', 'openapi.json', '--output', 'client.ts', '--client', 'fetch')
  const options = ['--strict', '--skipLibCheck', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable']
  const { stdout } = await at(
    bin('tsc'),
    ...['types.ts', 'client.ts', ...options, '--module', 'esnext', '--moduleResolution', 'bundler'],
  ).catch((error) => error)
  assert.equal(stdout, '')
  const paths = Object.keys(JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8')).paths)
  const types = readFileSync(join(folder, 'types.ts'), 'utf8')
  assert.deepEqual(
    paths.filter((path) => !types.includes(`"${path}": {`)),
    [],
  )
})
