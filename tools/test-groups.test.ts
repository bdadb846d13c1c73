import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { groupsOf, writeGroups } from './test-groups.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

test('a run of all tests has every test file that there is, once', () => {
  const there = globSync('**/*.test.ts', { cwd: ROOT, exclude: (name) => name === 'node_modules' })
  assert.deepEqual(groupsOf(ROOT).flat().sort(), there.sort())
  assert.match(groupsOf(ROOT)[0]?.[0] ?? '', /simulation/, 'what takes longest begins first')
})

test('the modules of groups load their files, in the order of their names, from a folder with a space in it too', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'kobo test groups-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const paths = writeGroups(join(ROOT, '/'), folder)
  assert.deepEqual(paths, paths.toSorted())
  const loaded = paths.map((path) =>
    [...readFileSync(path, 'utf8').matchAll(/^await import\("(.+)"\)$/gm)].map(([, url = '']) => fileURLToPath(url)),
  )
  assert.deepEqual(
    loaded,
    groupsOf(ROOT).map((files) => files.map((file) => join(ROOT, file))),
  )
})
