import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { writeGroups } from './test-groups.ts'

const HELP = `Checks everything: format, lint, types, generated files, and all tests against a real PostgreSQL.

Usage: npm test                      everything; what CI runs
       npm test -- FILE [FILE …]     only these test files
       npm test -- --help            shows this

What begins with -- is passed on to Node's test runner: npm test -- --test-name-pattern='below zero'

Tests make their databases on an embedded PostgreSQL, or on the server at DATABASE_URL where it is set. Those of the pages
run in Chromium: the one that is installed, or named by CHROMIUM. They leave pictures in the folder that KOBO_TEST_PICTURES
names.
`

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Test files wait as much as they work, so there are more of them at a time than cores. */
const FILES_AT_ONCE = Math.min(availableParallelism() + 1, 8)
/** So that nothing hangs for ever; none takes so long, however busy the machine is. */
const FILE_MINUTES_MAX = 30

/** Runs a program to its end, and then prints what it said, so that several can run at once. */
async function check(title: string, command: string, ...args: readonly string[]): Promise<void> {
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

/** All that can be said without running anything; all of it is said before the first that failed is thrown. */
async function runChecks(): Promise<void> {
  const checks = await Promise.allSettled([
    check('Format and lint', 'biome', 'ci', '.', '--colors=off'),
    // One checker: several would each work out the contract's types anew.
    check('Types', 'tsc', '-p', '.', '--checkers', '1'),
    check('Types of the pages', 'tsc', '-p', 'web', '--checkers', '1'),
  ])
  for (const one of checks) if (one.status === 'rejected') throw one.reason
}

/** Runs tests with Node's own runner, each file or group of files in a process of its own. */
async function runTests(args: readonly string[]): Promise<number> {
  process.stdout.write('\n— Tests\n')
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
      // What one process has compiled the next need not, nor the programs that tests start.
      env: { ...process.env, NODE_COMPILE_CACHE: 'node_modules/.cache/compiled' },
    },
  )
  let isInterrupted = false
  // The runner ends what it has started; until it has, we stay.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      isInterrupted = true
      child.kill(signal)
    })
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  // One that is interrupted before the first test calls that a success.
  return isInterrupted ? 1 : (code ?? 1)
}

/** Runs all tests, some files in one process. */
async function runAll(args: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'kobo-test-groups-'))
  try {
    return await runTests([...args, ...writeGroups(ROOT, folder)])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function main(): Promise<void> {
  const args = process.argv.slice(2)
  if (args.includes('--help')) {
    process.stdout.write(HELP)
    return
  }
  if (args.length === 0) await runChecks()
  const hasFiles = args.some((arg) => !arg.startsWith('--'))
  process.exitCode = hasFiles ? await runTests(args) : await runAll(args)
}

main().catch((error: Error) => {
  process.stderr.write(`\n${error.message}\n`)
  process.exit(1)
})
