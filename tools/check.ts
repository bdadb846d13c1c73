import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, globSync, mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import { openDatabase } from '../gateway/src/platform/db.ts'
import { startEmbeddedPostgres } from '../gateway/src/platform/embedded-postgres/index.ts'
import { migrate } from '../gateway/src/platform/migrate.ts'
import { findChromium } from './chromium.js'

const HELP = `Checks everything: format, lint, types, generated files, and all tests against a real PostgreSQL.

Usage: npm test                      everything; what CI runs
       npm test -- FILE [FILE …]     only these test files
       npm test -- --help            shows this

Tests make their databases on an embedded PostgreSQL, or on the server at DATABASE_URL where it is set. Those of the pages
run in Chromium: the one that is installed, or named by CHROMIUM. They leave pictures in the folder that KOBO_TEST_PICTURES
names.
`

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TESTS = [
  'contract/**/*.test.ts',
  'gateway/**/*.test.ts',
  'cli/**/*.test.ts',
  'bench/**/*.test.ts',
  'web/**/*.test.ts',
  'tools/*.test.ts',
]
/** Tests wait as much as they work, so there are more than cores. */
const PROCESSES = 3
const TEST_PROCESS = fileURLToPath(new URL('test-process.ts', import.meta.url))
/** What it is called when a process gets its next files: not a test, and not shown as one. */
const TURN = 'files to run next'
/** What a process says that is about no test: its turns and its sums. */
const NO_TESTS = new RegExp(`^(✔ ${TURN}|ℹ (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms)) .*\\n`, 'gm')
/** Tests that look at pages as people do: together, in one browser. */
const BROWSER_TESTS = /(^|\/)web\/test\//
/** Tests that kill programs and wait for what becomes of it: together, and first, so that others work meanwhile. */
const PROGRAM_TESTS = /(program|crash|embedded-postgres)\.test\.ts$/
/** What may be the same for every file: nothing here is a secret or a setting of the gateway under test. */
const SETTINGS_OF_GATEWAY = /^(KOBO_(?!TEST_(SEED|PICTURES)$)|DATABASE_URL$|PORT$|HOST$|LOG_LEVEL$|SMTP_URL$)/

/** Runs a program to its end, and then prints what it said, so that several can run at once. */
async function run(title: string, command: string, ...args: readonly string[]): Promise<void> {
  const started = performance.now()
  let output = ''
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  process.stdout.write(`\n— ${title}\n${output}  ${seconds} s\n`)
  if (code !== 0) throw new Error(`${title} failed`)
}

interface TestServer {
  readonly url: string
  readonly stop: () => Promise<void>
}

const MEMORY_FOLDER = '/dev/shm'
const MEMORY_BYTES_MIN = 4 * 1024 ** 3

