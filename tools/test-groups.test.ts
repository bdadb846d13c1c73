import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { groupsOf, partsOf, writeGroups } from './test-groups.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const filesOf = (isShort: boolean): readonly string[] => groupsOf(ROOT, isShort).flatMap(({ files }) => files)
const isSimulation = (file: string): boolean => /simulation\.test/.test(file)

for (const isShort of [true, false])
  test(`a ${isShort ? 'short' : 'full'} run has every test file, and each but the simulation once`, () => {
    const all = globSync('**/*.test.ts', { cwd: ROOT, exclude: (name) => name === 'node_modules' })
    assert.deepEqual([...new Set(filesOf(isShort))].sort(), all.sort())
    const once = filesOf(isShort).filter((file) => !isSimulation(file))
    assert.equal(once.length, all.length - 1)
    assert.ok(isSimulation(filesOf(isShort)[0] ?? ''), 'the longest starts first')
  })

test('the simulation’s processes split its seeds: 50 in the short run, 300 in the full one', (t) => {
  const before = { ...process.env }
  t.after(() => Object.assign(process.env, before))
  for (const name of ['KOBO_TEST_SEED', 'KOBO_TEST_SEEDS']) delete process.env[name]
  for (const [isShort, count] of [
    [true, 50],
    [false, 300],
  ] as const) {
    const groups = groupsOf(ROOT, isShort).filter(({ files }) => files.some(isSimulation))
    const seeds = groups.flatMap(({ env }) =>
      Array.from({ length: Number(env['KOBO_TEST_SEEDS']) }, (_, nth) => Number(env['KOBO_TEST_SEED']) + nth),
    )
    assert.deepEqual([seeds.length, new Set(seeds).size], [count, count])
  }
})

test('parts have nearly the same size, are in order, and contain everything', () => {
  assert.deepEqual(partsOf(7, 10, 3), [
    [7, 3],
    [10, 3],
    [13, 4],
  ])
  assert.deepEqual(partsOf(7, 0, 0), [])
})

test('group modules load their files in order of name, also from a folder with a space', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'kobo test groups-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const paths = writeGroups(join(ROOT, '/'), folder, true)
  assert.deepEqual(paths, paths.toSorted())
  const loaded = paths.map((path) =>
    [...readFileSync(path, 'utf8').matchAll(/^await import\("(.+)"\)$/gm)].map(([, url = '']) => fileURLToPath(url)),
  )
  assert.deepEqual(
    loaded,
    groupsOf(ROOT, true).map(({ files }) => files.map((file) => join(ROOT, file))),
  )
})
