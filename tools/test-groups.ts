// Which test files of a whole run share a process. Loading the gateway, starting one and getting it warm takes longer than
// most files take themselves, and files of one process do it once.
import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Where there are tests. */
const TESTS = ['{contract,gateway,rails,cli,bench,sdk,web,deploy}/**/*.test.ts', 'tools/*.test.ts']

/**
 * By how their paths begin, so many to a process; the first that fits counts. What takes longest stands first, so that the
 * last to end are short, and both cores have something to do until then. What starts programs of its own shares nothing.
 */
const SHARING: readonly (readonly [begins: string, filesMax: number])[] = [
  ['gateway/test/simulation/', 1],
  ['gateway/test/journeys/program', 1],
  ['gateway/test/journeys/three-partners', 1],
  ['gateway/test/journeys/upgrade', 1],
  ['web/', 4],
  ['cli/', 5],
  ['gateway/test/journeys/', 1],
  ['gateway/test/features/', 12],
  ['gateway/test/core/', 12],
  ['deploy/', 1],
  ['sdk/', 1],
  ['gateway/', 20],
  ['', 10],
]

/** The files of a whole run, as they share processes, in the order in which these begin. */
export function groupsOf(root: string): readonly (readonly string[])[] {
  const files = globSync(TESTS, { cwd: root, exclude: (name) => name === 'node_modules' }).sort()
  const byPlace = Map.groupBy(files, (file) => SHARING.findIndex(([begins]) => file.startsWith(begins)))
  return SHARING.flatMap(([, filesMax], place) => inEqualParts(byPlace.get(place) ?? [], filesMax))
}

/** Parts of so many at the most, none much smaller than another. */
function inEqualParts<T>(all: readonly T[], most: number): readonly (readonly T[])[] {
  const parts = Math.ceil(all.length / most)
  return Array.from({ length: parts }, (_, part) =>
    all.slice(Math.floor((part * all.length) / parts), Math.floor(((part + 1) * all.length) / parts)),
  )
}

/** Writes a module for each group that loads its files, for a runner that gives each module a process; answers their paths. */
export function writeGroups(root: string, folder: string): readonly string[] {
  return groupsOf(root).map((files, place) => {
    // The runner takes them by their names.
    const path = join(folder, `${String(place + 1).padStart(2, '0')}.mjs`)
    writeFileSync(path, moduleOf(files.map((file) => pathToFileURL(join(root, file)).href)))
    return path
  })
}

/**
 * Loads files, and lets their tests begin once all are loaded: the runner clears up when none is left, and the tests of a
 * file that waits for nothing could be over before another has opened its gateway.
 */
const moduleOf = (urls: readonly string[]): string => `import { before } from 'node:test'
const { promise, resolve } = Promise.withResolvers()
before(() => promise)
${urls.map((url) => `await import(${JSON.stringify(url)})`).join('\n')}
resolve()
`
