import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { partsOf } from './test-groups.ts'

const HELP = `Plays random stories of merchants, customers, partners and faults on two nodes with a real PostgreSQL. After each seed
an independent book-keeper checks the ledger, and compares it with what merchants, customers and partners saw. If one fails,
prints the seed that repeats the failure, and its steps.

Usage: npm run simulate -- [--seeds COUNT] [--from SEED]

  --seeds COUNT   how many seeds to play (1000)
  --from SEED     the first of them (any)
`

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const STORIES = 'gateway/test/simulation/simulation.test.ts'
const SEEDS = 1_000
const SEEDS_MAX = 1_000_000
const SEED_MAX = 2 ** 31
const BAR_WIDTH = 40

function read(args: readonly string[]): { readonly seeds: number; readonly from: number } {
  const requested = { seeds: SEEDS, from: randomInt(SEED_MAX) }
  for (let index = 0; index < args.length; index += 2) {
    const [name, text = ''] = args.slice(index, index + 2)
    const most = name === '--seeds' ? SEEDS_MAX : SEED_MAX
    if ((name !== '--seeds' && name !== '--from') || !/^\d{1,10}$/.test(text) || Number(text) > most)
      throw new Error(`${name} ${text} is not understood. See npm run simulate -- --help`)
    requested[name === '--seeds' ? 'seeds' : 'from'] = Number(text)
  }
  return requested
}

/** If the output is not a terminal, progress is one line per this many seeds. */
const SEEDS_PER_LINE = 100

/** Shows the progress. In a terminal, it overwrites one line. */
function show(done: number, seeds: number, started: number): void {
  const seconds = (performance.now() - started) / 1_000
  const filled = Math.round((BAR_WIDTH * done) / seeds)
  const left = Math.round((seconds / done) * (seeds - done))
  const line = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${done} of ${seeds} seeds, ${left} s left`
  if (process.stderr.isTTY) process.stderr.write(`\r${line}\u001b[K${done === seeds ? '\n' : ''}`)
  else if (done % SEEDS_PER_LINE === 0) process.stderr.write(`${line}\n`)
}

/** Describes how often a fault occurred, and how long nodes took to recover from it. */
function recovery(kind: string, times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const [median, longest] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
  return `${kind}: ${times.length} times, recovered after ${median} ms, ${longest} ms at most`
}

interface Played {
  readonly code: number | null
  readonly output: string
}

interface Watcher {
  readonly onSeed: () => void
  readonly onRecovered: (kind: string, milliseconds: number) => void
  readonly onStarted: (child: ChildProcess) => void
}

/** Plays seeds in their own process. */
async function play(from: number, seeds: number, watcher: Watcher): Promise<Played> {
  const child = spawn('node', ['--import=./tools/test-process.ts', '--test-reporter=dot', STORIES], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      KOBO_TEST_SEEDS: String(seeds),
      KOBO_TEST_SEED: String(from),
      KOBO_TEST_PROGRESS: 'yes',
      NODE_COMPILE_CACHE: `${ROOT}node_modules/.cache/compiled`,
    },
  })
  watcher.onStarted(child)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  createInterface({ input: child.stderr }).on('line', (line) => {
    const [, milliseconds, kind = ''] = /^recovered (\d+) (.+)$/.exec(line) ?? []
    if (milliseconds !== undefined) watcher.onRecovered(kind, Number(milliseconds))
    else if (/^\d+$/.test(line)) watcher.onSeed()
    else output += `${line}\n`
  })
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  return { code, output }
}

async function main(): Promise<void> {
  const args = process.argv.slice(2)
  if (args.includes('--help')) {
    process.stdout.write(HELP)
    return
  }
  const { seeds, from } = read(args)
  process.stdout.write(`Seeds ${from} to ${from + seeds - 1}\n`)
  const started = performance.now()
  const children: ChildProcess[] = []
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      for (const child of children) child.kill(signal)
    })
  let done = 0
  const recovered = new Map<string, number[]>()
  const watcher: Watcher = {
    onStarted: (child) => children.push(child),
    onSeed: () => show(++done, seeds, started),
    onRecovered: (kind, milliseconds) => recovered.set(kind, [...(recovered.get(kind) ?? []), milliseconds]),
  }
  // One process per core, each with its own two nodes and database.
  const parts = partsOf(from, seeds, Math.min(availableParallelism(), seeds))
  const played = await Promise.all(parts.map(([first, count]) => play(first, count, watcher)))
  const seconds = Math.round((performance.now() - started) / 1_000)
  for (const [kind, times] of recovered) process.stdout.write(`${recovery(kind, times)}\n`)
  const failed = played.filter(({ code }) => code !== 0)
  for (const { output } of failed) process.stdout.write(`\n${output}\n`)
  const again = failed.flatMap(({ output }) => [...output.matchAll(/npm run simulate -- --from \d+ --seeds \d+/g)])
  for (const command of new Set(again.map(([text]) => text))) process.stdout.write(`Failed. Reproduce: ${command}\n`)
  const verdict = failed.length === 0 ? 'nothing lost, nothing duplicated' : 'with failures'
  process.stdout.write(`${done} of ${seeds} seeds, from ${from}: ${verdict}, in ${seconds} s\n`)
  process.exitCode = failed.length === 0 ? 0 : 1
}

main().catch((error: Error) => {
  process.stderr.write(`\n${error.message}\n`)
  process.exit(1)
})
