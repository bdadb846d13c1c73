// Finds the tests for changed files: `npm test -- --changed`.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { testFiles } from './test-groups.ts'

/** The test files that changed since main, and the tests of folders with changed files. */
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

/**
 * Returns the tests of changed files. For example, for a file in `gateway/src/features/cards/` these are the tests in
 * `gateway/test/features/cards/`, and for a file in `web/` all tests in `web/test/`.
 */
export function testsOf(changed: readonly string[], all: readonly string[]): readonly string[] {
  const folders = changed.map((path) => {
    const [part = ''] = path.split('/')
    return path.startsWith('gateway/') ? posix.dirname(path.replace('/src/', '/test/')) : part
  })
  return all.filter((file) => changed.includes(file) || folders.some((folder) => isIn(file, folder)))
}

/** Tests of a part are in its `test/` folder; tests of tools are next to the tools. */
const isIn = (file: string, folder: string): boolean =>
  folder !== '' && folder !== 'gateway/test/harness' && file.startsWith(`${folder}/`)
