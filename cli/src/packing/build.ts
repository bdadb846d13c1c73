import { join, relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'

const SOURCES = fileURLToPath(new URL('..', import.meta.url))
/** The output folder: the given one, or cli/package. */
const FOLDER = process.argv[2] ?? fileURLToPath(new URL('../../package', import.meta.url))

/** Modules that work only in a clone, and the modules that replace them in the package. */
const REPLACED: Readonly<Record<string, string>> = {
  'commands/index.ts': 'packing/commands.ts',
  'commands/developer/own-credentials.ts': 'packing/own-credentials.ts',
  'program.ts': 'packing/program.ts',
}

/** Matches the modules that are packed. The gateway needs other packages too, but the packed commands do not. */
const CONTAINED = /^[./]|^(node:|@kobo\/|typebox)/

/** Declares that loading a module has no effect, so that the bundler leaves out unused modules. */
const withoutGateway: Plugin = {
  name: 'without the gateway',
  setup: ({ onResolve, resolve }) =>
    onResolve({ filter: /./ }, async ({ path, pluginData, importer, resolveDir, kind }) => {
      if (pluginData === 'resolved' || kind === 'entry-point') return undefined
      if (!CONTAINED.test(path)) return { path, external: true, sideEffects: false }
      const found = await resolve(path, { importer, resolveDir, kind, pluginData: 'resolved' })
      if (found.external || found.errors.length > 0) return found
      const replaced = REPLACED[relative(SOURCES, found.path)]
      return { path: replaced === undefined ? found.path : join(SOURCES, replaced), sideEffects: false }
    }),
}

await build({
  entryPoints: [join(SOURCES, 'main.ts')],
  outfile: join(FOLDER, 'dist/bin/kobo.js'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
  banner: { js: '#!/usr/bin/env node' },
  plugins: [withoutGateway],
})
