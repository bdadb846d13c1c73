// Builds the pages of web/ into web/dist if their sources have changed. Plain JavaScript, since it runs before every npm
// command on the machine's own Node (20 or newer).
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const folder = fileURLToPath(new URL('.', import.meta.url))
const dist = `${folder}dist`

/** The languages of the customer's pages, one file each in ui/messages. */
const LANGUAGES = ['en', 'pcm', 'ha', 'yo', 'ig']

/** The browser's files by name, each with its maximum compressed size. */
const FILES = [
  { name: 'style.css', entry: 'ui/style.css', bytesMax: 8_000 },
  { name: 'checkout.js', entry: 'checkout/main.tsx', bytesMax: 24_000 },
  ...LANGUAGES.map((code) => ({ name: `words-${code}.js`, entry: `words ${code}`, bytesMax: 6_000 })),
  { name: 'simulator.js', entry: 'simulator/main.tsx', bytesMax: 60_000 },
  { name: 'shop.js', entry: 'shop/main.tsx', bytesMax: 60_000 },
  { name: 'plugin.js', entry: 'plugin/main.ts', bytesMax: 10_000 },
  { name: 'receipt.js', entry: 'receipt/main.ts', bytesMax: 4_000 },
  { name: 'receipt-worker.js', entry: 'receipt/worker.ts', bytesMax: 1_000 },
  { name: 'dashboard.css', entry: 'dashboard/dashboard.css', bytesMax: 12_000 },
]
/** The dashboard, whose screens are loaded on demand. `bytesMax` is for all files of one screen, with brotli. */
const SPLIT = { name: 'dashboard.js', entry: 'dashboard/main.tsx', bytesMax: 35_000 }
/** The files with which the gateway renders pages. */
const SERVER_FILES = [{ name: 'checkout-server.js', entry: 'checkout/server.tsx' }]

const HASH_LENGTH = 12
/** Customers' phones may be eight years old. */
const BROWSERS = ['es2018', 'chrome70', 'firefox78', 'safari14.1']
/** Dashboard users have a recent browser. */
const DESKTOP_BROWSERS = ['es2022', 'chrome111', 'firefox114', 'safari16.4']
const NOT_SOURCES = new Set(['dist', 'test', 'node_modules'])

/** @param {readonly (string | Buffer)[]} parts */
const hashOf = (...parts) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

/**
 * Lists every source file below a folder, sorted by name.
 * @param {string} path
 * @returns {string[]}
 */
function sourcesIn(path) {
  return readdirSync(`${folder}${path}`, { withFileTypes: true })
    .filter(({ name }) => !NOT_SOURCES.has(name) && !name.startsWith('.') && !name.startsWith('dist.'))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? sourcesIn(`${path}${entry.name}/`) : [`${path}${entry.name}`]))
}

/** A hash of all sources: the pages and the contract. */
function stampOfSources() {
  const sources = [...sourcesIn(''), ...sourcesIn('../contract/src/')]
  const parts = sources.flatMap((path) => [path, readFileSync(`${folder}${path}`)])
  return hashOf(...parts, readFileSync(`${folder}../package-lock.json`))
}

function stampOfBuild() {
  const manifest = `${dist}/manifest.json`
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).stamp : undefined
}

/**
 * Returns a bundle's entry: a file, or for `words ha` a script that sets the Hausa texts as a global.
 * @param {string} entry
 */
function entryOf(entry) {
  const [, code] = /^words (\w+)$/.exec(entry) ?? []
  if (code === undefined) return { entryPoints: [entry] }
  const file = JSON.stringify(`./ui/messages/${code}.ts`)
  // Imported by name, to leave out the texts that only the gateway uses.
  const contents = `import { ${code} } from ${file}; window.koboWords = ${code}`
  return { stdin: { contents, resolveDir: folder } }
}

/**
 * Bundles one file and returns its text.
 * @param {typeof import('esbuild')} esbuild
 * @param {string} entry
 * @param {boolean} forServer
 */
async function bundle(esbuild, entry, forServer) {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: folder,
    ...entryOf(entry),
    outdir: 'dist',
    bundle: true,
    minify: true,
    write: false,
    charset: 'utf8',
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'silent',
    ...(forServer
      ? { format: 'esm', platform: 'neutral', mainFields: ['module', 'main'], target: 'node20', minify: false }
      : { format: 'iife', target: BROWSERS }),
  })
  return Buffer.concat(outputFiles.map(({ contents }) => contents))
}

/**
 * Bundles the dashboard: its entry, and a file for each screen. The files import each other by name, so esbuild has to
 * put the hashes into the names.
 * @param {typeof import('esbuild')} esbuild
 */
