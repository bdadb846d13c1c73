// Builds the pages of web/ into web/dist, when their sources have changed since the last build. Plain JavaScript, since it
// runs before every npm command on whatever Node the machine has (20 or newer).
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const folder = fileURLToPath(new URL('.', import.meta.url))
const dist = `${folder}dist`

/** The languages of the payer's pages, one file each in ui/messages. */
const LANGUAGES = ['en', 'pcm', 'ha', 'yo', 'ig']

/** What a browser loads, by the name under which the gateway asks for it; with the most bytes that it may have once compressed. */
const FILES = [
  { name: 'style.css', entry: 'ui/style.css', bytesMax: 8_000 },
  { name: 'checkout.js', entry: 'checkout/main.tsx', bytesMax: 24_000 },
  ...LANGUAGES.map((code) => ({ name: `words-${code}.js`, entry: `words ${code}`, bytesMax: 6_000 })),
  { name: 'simulator.js', entry: 'simulator/main.tsx', bytesMax: 60_000 },
  { name: 'shop.js', entry: 'shop/main.tsx', bytesMax: 60_000 },
  { name: 'plugin.js', entry: 'plugin/main.ts', bytesMax: 10_000 },
  { name: 'dashboard.css', entry: 'dashboard/dashboard.css', bytesMax: 12_000 },
]
/** A page of many screens, each loaded when it is first opened; with the most bytes of what is loaded at once, compressed. */
const SPLIT = { name: 'dashboard.js', entry: 'dashboard/main.tsx', bytesMax: 60_000 }
/** What the gateway itself loads, to write a page's first state as HTML. */
const SERVER_FILES = [{ name: 'checkout-server.js', entry: 'checkout/server.tsx' }]

const HASH_LENGTH = 12
/** Phones that are eight years old still pay. */
const BROWSERS = ['es2018', 'chrome70', 'firefox78', 'safari14.1']
/** Those who work at a desk have a browser of the last years. */
const DESK_BROWSERS = ['es2022', 'chrome111', 'firefox114', 'safari16.4']
const NOT_SOURCES = new Set(['dist', 'test', 'node_modules'])

/** @param {readonly (string | Buffer)[]} parts */
const hashOf = (...parts) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

/**
 * Every source file, in one order.
 * @param {string} path
 * @returns {string[]}
 */
function sourcesIn(path) {
  return readdirSync(`${folder}${path}`, { withFileTypes: true })
    .filter(({ name }) => !NOT_SOURCES.has(name) && !name.startsWith('.') && !name.startsWith('dist.'))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? sourcesIn(`${path}${entry.name}/`) : [`${path}${entry.name}`]))
}

/** Stands for all that a build is made from: the pages, and the client that they have from the contract. */
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
 * What a bundle starts from: a file, or for `words ha` those words, left where the page's script finds them.
 * @param {string} entry
 */
function entryOf(entry) {
  const [, code] = /^words (\w+)$/.exec(entry) ?? []
  if (code === undefined) return { entryPoints: [entry] }
  const file = JSON.stringify(`./ui/messages/${code}.ts`)
  // Imported by name, so that what only the gateway says is left out.
  const contents = `import { ${code} } from ${file}; window.koboWords = ${code}`
  return { stdin: { contents, resolveDir: folder } }
}

/**
 * Bundles one file; answers its text.
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
 * Bundles a page of many screens: its entry, and a file for each that is loaded later. They name each other, so their names
 * hold their hashes already.
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
    target: DESK_BROWSERS,
  })
  const made = Object.entries(metafile.outputs)
  const [entry] = made.find(([, { entryPoint }]) => entryPoint === SPLIT.entry) ?? ['']
  /** @type {Set<string>} */
  const atOnce = new Set()
  /** @param {string} path */
  const follow = (path) => {
    if (atOnce.has(path)) return
    atOnce.add(path)
    for (const { path: next, kind } of metafile.outputs[path]?.imports ?? [])
      if (kind === 'import-statement') follow(next)
  }
  follow(entry)
  return outputFiles.map(({ path, contents }) => {
    const file = path.slice(path.lastIndexOf('/') + 1)
    const content = Buffer.from(contents)
    return {
      name: entry.endsWith(`/${file}`) ? SPLIT.name : file,
      file,
      content,
      brotli: brotliCompressSync(content),
      gzip: gzipSync(content, { level: 9 }),
      isAtOnce: [...atOnce].some((one) => one.endsWith(`/${file}`)),
    }
  })
}

/** Builds what has changed; answers how large the files are once compressed, or undefined where all was current. */
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
  const split = await bundleSplit(esbuild)
  const atOnce = split.filter(({ isAtOnce }) => isAtOnce).reduce((sum, { gzip }) => sum + gzip.length, 0)
  const tooLarge = [...files, { ...SPLIT, gzip: { length: atOnce } }].filter(
    ({ gzip, bytesMax }) => gzip.length > bytesMax,
  )
  if (tooLarge.length > 0)
    throw new Error(
      tooLarge
        .map(({ name, gzip, bytesMax }) => `${name} has ${gzip.length} bytes compressed; ${bytesMax} are allowed`)
        .join('\n'),
    )
  // Made beside and then moved into place, so that nobody reads half a build.
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
    rmSync(fresh, { recursive: true, force: true }) // another process was a moment faster, with the same sources
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

/** Builds, and tells on the error stream that it has. */
export async function buildAndTell() {
  const built = await build()
  if (built !== undefined) process.stderr.write(`Built the pages (${built.length} files).\n`)
}

/** Builds, and tells how large each file is. */
async function buildAndMeasure() {
  for (const { name, bytes, brotliBytes, gzipBytes } of (await build()) ?? [])
    process.stderr.write(
      `Built ${name}: ${kilobytes(bytes)}, ${kilobytes(gzipBytes)} as gzip, ${kilobytes(brotliBytes)} as brotli\n`,
    )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildAndMeasure()
