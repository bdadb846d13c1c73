import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import type * as Sdk from '../src/index.ts'
import { packSdk } from '../src/packing/pack.ts'
import { npmInstall } from './npm.ts'

const run = promisify(execFile)

let packed: Promise<string> | undefined

/** A folder with the packed SDK installed, created once per process. */
export function withPackedSdk(): Promise<string> {
  packed ??= pack()
  return packed
}

export async function packedFile(): Promise<string> {
  const folder = await withPackedSdk()
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '')
}

async function pack(): Promise<string> {
  const folder = ownFolder('sdk')
  const file = await packSdk(folder)
  const installed = join(folder, 'node_modules/@kobo/sdk')
  mkdirSync(installed, { recursive: true })
  await run('tar', ['-xzf', join(folder, file), '-C', installed, '--strip-components=1'])
  return folder
}

/** The packed SDK, loaded into this process. */
export async function packedSdk(): Promise<typeof Sdk> {
  const entry = join(await withPackedSdk(), 'node_modules/@kobo/sdk/dist/index.js')
  return import(pathToFileURL(entry).href)
}

const NODES = ['/usr/bin/node', '/usr/local/bin/node', ...(process.env['KOBO_TEST_NODES'] ?? '').split(':')]

/** Caches downloaded runtimes between test runs. */
const FETCHED = fileURLToPath(new URL('../../node_modules/.cache/nodes/', import.meta.url))

/** A program that runs JavaScript, or why there is none. */
export type Runtime = { readonly path: string; readonly args?: readonly string[] } | { readonly missing: string }

/** Finds or downloads a Node of this major version. */
export async function nodeOf(major: string): Promise<Runtime> {
  const onPath = (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, 'node'))
  const name = `node-${process.platform}-${process.arch}`
  const fetched = join(FETCHED, major, 'node_modules', name, 'bin/node')
  for (const path of [process.execPath, ...onPath, ...NODES, fetched].filter((one) => one !== ''))
    if ((await majorOf(path)) === major) return { path }
  const problem = await fetchPackage(major, `${name}@${major}`)
  if (problem !== undefined)
    return { missing: `Node ${major} is not here, and ${problem}; KOBO_TEST_NODES may name it` }
  assert.equal(await majorOf(fetched), major)
  return { path: fetched }
}

/** Downloads Deno or Bun, with the arguments to run a file with. */
export async function runtimeOf(version: string, ...args: readonly string[]): Promise<Runtime> {
  const [name = ''] = version.split('@')
  const problem = await fetchPackage(name, version)
  return problem === undefined ? { path: join(FETCHED, name, 'node_modules/.bin', name), args } : { missing: problem }
}

/** Installs a package into its own folder of the cache. */
function fetchPackage(name: string, version: string): Promise<string | undefined> {
  const folder = join(FETCHED, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{}')
  return npmInstall(folder, version)
}

const majorOf = (path: string): Promise<string | undefined> =>
  run(path, ['--version']).then(
    ({ stdout }) => /^v(\d+)\./.exec(stdout)?.[1],
    () => undefined,
  )