async function bundleSplit(esbuild) {
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: folder,
    entryPoints: [SPLIT.entry],
    outdir: 'dist',
    entryNames: 'dashboard-[hash]',
    chunkNames: 'dashboard-[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    write: false,
    metafile: true,
    charset: 'utf8',
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'silent',
    target: DESKTOP_BROWSERS,
  })
  const made = Object.entries(metafile.outputs)
  const [entry] = made.find(([, { entryPoint }]) => entryPoint === SPLIT.entry) ?? ['']
  /**
   * Returns the files that a browser loads for a file: the file itself and all its imports.
   * @param {string} path
   * @returns {Set<string>}
   */
  const follow = (path, loaded = new Set()) => {
    if (loaded.has(path)) return loaded
    loaded.add(path)
    for (const { path: next, kind } of metafile.outputs[path]?.imports ?? [])
      if (kind === 'import-statement') follow(next, loaded)
    return loaded
  }
  const files = outputFiles.map(({ path, contents }) => {
    const file = path.slice(path.lastIndexOf('/') + 1)
    const content = Buffer.from(contents)
    return {
      name: entry.endsWith(`/${file}`) ? SPLIT.name : file,
      file,
      content,
      brotli: brotliCompressSync(content),
      gzip: gzipSync(content, { level: 9 }),
    }
  })
  const screens = (metafile.outputs[entry]?.imports ?? []).filter(({ kind }) => kind === 'dynamic-import')
  const sizes = screens.map(({ path }) => ({
    name: path,
    length: files
      .filter(({ file }) => [...follow(path, follow(entry))].some((one) => one.endsWith(`/${file}`)))
      .reduce((sum, { brotli }) => sum + brotli.length, 0),
    bytesMax: SPLIT.bytesMax,
  }))
  return { files, sizes }
}

/** Builds if the sources have changed; returns the files' sizes, or undefined if the build was current. */
export async function build() {
  const stamp = stampOfSources()
  if (stampOfBuild() === stamp) return undefined
  const esbuild = await import('esbuild')
  const files = await Promise.all(
    FILES.map(async (file) => {
      const content = await bundle(esbuild, file.entry, false)
      const brotli = brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } })
      return { ...file, content, brotli, gzip: gzipSync(content, { level: 9 }) }
    }),
  )
  const { files: split, sizes } = await bundleSplit(esbuild)
  const tooLarge = [...files.map(({ gzip, ...file }) => ({ ...file, length: gzip.length })), ...sizes].filter(
    ({ length, bytesMax }) => length > bytesMax,
  )
  if (tooLarge.length > 0)
    throw new Error(
      tooLarge
        .map(({ name, length, bytesMax }) => `${name} has ${length} bytes compressed; ${bytesMax} are allowed`)
        .join('\n'),
    )
  // Built in a temporary folder and then moved, so that no process reads half a build.
  const fresh = `${dist}.${process.pid}`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh)
  /** @type {Record<string, string>} */
  const addresses = {}
  const named = files.map((one) => ({
    ...one,
    file: one.name.replace(/\.(\w+)$/, `-${hashOf(one.content).slice(0, HASH_LENGTH)}.$1`),
  }))
  for (const { name, file, content, brotli, gzip } of [...named, ...split]) {
    writeFileSync(`${fresh}/${file}`, content)
    writeFileSync(`${fresh}/${file}.br`, brotli)
    writeFileSync(`${fresh}/${file}.gz`, gzip)
    addresses[name] = file
  }
  for (const { name, entry } of SERVER_FILES) writeFileSync(`${fresh}/${name}`, await bundle(esbuild, entry, true))
  writeFileSync(`${fresh}/manifest.json`, JSON.stringify({ stamp, files: addresses }))
  rmSync(dist, { recursive: true, force: true })
  try {
    renameSync(fresh, dist)
  } catch {
    rmSync(fresh, { recursive: true, force: true }) // another process finished the same build first
  }
  return [...files, ...split].map(({ name, content, brotli, gzip }) => ({
    name,
    bytes: content.length,
    brotliBytes: brotli.length,
    gzipBytes: gzip.length,
  }))
}

/** @param {number} bytes */
const kilobytes = (bytes) => `${(bytes / 1_000).toFixed(1)} kB`

/** Builds, and reports it on stderr. */
export async function buildAndReport() {
  const built = await build()
  if (built !== undefined) process.stderr.write(`Built the pages (${built.length} files).\n`)
}

/** Builds, and prints the size of each file. */
async function buildAndMeasure() {
  for (const { name, bytes, brotliBytes, gzipBytes } of (await build()) ?? [])
    process.stderr.write(
      `Built ${name}: ${kilobytes(bytes)}, ${kilobytes(gzipBytes)} as gzip, ${kilobytes(brotliBytes)} as brotli\n`,
    )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildAndMeasure()
