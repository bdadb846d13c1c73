import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { GROUPS } from '@kobo/contract'
import { aShop } from '../../gateway/test/harness/gateway.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { CALLS, type Call } from '../src/calls.ts'
import { nodeOf, withPackedSdk } from './packed.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PROGRAMS = join(ROOT, 'sdk/test/programs')

test('every route of the contract is in the SDK once, in its own group', () => {
  for (const [name, { routes }] of Object.entries(GROUPS)) {
    const calls: Readonly<Record<string, Call>> = CALLS[name as keyof typeof GROUPS]
    const offered = Object.values(calls).map(({ route }) => route.path + route.method)
    const declared = Object.values(routes).map(({ path, method }) => path + method)
    assert.deepEqual(offered.sort(), declared.sort(), name)
  }
})

slow('the package has only modules and types: no schemas, no Node modules, no dependencies', async () => {
  const folder = join(await withPackedSdk(), 'node_modules/@kobo/sdk')
  assert.deepEqual(readdirSync(folder).sort(), ['dist', 'package.json', 'readme.md'])
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  assert.equal(dependencies, undefined)
  const names = readdirSync(join(folder, 'dist'))
  assert.ok(names.includes('index.js') && names.includes('index.d.ts') && names.includes('events.js'))
  for (const name of names) {
    const text = readFileSync(join(folder, 'dist', name), 'utf8')
    const imported = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']/g)].map(([, from]) => from ?? '')
    assert.deepEqual(
      imported.filter((from) => !from.startsWith('./')),
      [],
      name,
    )
    assert.doesNotMatch(text, /\bprocess\.|\bBuffer\b|\brequire\(/, name)
  }
})

const PROGRAM_OPTIONS = {
  target: 'es2022',
  lib: ['es2024', 'dom', 'dom.asynciterable'],
  module: 'nodenext',
  allowJs: true,
  checkJs: true,
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  typeRoots: [join(ROOT, 'node_modules/@types')],
  types: ['node'],
  paths: { 'kobo-source': [join(ROOT, 'sdk/src/index.ts')] },
}

slow('the packed types compile in strict mode, accept only valid calls and match the contract', async () => {
  const folder = await withPackedSdk()
  for (const name of ['journey.js', 'types.ts']) cpSync(join(PROGRAMS, name), join(folder, name))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const options = { compilerOptions: PROGRAM_OPTIONS, files: ['journey.js', 'types.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options))
  const { stdout } = await run('tsc', ['-p', folder, '--checkers', '1']).catch((error) => error)
  assert.equal(stdout, '')
})

for (const [major, mark] of [
  ['20', slow],
  ['22', slow],
  ['24', test],
] as const)
  mark(`a shop sells, is told, pays back and is refused with the packed SDK on Node ${major}`, async (t) => {
    const node = await nodeOf(major)
    if ('missing' in node) return t.skip(node.missing)
    const folder = await withPackedSdk()
    cpSync(join(PROGRAMS, 'journey.js'), join(folder, 'journey.mjs'))
    const { baseUrl, apiKey, secretKey, contractCode } = (await aShop()).credentials
    const { stdout } = await run(node.path, [join(folder, 'journey.mjs')], {
      env: { BASE_URL: baseUrl, API_KEY: apiKey, SECRET_KEY: secretKey, CONTRACT_CODE: contractCode, RUN: major },
    })
    assert.match(stdout, new RegExp(`^sold on Node ${major}\\.`))
  })
