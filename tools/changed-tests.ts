// Finds the tests of what has changed: `npm test -- --changed`.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { testFiles } from './test-groups.ts'

/** The test files that have changed since main, and those of the folders in which something has. */
export function changedTests(root: string): readonly string[] {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  const main = git('branch', '--all', '--list', 'origin/main') === '' ? 'main' : 'origin/main'
  const paths = [
    git('diff', '--name-only', git('merge-base', 'HEAD', main)),
    git('ls-files', '--others', '--exclude-standard'),
  ]
  const changed = paths.flatMap((text) => text.split('\n')).filter((path) => path !== '')
  return testsOf(changed, testFiles(root)).filter((file) => existsSync(posix.join(root, file)))
}

/** The tests of these files: of `gateway/src/features/cards/` those in `gateway/test/features/cards/`, of `web/` all of `web/test/`. */
export function testsOf(changed: readonly string[], all: readonly string[]): readonly string[] {
  const folders = changed.map((path) => {
    const [part = ''] = path.split('/')
    return path.startsWith('gateway/') ? posix.dirname(path.replace('/src/', '/test/')) : part
  })
  return all.filter((file) => changed.includes(file) || folders.some((folder) => isIn(file, folder)))
}

/** Tests of a part stand in its `test/`, those of the tools next to them. */
const isIn = (file: string, folder: string): boolean =>
  folder !== '' && folder !== 'gateway/test/harness' && file.startsWith(`${folder}/`)
