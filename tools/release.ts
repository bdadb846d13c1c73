import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'

const HELP = `Prepares a version: sets its number everywhere, dates its section of the changelog with upgrade notes, commits, tags, and
writes the files to publish. Nothing is pushed.

Usage: npm run release -- VERSION [--out FOLDER] [--dry-run]
       npm run release -- --artifacts FOLDER

  VERSION             such as 0.2.0, not older than the present one
  --out FOLDER        where the files go (release/VERSION)
  --dry-run           says what it would do, and does nothing
  --artifacts FOLDER  writes only the files, of the version that is checked out
`

/** A mistake of the caller. It is reported without a stack trace. */
class ReleaseError extends Error {}

const ROOT = process.cwd()
const VERSION = /^\d{1,4}\.\d{1,4}\.\d{1,4}$/
const CHANGELOG = 'CHANGELOG.md'
const PREVIOUS = 'gateway/test/harness/previous-version.ts'
const MIGRATIONS = 'gateway/migrations'
/** Marks a migration that every running program must know. */
const MUST_KNOW = '-- Every program must know this:'
/** Files that contain our version, in addition to every package.json. */
const VERSIONED = [
  'package-lock.json',
  'README.md',
  'cli/src/commands/developer/mcp.ts',
  'contract/openapi.json',
  'deploy/helm/kobo/Chart.yaml',
  'docs/operate/deploy.md',
  'docs/reference/rails.md',
  'sdk/python/pyproject.toml',
  'sdk/readme.md',
]
/** SDKs that are published from their folder. */
const SDKS = ['go', 'php', 'python']

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 28 })
const git = (...args: readonly string[]): string => run('git', ...args).trim()
const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const presentVersion = (): string => (JSON.parse(read('package.json')) as { version: string }).version
const rank = (version: string): number => version.split('.').reduce((sum, part) => sum * 10_000 + Number(part), 0)

/** Replaces our version in a file: in our own packages, the chart, commands and file names, but nowhere else. */
function withVersion(path: string, text: string, old: string, version: string): string {
  if (path === 'package-lock.json') return lockWithVersion(text, version)
  const before = '"version": "|"@kobo/\\w+": "|version = "|version: \'?|appVersion: |kobo:|@kobo/connectors |kobo-sdk-'
  const numbered = text.replace(new RegExp(`(${before})${old.replaceAll('.', '\\.')}\\b`, 'g'), `$1${version}`)
  return path === 'README.md'
    ? numbered.replace(/^\*\*Status\*\*: version .*?\. /m, `**Status**: version ${version}. `)
    : numbered
}

function lockWithVersion(text: string, version: string): string {
  const lock = JSON.parse(text) as { version: string; packages: Record<string, Record<string, unknown>> }
  lock.version = version
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path.includes('node_modules/')) continue
    entry['version'] = version
    for (const kind of ['dependencies', 'devDependencies'])
      for (const name of Object.keys((entry[kind] ?? {}) as object))
        if (name.startsWith('@kobo/')) (entry[kind] as Record<string, string>)[name] = version
  }
  return `${JSON.stringify(lock, null, 2)}\n`
}

/** The tags of versions, oldest first. */
const releases = (): readonly string[] => lines(git('tag', '--list', 'v*', '--sort=v:refname'))

/**
 * Finds the oldest version whose nodes can run next to this one: the first with every migration they must know.
 */
function oldestUpgradable(): string | undefined {
  const needed = readdirSync(join(ROOT, MIGRATIONS))
    .map((name) => `${MIGRATIONS}/${name}`)
    .filter((path) => read(path).includes(MUST_KNOW))
  return releases().find((tag) => {
    const known = new Set(lines(git('ls-tree', '--name-only', tag, `${MIGRATIONS}/`)))
    return needed.every((path) => known.has(path))
  })
}

function upgradeNotes(): string {
  const oldest = oldestUpgradable()
  const last = releases().at(-1)
  if (last === undefined) return 'The first version: start with an empty database.'
  if (oldest === undefined) return `Stop all nodes first: no version up to ${last.slice(1)} can run next to this one.`
  const before = new Set(lines(git('ls-tree', '--name-only', last, `${MIGRATIONS}/`)))
  const added = readdirSync(join(ROOT, MIGRATIONS)).filter((name) => !before.has(`${MIGRATIONS}/${name}`)).length
  return `From ${oldest.slice(1)} or newer, without downtime ([how](docs/operate/upgrades.md)). Nodes of an older version cannot run next to this one: upgrade to ${oldest.slice(1)} first. Migrations since ${last.slice(1)}: ${added}.`
}

const UNRELEASED = /^## \[(?:Unreleased|\d+\.\d+\.\d+\] - unreleased)\]?.*$/m

/** Returns the changelog with the unreleased section renamed to this version. */
function datedChangelog(text: string, version: string, day: string): string {
  const heading = UNRELEASED.exec(text)
  if (heading === null || text.slice(0, heading.index).includes('\n## '))
    throw new ReleaseError(`${CHANGELOG} has no unreleased section at its top. Add "## [Unreleased]" and what changed.`)
  return text.replace(heading[0], `## [${version}] - ${day}\n\n**Upgrade**: ${upgradeNotes()}`)
}

