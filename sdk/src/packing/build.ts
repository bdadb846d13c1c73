import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build as bundle, type Plugin } from 'esbuild'
import { ENDPOINTS } from '../endpoints.ts'
import { declarations } from './declarations.ts'

const FOLDER = fileURLToPath(new URL('../..', import.meta.url))
/** The output folder: the given one, or this package's. */
const DIST = join(process.argv[2] ?? FOLDER, 'dist')
const ENTRIES = ['index', 'events']
/** The modules with exported types. */
const TYPED = ['index', 'events', 'call-types', 'connect', 'errors', 'webhook-handlers', 'verify-event']
/** The size limit for edge functions. */
const GZIP_BYTES_MAX = 10_000

/** Replaces the endpoints module with its values, so that no schema is packed. */
const valuesOnly: Plugin = {
  name: 'values only',
  setup: ({ onLoad }) =>
    onLoad({ filter: /sdk[\\/]src[\\/]endpoints\.ts$/ }, () => ({
      contents: `export const ENDPOINTS = ${JSON.stringify(ENDPOINTS)}`,
      loader: 'js',
    })),
}

/** Builds a module per entry, their shared chunks and the types; returns the sizes. */
export async function build(): Promise<readonly { readonly name: string; readonly gzipBytes: number }[]> {
  rmSync(DIST, { recursive: true, force: true })
  mkdirSync(DIST, { recursive: true })
  await bundle({
    absWorkingDir: FOLDER,
    entryPoints: ENTRIES.map((name) => `src/${name}.ts`),
    outdir: DIST,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    chunkNames: 'shared-[hash]',
    logLevel: 'warning',
    plugins: [valuesOnly],
  })
  writeTypes()
  const sizes = readdirSync(DIST)
    .filter((name) => name.endsWith('.js'))
    .map((name) => ({ name, gzipBytes: gzipSync(readFileSync(join(DIST, name)), { level: 9 }).length }))
  const total = sizes.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0)
  if (total > GZIP_BYTES_MAX) throw new Error(`The SDK has ${total} bytes compressed; ${GZIP_BYTES_MAX} are allowed`)
  return sizes
}

/** Generates the types: those of the modules by the compiler, those of the API written out. */
function writeTypes(): void {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  const made = join(DIST, 'types')
  execFileSync(process.execPath, [tsc, '-p', FOLDER, '--outDir', made], { stdio: 'inherit' })
  for (const name of TYPED) {
    const text = readFileSync(join(made, `sdk/src/${name}.d.ts`), 'utf8')
    writeFileSync(join(DIST, `${name}.d.ts`), text.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"))
  }
  writeFileSync(join(DIST, 'api.d.ts'), declarations())
  rmSync(made, { recursive: true })
}

if (import.meta.main)
  for (const { name, gzipBytes } of await build()) process.stdout.write(`${name}: ${gzipBytes} bytes compressed\n`)
