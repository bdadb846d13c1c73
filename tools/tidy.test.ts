import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { DASHBOARD_ROUTES, ROUTES } from '@kobo/contract'
import { FOUNDATION_VERSION, MUST_BE_KNOWN } from '../gateway/src/platform/migrate.ts'

/** Who may import whom. A part not named on the right of its own line is out of reach. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  contract: [],
  platform: ['kernel', 'contract'],
  rails: ['kernel', 'platform'], // the adapter's rails post, sign and check; the simulated ones have a memory
  core: ['kernel', 'contract', 'platform', 'rails'],
  features: ['kernel', 'contract', 'platform', 'core', 'rails'],
  app: ['kernel', 'contract', 'platform', 'core', 'rails', 'features'],
  main: ['platform', 'app'],
  connectors: ['kernel', 'platform', 'rails'], // the process of rails/, which knows nothing of the books
  cli: ['kernel', 'contract', 'platform', 'core', 'features', 'app', 'main', 'connectors', 'tools', 'sdk'], // the command installs what is missing, as npm start does; packs the SDK for samples
  bench: ['contract', 'kernel', 'platform', 'app'],
  sdk: ['contract'],
  tools: ['contract', 'platform', 'core', 'rails', 'web', 'cli', 'sdk'], // generated pages tell of all of them
  web: ['contract'],
}

/** Which feature may call which. */
const FEATURE_MAY_CALL: Readonly<Record<string, readonly string[]>> = {
  'bank-transfer': ['transactions'],
  refunds: ['transactions'],
  disputes: ['refunds', 'transactions'],
  settlements: ['transactions'],
  'cash-collections': ['transactions'],
  'direct-debit': ['transactions'],
  invoices: ['reserved-accounts', 'transactions'],
  'reserved-accounts': ['limit-profiles', 'transactions'],
  checkout: ['bank-transfer', 'cards', 'returns', 'transactions'],
  cards: ['transactions'],
  'payment-links': ['transactions'],
  recurring: ['cards', 'transactions'],
  reconciliation: ['returns'],
  reports: ['settlements'],
  sandbox: ['event-log', 'settings'],
  operator: ['disputes', 'event-log', 'overview', 'returns', 'settings', 'sign-in', 'transactions'],
  team: ['sign-in'],
  overview: [
    'bills',
    'cards',
    'direct-debit',
    'disbursements',
    'invoices',
    'limit-profiles',
    'paycodes',
    'payment-links',
    'disputes',
    'refunds',
    'reserved-accounts',
    'settlements',
    'transactions',
  ],
}

/** What a file of a feature may not import from its own folder: routes, then service, then repository; two are leaves. */
const OUT_OF_REACH_IN_FEATURE: Readonly<Record<string, RegExp>> = {
  'service.ts': /^routes\.ts$/,
  'repository.ts': /^(routes|service)\.ts$/,
  'machine.ts': /./,
  'errors.ts': /./,
}

/** What may be reached beside the index.ts of its folder. */
const SIDE_DOORS: readonly RegExp[] = [
  /^contract\/src\/(client|openapi|openapi-schema)\.ts$/,
  /^gateway\/src\/rails\/[\w-]+\.ts$/, // each rail is an interface of its own
]

interface Place {
  readonly what: string
  readonly pattern: RegExp
  /** The files that may have it, and why where that does not go without saying. */
  readonly only: readonly (string | RegExp)[]
}

const REPOSITORY = /^gateway\/src\/features\/[\w-]+\/([\w-]+-)?repository\.ts$/

