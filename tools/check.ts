import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { changedTests } from './changed-tests.ts'
import { writeGroups } from './test-groups.ts'

const HELP = `Checks format, lint, types and generated files, and runs the tests against a real PostgreSQL.

Usage: npm test                      checks and tests, but for slow tests
       npm test -- --all             all checks and all tests; CI runs this
       npm test -- --changed         only the tests of what has changed since main
       npm test -- FILE [FILE …]     only these test files
       npm test -- --help            shows this

Other options go to Node's test runner: npm test -- --test-name-pattern='below zero'

The tests create their databases on an embedded PostgreSQL, or on the server at KOBO_TEST_DATABASE_URL if it is set.
The tests of the pages use the Chromium that is installed or that CHROMIUM names. KOBO_TEST_PICTURES=FOLDER
keeps pictures of the pages.
`

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Test files wait about half of the time, so more of them run at once than there are cores. */
const FILES_AT_ONCE = Math.min(availableParallelism() * 2, 8)
/** Ends a test file that hangs. No file takes this long, however busy the machine is. */
const FILE_MINUTES_MAX = 30

interface Result {
  readonly title: string
  readonly passed: boolean
  readonly line: string
}

/** Runs a program and waits for it. If it fails, its output is shown at once. */
async function check(title: string, command: string, ...args: readonly string[]): Promise<Result> {
  const started = performance.now()
  let output = ''
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await ended(child)
  const passed = code === 0
  const line = `${title}: ${passed ? 'passed' : 'FAILED'}, ${((performance.now() - started) / 1_000).toFixed(1)} s`
  if (!passed) process.stdout.write(`\n${output}\n${line}\n`)
  return { title, passed, line }
}

/**
 * A lint rule that needs the types of the whole project, which takes half of the linter's time. Only a run of all
 * checks includes it.
 */
const PROJECT_RULE = 'nursery/noFloatingPromises'

/** Runs the checks that do not execute our code: format, lint and types. */
const runChecks = (isShort: boolean): Promise<readonly Result[]> =>
  Promise.all([
    check('Format and lint', 'biome', 'ci', '.', '--colors=off', ...(isShort ? [`--skip=${PROJECT_RULE}`] : [])),
    checkTypes('Types', '.'),
    checkTypes('Types of the pages', 'web'),
  ])

/**
 * Checks the types of files that changed since the last run. It uses one checker, because several would each compute
 * the contract's types.
 */
const checkTypes = (title: string, project: string): Promise<Result> =>
  check(
    ...([title, 'tsc', '-p', project, '--checkers', '1', '--incremental'] as const),
    ...['--tsBuildInfoFile', join(ROOT, 'node_modules/.cache/types', `${title}.tsbuildinfo`)],
  )

const ended = (child: ReturnType<typeof spawn>): Promise<number | null> =>
  new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))

/** Runs tests with Node's own runner, each file or group of files in its own process. */
async function runTests(args: readonly string[], isShort: boolean): Promise<number> {
  const child = spawn(
    'node',
    [
      '--test',
      `--test-concurrency=${FILES_AT_ONCE}`,
      `--test-timeout=${FILE_MINUTES_MAX * 60_000}`,
      '--import=./tools/test-process.ts',
      '--test-global-setup=gateway/test/harness/global-setup.ts',
      '--test-reporter=./tools/reporter.ts',
      '--test-reporter-destination=stdout',
      ...args,
    ],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: {
        ...process.env,
        ...(isShort ? { KOBO_TEST_SHORT: 'yes' } : {}),
        // All processes share this cache. The path is absolute, because programs run in other folders, too.
        NODE_COMPILE_CACHE: `${ROOT}node_modules/.cache/compiled`,
      },
    },
  )
  let isInterrupted = false
  // We pass the signal on and wait: the runner ends the processes that it started.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      isInterrupted = true
      child.kill(signal)
    })
  const code = await ended(child)
  // The runner reports success if it is interrupted before its first test.
  return isInterrupted ? 1 : (code ?? 1)
}

/** Runs the tests of all files, several files in one process. */
async function runGroups(options: readonly string[], isShort: boolean): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'kobo-test-groups-'))
  try {
    return await runTests([...options, ...writeGroups(ROOT, folder, isShort)], isShort)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Runs all checks and the tests at the same time. */
async function runEverything(isShort: boolean): Promise<number> {
  const [code, checks] = await Promise.all([runGroups([], isShort), runChecks(isShort)])
  process.stdout.write(`${checks.map(({ line }) => line).join('\n')}\n`)
  return checks.every(({ passed }) => passed) ? code : 1
}

async function main(): Promise<number> {
  const args = process.argv.slice(2)
  if (args.includes('--help')) {
    process.stdout.write(HELP)
    return 0
  }
  const options = args.filter((arg) => arg.startsWith('--') && arg !== '--all' && arg !== '--changed')
  const files = args.filter((arg) => !arg.startsWith('--'))
  if (args.includes('--changed')) files.push(...changedTests(ROOT))
  // The runner treats everything after the first file as a file, so options come first.
  if (files.length > 0) return runTests([...options, ...files], false)
  if (args.includes('--changed')) {
    process.stdout.write('Nothing has changed that has tests.\n')
    return 0
  }
  return options.length > 0 ? runGroups(options, false) : runEverything(!args.includes('--all'))
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error: Error) => {
    process.stderr.write(`\n${error.message}\n`)
    process.exit(1)
  },
)
