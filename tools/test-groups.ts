// Decides which test files share a process in a run of all tests. Starting a gateway takes longer than most test files,
// and files that share a process start it once.
import { globSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'

const TESTS = ['{contract,gateway,connectors,cli,bench,sdk,web,deploy,certify}/**/*.test.ts', 'tools/*.test.ts']
const SIMULATION = 'gateway/test/simulation/simulation.test.ts'

/**
 * How many test files share a process, in a full run and in the short run, by the start of their paths. The first match
 * counts. Slow files come first, so that only quick ones are left at the end, and all cores stay busy. Files that start
 * programs do not share a process, except in the short run, which leaves out most of their tests.
 */
const SHARING: readonly (readonly [begins: string, filesMax: number, filesMaxShort?: number])[] = [
  ['gateway/test/journeys/program', 1],
  ['gateway/test/journeys/three-partners', 1],
  ['gateway/test/journeys/upgrade', 1],
  ['web/', 4],
  ['cli/', 5, 9],
  ['gateway/test/journeys/', 1, 4],
  ['gateway/test/features/', 12, 17],
  ['gateway/test/core/', 12, 18],
  ['deploy/', 1, 5],
  ['sdk/', 1, 7],
  ['gateway/', 20],
  ['', 10],
]

/** Fixed, so that a new failure is caused by a change, and not by other seeds. CI plays new seeds every night. */
const FIRST_SEED = 1
/** Seeds of the simulation in a run of all tests, and in the short run. */
const SEEDS = { all: 300, short: 50 }
/** With this many seeds, a process of the simulation takes about as long as the longest of the other processes. */
const SEEDS_PER_PROCESS = 50

/** Files that share a process, and settings for it. */
interface Group {
  readonly files: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export const testFiles = (root: string): readonly string[] =>
  globSync(TESTS, { cwd: root, exclude: (name) => name === 'node_modules' }).sort()

/** The groups of a run, in the order in which they start; the simulation is in several, each with its own seeds. */
export function groupsOf(root: string, isShort: boolean): readonly Group[] {
  const files = testFiles(root).filter((file) => file !== SIMULATION)
  const byPlace = Map.groupBy(files, (file) => SHARING.findIndex(([begins]) => file.startsWith(begins)))
  const others = SHARING.flatMap(([, filesMax, filesMaxShort = filesMax], place) =>
    inEqualParts(byPlace.get(place) ?? [], isShort ? filesMaxShort : filesMax),
  )
  return [...simulationGroups(isShort), ...others.map((group) => ({ files: group, env: {} }))]
}

function simulationGroups(isShort: boolean): readonly Group[] {
  const { KOBO_TEST_SEED: seed, KOBO_TEST_SEEDS: seeds } = process.env
  const first = Number(seed ?? FIRST_SEED)
  const count = Number(seeds ?? (isShort ? SEEDS.short : SEEDS.all))
  const groups = Math.max(Math.ceil(count / SEEDS_PER_PROCESS), Math.min(availableParallelism(), count))
  return partsOf(first, count, groups).map(([from, length]) => ({
    files: [SIMULATION],
    env: { KOBO_TEST_SEED: String(from), KOBO_TEST_SEEDS: String(length) },
  }))
}

/** Cuts consecutive seeds into parts of nearly the same size: the first seed of each, and how many. */
export const partsOf = (first: number, count: number, parts: number): readonly (readonly [number, number])[] =>
  Array.from({ length: parts }, (_, part) => {
    const from = Math.floor((part * count) / parts)
    return [first + from, Math.floor(((part + 1) * count) / parts) - from] as const
  })

/** Cuts a list into parts of at most this length and nearly the same size. */
const inEqualParts = <T>(all: readonly T[], most: number): readonly (readonly T[])[] =>
  partsOf(0, all.length, Math.ceil(all.length / most)).map(([from, length]) => all.slice(from, from + length))

/** Writes a module for each group, for a runner that gives each module a process; returns their paths. */
export function writeGroups(root: string, folder: string, isShort: boolean): readonly string[] {
  return groupsOf(root, isShort).map(({ files, env }, place) => {
    // The runner starts them in the order of their names.
    const path = join(folder, `${String(place + 1).padStart(3, '0')}.mjs`)
    const urls = files.map((file) => pathToFileURL(join(root, file)).href)
    writeFileSync(path, moduleOf(urls, env))
    return path
  })
}

/**
 * Loads files, and delays their tests until all files are loaded. The runner cleans up when no test is left, and the
 * tests of one file could end before the next file has started its gateway.
 */
const moduleOf = (urls: readonly string[], env: Group['env']): string => `import { before } from 'node:test'
Object.assign(process.env, ${JSON.stringify(env)})
const { promise, resolve } = Promise.withResolvers()
before(() => promise)
${urls.map((url) => `await import(${JSON.stringify(url)})`).join('\n')}
resolve()
`
