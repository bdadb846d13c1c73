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

/** The packed file. */
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

/** Caches downloaded Node versions between test runs. */
const FETCHED = fileURLToPath(new URL('../../node_modules/.cache/nodes/', import.meta.url))

/** Finds or downloads a Node of this major version, or returns why there is none. */
export async function nodeOf(major: string): Promise<{ readonly path: string } | { readonly missing: string }> {
  const onPath = (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, 'node'))
  const name = `node-${process.platform}-${process.arch}`
  const folder = join(FETCHED, major)
  const fetched = join(folder, 'node_modules', name, 'bin/node')
  for (const path of [process.execPath, ...onPath, ...NODES, fetched].filter((one) => one !== ''))
    if ((await majorOf(path)) === major) return { path }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{}')
  const problem = await npmInstall(folder, `${name}@${major}`)
  if (problem !== undefined)
    return { missing: `Node ${major} is not here, and ${problem}; KOBO_TEST_NODES may name it` }
  assert.equal(await majorOf(fetched), major)
  return { path: fetched }
}

const majorOf = (path: string): Promise<string | undefined> =>
  run(path, ['--version']).then(
    ({ stdout }) => /^v(\d+)\./.exec(stdout)?.[1],
    () => undefined,
  )
