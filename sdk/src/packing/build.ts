import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build as bundle, type Plugin } from 'esbuild'
import { ENDPOINTS } from '../endpoints.ts'
import { declarations } from './declarations.ts'

const FOLDER = fileURLToPath(new URL('../..', import.meta.url))
/** The output folder: in the given folder, or in this package. */
const DIST = join(process.argv[2] ?? FOLDER, 'dist')
const ENTRIES = ['index', 'events', 'inline', 'react'] as const
const TYPED = [...ENTRIES, 'call-types', 'connect', 'errors', 'webhook-handlers', 'verify-event']

/** Replaces the endpoints module with its values, so that no schema is packed. */
const valuesOnly: Plugin = {
  name: 'values only',
  setup: ({ onLoad }) =>
    onLoad({ filter: /sdk[\\/]src[\\/]endpoints\.ts$/ }, () => ({
      contents: `export const ENDPOINTS = ${JSON.stringify(ENDPOINTS)}`,
      loader: 'js',
    })),
}

/** Builds ES and CommonJS modules with their types. */
async function build(): Promise<void> {
  rmSync(DIST, { recursive: true, force: true })
  mkdirSync(DIST, { recursive: true })
  const options: BuildOptions = {
    absWorkingDir: FOLDER,
    platform: 'neutral',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  }
  await bundle({
    ...options,
    bundle: true,
    format: 'esm',
    plugins: [valuesOnly],
    external: ['react'],
    entryPoints: ENTRIES.map((name) => `src/${name}.ts`),
    outdir: DIST,
    splitting: true,
    sourcemap: true,
    chunkNames: 'shared-[hash]',
  })
  // Converted file by file, so that the CommonJS entries share one class of each error too.
  const built = readdirSync(DIST).filter((name) => name.endsWith('.js'))
  const entryPoints = built.map((name) => join(DIST, name))
  await bundle({ ...options, entryPoints, outdir: join(DIST, 'cjs'), format: 'cjs', sourcemap: true })
  writeTypes()
}

/** Generates the types. The compiler generates those of the modules, and `declarations` those of the API. */
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
  // The same types once more as CommonJS: TypeScript takes a declaration's module format from the nearest package.json.
  const cjs = join(DIST, 'cjs')
  for (const name of readdirSync(DIST)) if (name.endsWith('.d.ts')) cpSync(join(DIST, name), join(cjs, name))
  writeFileSync(join(cjs, 'package.json'), '{ "type": "commonjs" }\n')
}

await build()
