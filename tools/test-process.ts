import { AsyncResource } from 'node:async_hooks'
import { once } from 'node:events'
import process from 'node:process'
import { test } from 'node:test'

/** What it is called while a process gets its next files; not a test, and not shown as one. */
export const TURN = 'files to run next'

// Tests of a file are those of the process, not parts of the turn that loads it.
const outside = new AsyncResource('test files')

/** Asks for files, and loads them. The next turn comes when their tests are over. */
async function turn(): Promise<void> {
  process.send?.('next')
  const [files] = (await once(process, 'message')) as [readonly string[]]
  if (files.length === 0) return process.disconnect()
  await outside.runInAsyncScope(async () => {
    try {
      for (const file of files) await import(file)
    } finally {
      void test(TURN, turn)
    }
  })
}

// Loaded by the one who hands out the files, it has none to run.
if (process.send !== undefined) void test(TURN, turn)