/** Where what tests write lives: in memory where the machine has plenty, since a clone of the template is then ten times as fast. */
function scratchFolder(): string {
  if (!existsSync(MEMORY_FOLDER)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
  return bavail * bsize >= MEMORY_BYTES_MIN ? MEMORY_FOLDER : tmpdir()
}

/** A PostgreSQL for the tests: the one at DATABASE_URL, else an embedded one whose data need not outlive them. */
async function startTestServer(): Promise<TestServer> {
  const given = process.env['DATABASE_URL']
  if (given !== undefined) return { url: given, stop: async () => {} }
  const directory = mkdtempSync(join(scratchFolder(), 'kobo-test-'))
  chmodSync(directory, 0o711) // as root, PostgreSQL runs under another account, which must be able to enter
  const server = await startEmbeddedPostgres({
    directory: join(directory, 'postgres'),
    durable: false,
    // Databases that live for seconds need no care, and hundreds of them would be visited in turn.
    settings: { max_connections: '300', autovacuum: 'off' },
  })
  return {
    url: server.url,
    stop: async () => {
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Makes the database that every test's own is cloned from. */
async function makeTemplate(serverUrl: string, name: string): Promise<() => Promise<void>> {
  await command(serverUrl, `create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const template = openDatabase(url.href, 1)
  await migrate(template)
  await template.end()
  return () => command(serverUrl, `drop database if exists ${name} with (force)`)
}

/** On a connection of its own, so that none is open, and can break, while the tests run. */
async function command(serverUrl: string, text: string): Promise<void> {
  const client = new pg.Client(serverUrl)
  await client.connect()
  await client.query(text)
  await client.end()
}

/** What a process runs before it asks again: the longest first, so that all are done at about the same time. */
function units(files: readonly string[]): string[][] {
  const of = (kind: RegExp): string[] => files.filter((file) => kind.test(file))
  const others = files
    .filter((file) => !PROGRAM_TESTS.test(file) && !BROWSER_TESTS.test(file))
    .toSorted((a, b) => statSync(b).size - statSync(a).size)
  return [of(PROGRAM_TESTS), of(BROWSER_TESTS), ...others.map((file) => [file])].filter(({ length }) => length > 0)
}

interface Tally {
  tests: number
  failed: number
}

/**
 * Runs files in one process, which loads and warms up the gateway once for all of them, and takes files from the queue as
 * long as there are any; prints what it says whenever it takes some.
 */
async function runProcess(queue: string[][], env: NodeJS.ProcessEnv, tally: Tally): Promise<void> {
  const child = spawn('node', ['--test-reporter=spec', TEST_PROCESS, TURN], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env,
  })
  let output = ''
  let turns = 0
  let files: readonly string[] = []
  const show = (text: string): void => {
    process.stdout.write(text.replace(NO_TESTS, ''))
  }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.on('message', () => {
    turns++
    const end = output.lastIndexOf('\n') + 1
    show(output.slice(0, end))
    output = output.slice(end)
    files = queue.shift() ?? []
    child.send(files.map((file) => pathToFileURL(join(ROOT, file)).href))
  })
  const ended = await new Promise<number | NodeJS.Signals>((resolve, reject) =>
    child.on('error', reject).on('close', (code, signal) => resolve(code ?? signal ?? 1)),
  )
  const count = (what: string): number => Number(new RegExp(`^ℹ ${what} (\\d+)$`, 'm').exec(output)?.[1] ?? 0)
  // A process that ends without having summed up did not run to its end.
  const isComplete = count('tests') > 0
  tally.tests += Math.max(0, count('tests') - turns)
  tally.failed += Math.max(count('fail') + count('cancelled'), ended === 0 && isComplete ? 0 : 1)
  show(output)
  if (!isComplete)
    process.stdout.write(`✖ a process of tests ended with ${ended} in the middle of ${files.join(', ')}\n`)
}

/** Runs all files, a few processes side by side. */
async function runFiles(files: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const started = performance.now()
  process.stdout.write('\n— Tests\n')
  const queue = units(files)
  const tally: Tally = { tests: 0, failed: 0 }
  const processes = Math.min(PROCESSES, queue.length)
  await Promise.all(Array.from({ length: processes }, () => runProcess(queue, env, tally)))
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  const machine = `${process.platform} ${process.arch}, ${availableParallelism()} cores, Node ${process.versions.node}`
  process.stdout.write(`\n  ${tally.tests} tests, ${tally.failed} failed, ${seconds} s (${machine})\n`)
  if (tally.failed > 0) throw new Error('Tests failed')
}

/** What one process has compiled the next need not, nor the programs that tests start. */
const COMPILED = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compiled') }

/** Loads the gateway and leaves it compiled; processes that are killed, or go on for long, do not. */
async function compileAhead(): Promise<void> {
  const env = { ...process.env, ...COMPILED }
  await once(spawn('node', ['gateway/src/main.ts', '--help'], { cwd: ROOT, stdio: 'ignore', env }), 'close')
}

/** All that can be said without running anything; all of it is said before the first that failed is thrown. */
async function runChecks(): Promise<void> {
  const checks = await Promise.allSettled([
    compileAhead(), // there is time for it
    run('Format and lint', 'biome', 'ci', '.', '--colors=off'),
    // One checker: several would each work out the contract's types anew.
    run('Types', 'tsc', '-p', '.', '--checkers', '1'),
    run('Types of the pages', 'tsc', '-p', 'web', '--checkers', '1'),
  ])
  for (const check of checks) if (check.status === 'rejected') throw check.reason
}

/** Runs tests against a PostgreSQL that lives as long as they do, after the checks, which are made while it gets ready. */
async function runTests(files: readonly string[], checks: () => Promise<void> = async () => {}): Promise<void> {
  const chromium = files.some((file) => BROWSER_TESTS.test(file)) ? findChromium() : undefined
  const server = await startTestServer()
  // Not once: npm and the terminal may both pass a Ctrl-C on, and a second one would leave PostgreSQL behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => void server.stop().finally(() => process.exit(1)))
  const name = `kobo_test_template_${process.pid}`
  try {
    const [dropTemplate] = await Promise.all([makeTemplate(server.url, name), checks()])
    const inherited = Object.entries(process.env).filter(([key]) => !SETTINGS_OF_GATEWAY.test(key))
    const env = {
      ...Object.fromEntries(inherited),
      TMPDIR: scratchFolder(), // databases and browser profiles of tests
      KOBO_TEST_SERVER_URL: server.url,
      KOBO_TEST_TEMPLATE: name,
      ...(chromium !== undefined && { KOBO_TEST_CHROMIUM: chromium }),
      ...COMPILED,
    }
    try {
      await runFiles(files, env)
    } finally {
      await dropTemplate()
    }
  } finally {
    await server.stop()
  }
}

async function main(): Promise<void> {
  const args = process.argv.slice(2)
  if (args.includes('--help')) {
    process.stdout.write(HELP)
    return
  }
  await run('Pages', 'node', 'web/build.js')
  if (args.length > 0) return runTests(args)
  const files = TESTS.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
    .map((file) => relative('.', join(ROOT, file)))
    .sort()
  await runTests(files, runChecks)
}

main().catch((error: Error) => {
  process.stderr.write(`\n${error.message}\n`)
  process.exit(1)
})
