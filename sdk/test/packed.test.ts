import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { GROUPS } from '@kobo/contract'
import { build } from 'esbuild'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { aShop } from '../../gateway/test/harness/gateway.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { CALLS, type Call } from '../src/calls.ts'
import { npmInstall } from './npm.ts'
import { nodeOf, packedFile, runtimeOf, withPackedSdk } from './packed.ts'

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
  const names = readdirSync(join(folder, 'dist'), { recursive: true }).map(String)
  for (const entry of ['index', 'events', 'inline', 'react'])
    for (const name of [`${entry}.js`, `${entry}.d.ts`])
      assert.ok(names.includes(name) && names.includes(`cjs/${name}`), name)
  for (const name of names.filter((one) => one.endsWith('.js'))) {
    const text = readFileSync(join(folder, 'dist', name), 'utf8')
    assert.match(text, /\n\/\/# sourceMappingURL=[\w-]+\.js\.map\n$/, name)
    const pattern = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["']([^"']+)["']/g
    const imported = [...text.matchAll(pattern)].map(([, from]) => from ?? '')
    assert.deepEqual(
      imported.filter((from) => !from.startsWith('./')),
      name.endsWith('react.js') ? ['react'] : [], // the shop's own React
      name,
    )
    assert.doesNotMatch(text, /\bprocess\.|\bBuffer\b/, name)
    assert.doesNotMatch(text, name.startsWith('cjs/') ? /^(import|export) /m : /\brequire\(/, name)
  }
})

/** The size limit of each entry, bundled and minified for a browser. */
const GZIP_BYTES_MAX = { index: 6_000, events: 2_000, inline: 1_000, react: 1_500 }

slow('the packed entries bundle for a browser within their size limits', async () => {
  const folder = join(await withPackedSdk(), 'node_modules/@kobo/sdk/dist')
  for (const [name, most] of Object.entries(GZIP_BYTES_MAX)) {
    const { outputFiles } = await build({
      entryPoints: [join(folder, `${name}.js`)],
      ...{ bundle: true, minify: true, write: false, format: 'esm', platform: 'browser', external: ['react'] },
    })
    const { length } = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 })
    assert.ok(length > 0 && length <= most, `${name} has ${length} bytes compressed; ${most} are allowed`)
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

/** The names that the readme leaves to its reader. */
const READERS_OWN = `
import type { CardsAuthorizeOtpRequest } from '@kobo/sdk'
declare const otp: CardsAuthorizeOtpRequest
declare const askAgain: () => void, markPaid: (paymentReference: string) => Promise<void>
declare const app: { post(path: string, handle: unknown): void; register(plugin: unknown): void }
declare const Deno: { serve(handle: (request: Request) => Promise<Response>): void }
`

const blocksOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^```ts\n(.*?)^```/gms)].map(([, block = '']) => block)

slow('the packed types compile in strict mode, accept only valid calls and match the contract', async () => {
  const folder = await withPackedSdk()
  for (const name of ['journey.js', 'types.ts']) cpSync(join(PROGRAMS, name), join(folder, name))
  writeFileSync(join(folder, 'readme.ts'), READERS_OWN + blocksOf(join(ROOT, 'sdk/readme.md')).join('\n'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const options = { compilerOptions: PROGRAM_OPTIONS, files: ['journey.js', 'types.ts', 'readme.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options))
  const { stdout } = await run('tsc', ['-p', folder, '--checkers', '1']).catch((error) => error)
  assert.equal(stdout, '')
})

slow('a CommonJS project in TypeScript compiles with node16 and node10 resolution, and runs', async (t) => {
  const folder = ownFolder('commonjs')
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }')
  cpSync(join(PROGRAMS, 'commonjs.ts'), join(folder, 'commonjs.ts'))
  // TypeScript 5 is the last version with node10 resolution.
  const problem = await npmInstall(folder, 'typescript@5', await packedFile())
  if (problem !== undefined) return t.skip(problem)
  const common = ['commonjs.ts', '--strict', '--target', 'es2022']
  for (const settings of [
    ['--module', 'node16'],
    ['--module', 'commonjs', '--moduleResolution', 'node10'],
  ]) {
    const args = [join(folder, 'node_modules/typescript/bin/tsc'), ...common, ...settings]
    const { stdout } = await run(process.execPath, args, { cwd: folder }).catch((error) => error)
    assert.equal(stdout, '', settings.join(' '))
    const shown = await run(process.execPath, ['commonjs.js'], { cwd: folder })
    assert.equal(shown.stdout, 'InvalidSignature true\n')
  }
})

slow('a NestJS project in CommonJS with the packed SDK opens a payment and receives its webhook', async (t) => {
  const folder = ownFolder('nest')
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }')
  cpSync(join(PROGRAMS, 'nest.ts'), join(folder, 'nest.ts'))
  const nest = ['@nestjs/common@11', '@nestjs/core@11', '@nestjs/platform-express@11', 'reflect-metadata', 'rxjs@7']
  const problem = await npmInstall(folder, ...nest, 'typescript@5', '@types/node@24', await packedFile())
  if (problem !== undefined) return t.skip(problem)
  // As the Nest CLI compiles.
  const options = [
    '--module',
    'commonjs',
    '--target',
    'es2023',
    '--esModuleInterop',
    '--experimentalDecorators',
    '--emitDecoratorMetadata',
  ]
  const tsc = [join(folder, 'node_modules/typescript/bin/tsc'), 'nest.ts', '--strict', '--skipLibCheck', ...options]
  const { stdout } = await run(process.execPath, tsc, { cwd: folder }).catch((error) => error)
  assert.equal(stdout, '')
  const sold = await run(process.execPath, ['nest.js'], { cwd: folder, env: await keysOf('nest') })
  assert.equal(sold.stdout, 'sold with NestJS\n')
})

/** A shop's keys for the program journey.js. */
async function keysOf(name: string): Promise<NodeJS.ProcessEnv> {
  const { baseUrl, apiKey, secretKey, contractCode } = (await aShop()).credentials
  const keys = { BASE_URL: baseUrl, API_KEY: apiKey, SECRET_KEY: secretKey, CONTRACT_CODE: contractCode }
  return { ...process.env, ...keys, RUN: name }
}

/** Node versions and other runtimes, and how to run a program with each. */
const RUNTIMES = {
  'Node 20': async () => nodeOf('20'),
  'Node 22': async () => nodeOf('22'),
  'Node 24': async () => nodeOf('24'),
  Deno: async () => runtimeOf('deno@2', 'run', '--allow-all', '--node-modules-dir=manual', '--no-lock'),
  Bun: async () => runtimeOf('bun@1'),
}

for (const [runtime, find] of Object.entries(RUNTIMES))
  slow(`a shop sells, gets webhooks, refunds and gets an error with the packed SDK on ${runtime}`, async (t) => {
    const found = await find()
    if ('missing' in found) return t.skip(found.missing)
    const folder = await withPackedSdk()
    cpSync(join(PROGRAMS, 'journey.js'), join(folder, 'journey.mjs'))
    const args = [...(found.args ?? []), join(folder, 'journey.mjs')]
    const { stdout } = await run(found.path, args, { cwd: folder, env: await keysOf(runtime.replace(' ', '-')) })
    assert.match(stdout, /^sold on Node \d+\./)
    if (runtime.startsWith('Node')) assert.ok(stdout.startsWith(`sold on ${runtime}.`), stdout)
  })
