import { execFile } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import type * as Sdk from '../src/index.ts'

const run = promisify(execFile)
const SDK = fileURLToPath(new URL('..', import.meta.url))

let packed: Promise<string> | undefined

/** A folder in which the packed SDK is installed, as a merchant has it: made once for all tests of this process. */
export function withPackedSdk(): Promise<string> {
  packed ??= pack()
  return packed
}

/** Packs in a folder of its own, since tests of other processes pack at the same time. */
async function pack(): Promise<string> {
  const folder = ownFolder('sdk')
  const made = join(folder, 'made')
  mkdirSync(made)
  for (const file of ['package.json', 'readme.md']) cpSync(join(SDK, file), join(made, file))
  await run(process.execPath, ['src/packing/build.ts', made], { cwd: SDK })
  const { stdout } = await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
    cwd: made,
  })
  const file = stdout.trim().split('\n').at(-1) ?? ''
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

/** The Nodes of this machine, by their major version. */
export async function nodesHere(): Promise<ReadonlyMap<string, string>> {
  const onPath = (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, 'node'))
  const found = new Map<string, string>()
  for (const path of [process.execPath, ...onPath, ...NODES].filter((one) => one !== '')) {
    const version = await run(path, ['--version']).then(
      ({ stdout }) => /^v(\d+)\./.exec(stdout)?.[1],
      () => undefined,
    )
    if (version !== undefined && !found.has(version)) found.set(version, path)
  }
  return found
}
