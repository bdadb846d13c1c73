import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { clockEnvironment, FAKETIME } from '../harness/faketime.ts'
import { startProgram } from '../harness/processes.ts'
import { slow } from '../harness/slow.ts'

const MONTH = fileURLToPath(new URL('a-live-month.ts', import.meta.url))

slow(
  'a live month with the system clock moved: statements of three banks are collected from a folder and every day is closed without a person, except for three planted exceptions',
  { skip: FAKETIME === undefined ? 'needs faketime (apt install faketime)' : false },
  async (t) => {
    const { KOBO_TEST_DAYS } = process.env
    const env = { ...clockEnvironment(), ...(KOBO_TEST_DAYS === undefined ? {} : { KOBO_TEST_DAYS }) }
    // Ends it after a failure too, when its gateway still runs.
    const { ended, stdout, stderr } = startProgram(t, '--test-force-exit', [MONTH], env)
    assert.equal(await ended, 0, stdout() + stderr())
    for (const line of stdout().matchAll(/(\w+: \d+ days closed.*)/g)) t.diagnostic(line[1] ?? '')
  },
)