/** What has its one place. Tests may do as they like. */
const PLACES: readonly Place[] = [
  {
    what: 'SQL',
    pattern: /\b(tx|db|sql)\s*(<[^`]*?\[\]>)?`|\.query\(/,
    only: [
      /^gateway\/src\/(core|platform)\//,
      'gateway/src/rails/simulated/book.ts', // the simulated world has a memory of its own
      REPOSITORY,
      /^gateway\/src\/features\/[\w-]+\/ledger-questions\.ts$/, // what proves the books looks into all of them
      'bench/src/at-size.ts', // very many rows, made at once
      'bench/src/citus.ts', // databases on several servers
      'bench/src/cost.ts', // what the server has spent and stores
      'bench/src/long-snapshot.ts',
      'bench/src/main.ts',
      'bench/src/settlement.ts', // a day's payments, made at once
      'bench/src/statements.ts', // the same
    ],
  },
  {
    what: 'the environment',
    pattern: /\bprocess\.env\b|\benv\b[^\n]*from 'node:process'/,
    only: [
      'gateway/src/main.ts',
      'gateway/src/platform/embedded-postgres/cluster.ts', // passes PATH on, and nothing else
      'cli/bin/kobo.js', // passes all of it on
      'cli/src/main.ts',
      'rails/src/main.ts',
      'bench/src/gateway.ts',
      'bench/src/processes.ts',
      'tools/check.ts',
      'tools/pictures.ts',
      'tools/simulate.ts',
      'tools/chromium.js',
      'tools/prepare.js',
    ],
  },
  {
    what: 'the time',
    pattern: /\bDate\.now\b|\bnew Date\(\)|\bnew Date\b(?!\()/,
    only: ['gateway/src/kernel/clock.ts', 'sdk/src/verify-event.ts', 'web/ui/clock.ts'],
  },
  { what: 'Math.random', pattern: /\bMath\.random\b/, only: [] },
  {
    what: 'console',
    pattern: /\bconsole\./,
    only: [
      'gateway/src/app/home-page.ts', // a script that the page shows
    ],
  },
]

/** What one reads without losing the beginning. */
const FUNCTION_LINES_MAX = 70

const PACKAGES_WITH_BINARIES = ['@biomejs/cli-', '@embedded-postgres/', '@esbuild/', '@typescript/typescript-']
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NOT_OURS = new Set(['node_modules', '.git', 'data', 'dist'])
const IS_TEXT = /(^|\/)[^/.]+$|\.(ts|tsx|js|json|md|sql|csv|css|html|svg|yml|yaml)$|\/\.[^/]+$/

/** Every file of the repository, by its path with forward slashes. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : filesIn(path)
    return entry.isFile() ? [path] : []
  })
}

/** The folders in which a file is. */
const foldersOf = (path: string): readonly string[] =>
  path.includes('/') ? [dirname(path), ...foldersOf(dirname(path))] : []

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const FILES = filesIn('')
const TEXTS = FILES.filter((path) => IS_TEXT.test(path) && !path.endsWith('.log'))
const isTest = (path: string): boolean => /\/test\/|\.test\.tsx?$/.test(path)
const CODE = FILES.filter(
  (path) => /^(contract|gateway|rails|cli|bench|sdk|tools|web)\/.*\.(tsx?|js)$/.test(path) && !isTest(path),
)
const TESTS = FILES.filter(isTest)

/** The part of the product that a file belongs to. */
const partOf = (path: string): string =>
  /^gateway\/src\/(\w+)/.exec(path)?.[1] ?? (path.startsWith('rails/') ? 'connectors' : (path.split('/')[0] ?? ''))

/** The feature that a file belongs to, if any. */
const featureOf = (path: string): string | undefined => /^gateway\/src\/features\/([\w-]+)\//.exec(path)?.[1]

/** The files of ours that a file imports. */
const importsOf = (path: string): readonly string[] =>
  [...read(path).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+|@kobo\/[^']+)'/g)].map(([, name = '']) =>
    name.startsWith('.')
      ? posix.join(dirname(path), name)
      : name
          .replace(/^@kobo\/contract$/, 'contract/src/index.ts')
          .replace(/^@kobo\/contract\/(.+)$/, 'contract/src/$1.ts')
          .replace(/^@kobo\/(gateway|rails)\//, '$1/src/'),
  )

const IMPORTS = CODE.flatMap((from) => importsOf(from).map((to) => ({ from, to })))
const IMPORTED = Map.groupBy(IMPORTS, ({ from }) => from)
const shown = ({ from, to }: { readonly from: string; readonly to: string }): string => `${from} imports ${to}`

test('every file of ours belongs to a part, and imports lead to files that exist', () => {
  assert.ok(CODE.length > 80 && IMPORTS.length > 300, 'the files are found')
  for (const path of CODE) assert.ok(partOf(path) in MAY_IMPORT, `${path} belongs to no part that is known here`)
  assert.deepEqual(IMPORTS.filter(({ to }) => !FILES.includes(to)).map(shown), [])
})

test('every part imports only the parts below it', () => {
  const wrong = IMPORTS.filter(({ from, to }) => {
    const [importer, imported] = [partOf(from), partOf(to)]
    return importer !== imported && MAY_IMPORT[importer]?.includes(imported) !== true
  })
  assert.deepEqual(wrong.map(shown), [])
})

test('no file imports itself by way of others, types included', () => {
  const circles: string[] = []
  const done = new Set<string>()
  const visit = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' → '))
    if (way.includes(path) || done.has(path)) return
    for (const { to } of IMPORTED.get(path) ?? []) visit(to, [...way, path])
    done.add(path)
  }
  for (const path of CODE) visit(path, [])
  assert.deepEqual(circles, [])
})

test(`no function is longer than ${FUNCTION_LINES_MAX} lines`, () => {
  const tooLong = CODE.flatMap((path) => {
    const lines = read(path).split('\n')
    return lines.flatMap((line, start) => {
      // Formatted as they are, a body opens at the end of a line and closes at the same depth.
      if (!/(=> [{(]|\bfunction\b.*\{|^\s*\).*\{)$/.test(line)) return []
      const closing = `${/^\s*/.exec(line)?.[0] ?? ''}${line.endsWith('{') ? '}' : ')'}`
      const length = lines.slice(start).findIndex((other) => other.startsWith(closing) && other !== line) + 1
      return length > FUNCTION_LINES_MAX ? `${path}:${start + 1} has ${length} lines` : []
    })
  })
  assert.deepEqual(tooLong, [])
})

test('the pages take nothing but types and the client from the contract, since all else would be sent to every payer', () => {
  const values = (path: string): readonly string[] =>
    [...read(path).matchAll(/^(?:import|export) (?!type )(?:[^;]*? from )?'([^']+)'/gm)].map(([, name = '']) => name)
  const pages = CODE.filter((path) => partOf(path) === 'web' && /\.tsx?$/.test(path))
  const taken = pages.flatMap((path) => values(path).filter((name) => name.startsWith('@kobo/')))
  assert.deepEqual([...new Set(taken)], ['@kobo/contract/client'])
  // The client is light: what it is made of imports no package, and none of the schemas.
  const client = ['contract/src/client.ts', 'contract/src/refusal.ts']
  assert.deepEqual(client.map(values), [['./refusal.ts'], []])
})

test('a folder with an index.ts is reached only through it', () => {
  const wrong = IMPORTS.filter(({ from, to }) => {
    const folder = dirname(to)
    const isInside = dirname(from) === folder || from.startsWith(`${folder}/`)
    return (
      !isInside &&
      partOf(from) !== 'tools' &&
      !to.endsWith('/index.ts') &&
      !SIDE_DOORS.some((door) => door.test(to)) &&
      FILES.includes(`${folder}/index.ts`)
    )
  })
  assert.deepEqual(wrong.map(shown), [])
  const features = new Set(CODE.flatMap((path) => featureOf(path) ?? []))
  for (const name of features) assert.ok(FILES.includes(`gateway/src/features/${name}/index.ts`), `${name} has a door`)
})

test('features call each other only as the table says, and never in a circle', () => {
  const calls = IMPORTS.flatMap(({ from, to }) => {
    const [caller, called] = [featureOf(from), featureOf(to)]
    return caller === undefined || called === undefined || caller === called ? [] : `${caller} → ${called}`
  })
  const allowed = Object.entries(FEATURE_MAY_CALL).flatMap(([caller, all]) =>
    all.map((called) => `${caller} → ${called}`),
  )
  assert.deepEqual(
    [...new Set(calls)].sort(),
    allowed.sort(),
    'what is called is what the table allows, no more and no less',
  )
  const reaches = (from: string, to: string, steps: readonly string[] = []): boolean =>
    (FEATURE_MAY_CALL[from] ?? []).some(
      (next) => next === to || (!steps.includes(next) && reaches(next, to, [...steps, next])),
    )
  assert.deepEqual(
    Object.keys(FEATURE_MAY_CALL).filter((name) => reaches(name, name)),
    [],
  )
})

test('every feature is made by the gateway, and what it asks of the books is asked', () => {
  const features = new Set(CODE.flatMap((path) => featureOf(path) ?? []))
  const reached = (from: string) => new Set(importsOf(from).flatMap((to) => featureOf(to) ?? []))
  const made = [...reached('gateway/src/app/features.ts'), ...reached('gateway/src/app/compose.ts')]
  assert.deepEqual(made.sort(), [...features].sort())
  const asked = reached('gateway/src/app/ledger.ts')
  assert.deepEqual(
    CODE.filter((path) => path.endsWith('/ledger-questions.ts')).filter((path) => !asked.has(featureOf(path) ?? '')),
    [
      'gateway/src/core/money/ledger/ledger-questions.ts',
      'gateway/src/core/money/reserve/ledger-questions.ts',
      'gateway/src/core/money/wallet-balances/ledger-questions.ts',
      'gateway/src/core/orders/ledger-questions.ts',
    ],
  )
})

test('inside a feature, routes call the service, the service the repository, and machine and errors nobody', () => {
  const wrong = IMPORTS.filter(({ from, to }) => {
    if (featureOf(from) === undefined || dirname(from) !== dirname(to)) return false
    return OUT_OF_REACH_IN_FEATURE[posix.basename(from)]?.test(posix.basename(to)) === true
  })
  assert.deepEqual(wrong.map(shown), [])
})

for (const { what, pattern, only } of PLACES) {
  test(`${what} is asked for only in its place`, () => {
    const found = CODE.filter((path) => pattern.test(read(path)))
    const isAllowed = (path: string): boolean =>
      only.some((place) => (typeof place === 'string' ? place === path : place.test(path)))
    assert.deepEqual(
      found.filter((path) => !isAllowed(path)),
      [],
    )
    for (const place of only)
      assert.ok(
        found.some((path) => (typeof place === 'string' ? place === path : place.test(path))),
        `${place} needs no exception`,
      )
  })
}

/** The code of a file without what is said about it. */
const withoutComments = (path: string): string => read(path).replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|--[^\n`]*/g, '')

/** Every table that the code declares, and the folder whose affair it is. */
const TABLES = CODE.filter((path) => path.startsWith('gateway/src/')).flatMap((path) =>
  [...withoutComments(path).matchAll(/\btable\('([\w.]+)'/g)].map(([, name = '']) => ({ name, folder: dirname(path) })),
)

test('a table is declared once, and a feature touches by SQL no table of another or of the core', () => {
  const folders = new Map(TABLES.map(({ name, folder }) => [name, folder]))
  assert.ok(folders.size > 8, 'the declarations are found')
  assert.equal(folders.size, TABLES.length)
  const touched = CODE.filter((path) => REPOSITORY.test(path)).flatMap((path) =>
    [...withoutComments(path).matchAll(/\b(?:from|join|into|update|null::)\s*"?([a-z_.]+)\b/g)].map(
      ([, name = '']) => ({
        path,
        name,
        folder: folders.get(name),
      }),
    ),
  )
  const foreign = touched.filter(({ path, folder }) => folder !== undefined && folder !== dirname(path))
  assert.deepEqual([...new Set(foreign.map(({ path, name, folder }) => `${path} touches ${name} of ${folder}`))], [])
})

test('every route of the contract is named in a test', () => {
  const texts = TESTS.filter((path) => path.endsWith('.test.ts') && !path.startsWith('tools/')).map(read)
  const unnamed = [...ROUTES, ...DASHBOARD_ROUTES].filter(
    ({ name }) => !texts.some((text) => new RegExp(`\\bcontract\\.${name}\\b`).test(text)),
  )
  assert.deepEqual(
    unnamed.map(({ name }) => name),
    [],
  )
})

test('every route of the contract has its name in the SDK', () => {
  const calls = read('sdk/src/calls.ts')
  const unnamed = ROUTES.filter(({ name }) => !new RegExp(`\\bcontract\\.${name}\\b`).test(calls))
  assert.deepEqual(
    unnamed.map(({ name }) => name),
    [],
    'name these in sdk/src/calls.ts',
  )
})

test('every table has a comment above it that says what a row is', () => {
  const migrations = FILES.filter((path) => path.startsWith('gateway/migrations/'))
  assert.ok(migrations.length > 0)
  for (const path of migrations) {
    const lines = read(path).split('\n')
    const bare = lines.filter((line, index) => /^\s*create table/i.test(line) && !/^-- \S/.test(lines[index - 1] ?? ''))
    assert.deepEqual(bare, [], path)
  }
})

/** What nodes of the version before cannot live with: what they read is gone, or what they write is refused. */
const TAKES_AWAY: readonly RegExp[] = [
  /\bdrop (table|column)\b/,
  /\brename (to|column)\b/,
  /\balter column \w+ (set not null|(set data )?type)\b/,
  /\badd column (?:(?!\bdefault\b)[^,;])*\bnot null\b(?:(?!\bdefault\b)[^,;])*[,;]/,
]

/** What a migration does by itself: without comments, and without what functions will do when they are called. */
const doneAtOnce = (text: string): string =>
  text
    .replace(/--[^\n]*/g, '')
    .toLowerCase()
    .replace(/(\bcreate (?:or replace )?function\b[^;]*?)\$\$.*?\$\$/gs, '$1')

test('a migration takes nothing away that the version before needs, unless it says that every program must know it', () => {
  const takesAway = (sql: string): boolean => TAKES_AWAY.some((pattern) => pattern.test(sql))
  for (const [sql, expected] of [
    ['alter table t add column a integer;', false],
    ['alter table t add column a integer not null default 0, add column b text;', false],
    ['alter table t add column a integer default 0 not null;', false],
    ['alter table t add column a integer not null, add column b text not null default 0;', true],
    ['alter table t drop constraint c, add constraint c check (a > 0);', false],
    ['alter table t drop column a;', true],
    ['alter table t rename column a to b;', true],
    ['alter table t alter column a set not null;', true],
    ['alter table t alter column a type bigint;', true],
  ] as const)
    assert.equal(takesAway(sql), expected, sql)
  const migrations = FILES.filter((path) => path.startsWith('gateway/migrations/'))
  const added = migrations.filter((path) => Number(/\/(\d{4})_/.exec(path)?.[1]) > FOUNDATION_VERSION)
  const wrong = added.filter((path) => {
    const text = read(path)
    return !MUST_BE_KNOWN.test(text) && takesAway(doneAtOnce(text))
  })
  assert.deepEqual(wrong, [])
})

test('migrations and decisions are numbered without a gap', () => {
  for (const folder of ['gateway/migrations/', 'docs/decisions/']) {
    const numbers = FILES.filter((path) => path.startsWith(folder)).flatMap(
      (path) => /\/(\d{4})[_-]/.exec(path)?.[1] ?? [],
    )
    assert.deepEqual(
      numbers.sort(),
      numbers.map((_, index) => String(index + 1).padStart(4, '0')),
      folder,
    )
  }
})

test('links in documents lead to files that exist, and the list of decisions has each', () => {
  const links = TEXTS.filter((path) => path.endsWith('.md')).flatMap((from) =>
    [...read(from).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, to = '']) => ({
      from,
      to: posix.join(dirname(from), to).replace(/\/$/, ''),
    })),
  )
  const places = new Set(FILES.flatMap((path) => [path, ...foldersOf(path)]))
  assert.deepEqual(links.filter(({ to }) => !places.has(to)).map(shown), [])
  const listed = links.filter(({ from }) => from === 'docs/decisions/index.md').map(({ to }) => to)
  const decisions = FILES.filter((path) => /^docs\/decisions\/\d/.test(path))
  assert.deepEqual(listed.sort(), [...decisions].sort())
})

test('files and folders are named in kebab-case', () => {
  const isWellNamed = (path: string): boolean =>
    /^gateway\/migrations\/\d{4}_[a-z0-9]+(_[a-z0-9]+)*\.sql$/.test(path) ||
    /^([A-Z]+(\.md)?|\.[a-z]+)$/.test(path) ||
    // As the programs that read them call them.
    /^deploy\/[a-z]+\/(Caddyfile|Dockerfile(\.dockerignore)?)$/.test(path) ||
    path.split('/').every((name) => /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.test|\.d)?(\.[a-z0-9]+)?$/.test(name))
  assert.deepEqual(
    FILES.filter((path) => !isWellNamed(path)),
    [],
  )
})

test('nothing is left for later, and no path of the machine on which it was written', () => {
  for (const [what, pattern] of [
    ['a note of what is still to do', /\b(TO[D]O|FIX[M]E)\b/],
    ['a path of one machine', /\/(work|home)\//],
  ] as const)
    assert.deepEqual(
      TEXTS.filter((path) => pattern.test(read(path))),
      [],
      what,
    )
})

test('the lock file installs from any registry and on every platform', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    readonly packages: Readonly<Record<string, { readonly resolved?: string; readonly link?: boolean }>>
  }
  const addresses = Object.entries(packages).filter(([, { resolved, link }]) => resolved !== undefined && link !== true)
  assert.deepEqual(
    addresses.map(([name]) => name),
    [],
    'these name an address',
  )
  const wanted = PACKAGES_WITH_BINARIES.flatMap((name) =>
    PLATFORMS.map((platform) => `node_modules/${name}${platform}`),
  )
  assert.deepEqual(
    wanted.filter((name) => !(name in packages)),
    [],
    'these are missing',
  )
})