/** A version's section of the changelog, without its heading. */
function sectionOf(text: string, version: string): string {
  const [, ...rest] = text.split(`## [${version}]`)
  return (rest.join('').split(/\n## \[/)[0] ?? '').replace(/^.*\n/, '').trim()
}

/** Every changed file with its new text. */
function prepare(version: string): ReadonlyMap<string, string> {
  const old = presentVersion()
  const paths = [...lines(git('ls-files', 'package.json', '*/package.json')), ...VERSIONED]
  const changed = new Map(paths.map((path) => [path, withVersion(path, read(path), old, version)]))
  changed.set(CHANGELOG, datedChangelog(read(CHANGELOG), version, run('date', '-u', '+%F').trim()))
  const last = releases().at(-1)
  if (last !== undefined) changed.set(PREVIOUS, read(PREVIOUS).replace(/(PREVIOUS_VERSION = ')[^']+/, `$1${last}`))
  return new Map([...changed].filter(([path, text]) => text !== read(path)))
}

function check(version: string): void {
  if (!VERSION.test(version)) throw new ReleaseError(`"${version}" is not a version such as 0.2.0.`)
  const present = presentVersion()
  if (rank(version) < rank(present)) throw new ReleaseError(`${version} is older than the present version, ${present}.`)
  if (releases().includes(`v${version}`)) throw new ReleaseError(`${version} is released: the tag v${version} exists.`)
  const dirty = lines(git('status', '--porcelain'))
  if (dirty.length > 0)
    throw new ReleaseError(`The clone has changes: commit or remove them first.\n${dirty.slice(0, 20).join('\n')}`)
}

/** Writes the files to publish, with checksums: packages, chart, source (the image's context), SBOM and notes. */
function writeArtifacts(folder: string): readonly string[] {
  mkdirSync(folder, { recursive: true })
  if (readdirSync(folder).length > 0) throw new ReleaseError(`${folder} is not empty.`)
  const version = presentVersion()
  run('npm', 'pack', '--silent', '--workspace', 'sdk', '--pack-destination', folder)
  run('npm', 'pack', '--silent', './cli/package', '--pack-destination', folder)
  const archive = (name: string, tree: string): string =>
    git('archive', `--prefix=${name}-${version}/`, '-o', join(folder, `${name}-${version}.tar.gz`), tree)
  archive('kobo', 'HEAD')
  for (const sdk of SDKS) archive(`kobo-sdk-${sdk}`, `HEAD:sdk/${sdk}`)
  // The chart links to the alerts, so links are followed (-h).
  run('tar', '-chzf', join(folder, `kobo-chart-${version}.tgz`), '-C', 'deploy/helm', 'kobo')
  const sbom = ['sbom', '--silent', '--package-lock-only', '--sbom-format=cyclonedx']
  writeFileSync(join(folder, `kobo-${version}.sbom.json`), run('npm', ...sbom))
  writeFileSync(join(folder, 'NOTES.md'), `# Kobo ${version}\n\n${sectionOf(read(CHANGELOG), version)}\n`)
  const names = readdirSync(folder).toSorted()
  const sums = names.map((name) => {
    const hash = createHash('sha256').update(readFileSync(join(folder, name)))
    return `${hash.digest('hex')}  ${name}\n`
  })
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
  return [...names, 'SHA256SUMS']
}

function release(version: string, folder: string, isDry: boolean): string {
  check(version)
  const changed = prepare(version)
  const files = [...changed.keys()].map((path) => `  ${path}\n`).join('')
  if (isDry) return `Would change, commit and tag v${version}:\n${files}Would write to ${folder}. Nothing was done.\n`
  if (existsSync(folder)) throw new ReleaseError(`${folder} exists: remove it, or choose another --out.`)
  for (const [path, text] of changed) writeFileSync(join(ROOT, path), text)
  git('commit', '--quiet', '--all', '--message', `Release ${version}`)
  git('tag', '--annotate', `v${version}`, '--message', `Kobo ${version}`)
  const names = writeArtifacts(folder)
  return `Committed and tagged v${version}:\n${files}Written to ${folder}:\n${names.map((name) => `  ${name}\n`).join('')}
Next: run .ci/run, then push the commit and the tag. docs/operate/releasing.md has the rest.\n`
}

function main(): string {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: 'string' },
      artifacts: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return HELP
  if (values.artifacts !== undefined) return `${writeArtifacts(resolve(values.artifacts)).join('\n')}\n`
  const [version = '', ...more] = positionals
  if (version === '' || more.length > 0) throw new ReleaseError('Name one version: npm run release -- 0.2.0')
  return release(version, resolve(values.out ?? join('release', version)), values['dry-run'])
}

try {
  process.stdout.write(main())
} catch (error) {
  if (!(error instanceof ReleaseError) && (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') !== true)
    throw error
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
