import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { explainFailure } from '../../../src/platform/config/start-errors.ts'
import { ownFolder } from '../../harness/clear-up.ts'
import { startProgram } from '../../harness/processes.ts'

const PLACE = { host: '127.0.0.1', port: 80, dataDirectory: '/srv/data' }

/** The operating system's error for an action. */
function failureOf(act: () => unknown): Error {
  try {
    act()
  } catch (error) {
    return error as Error
  }
  return assert.fail('it should have failed')
}

test('a failed start is explained in one sentence with a fix; an internal error keeps its stack', () => {
  const system = (code: string, syscall: string): Error => Object.assign(new Error(code), { code, syscall })
  const full = '/dev/full' // a device that is always full
  for (const [error, sentence] of [
    [system('EADDRINUSE', 'listen'), /^Port 80 on 127\.0\.0\.1 is in use .* PORT=81 npm start$/],
    [system('EACCES', 'listen'), /^This user may not listen on port 80\. /],
    [system('EADDRNOTAVAIL', 'listen'), /^This machine has no address 127\.0\.0\.1\. /],
    [system('EROFS', 'mkdir'), /^Kobo cannot write in \/srv\/data \(EROFS\)\. .* KOBO_DATA_DIR to another folder\.$/],
    [system('EACCES', 'mkdir'), /^Kobo cannot write in \/srv\/data \(EACCES\)\. /],
    [failureOf(() => writeFileSync(full, 'x')), /^The disk of \/srv\/data is full\. /],
    [new Error('initdb: error: could not write file: No space left on device'), /^The disk of \/srv\/data is full\. /],
    [failureOf(() => mkdirSync('/dev/null/data')), /^\/srv\/data cannot be created: /],
  ] as const)
    assert.match(explainFailure(error, PLACE) ?? '', sentence)
  assert.equal(explainFailure(new TypeError('undefined is not a function'), PLACE), undefined)
})

test('an unusable data folder ends the start with that sentence and no stack', async (t) => {
  const file = join(ownFolder('start'), 'file')
  writeFileSync(file, '')
  const { ended, stdout, stderr } = startProgram(t, 'gateway/src/main.ts', [], {
    KOBO_DATA_DIR: join(file, 'data'),
    PORT: '0',
  })
  assert.equal(await ended, 1)
  assert.equal(
    stderr(),
    `${join(file, 'data')} cannot be created: part of its path is a file. Set KOBO_DATA_DIR to another folder.\n`,
  )
  assert.equal(stdout(), '')
})
