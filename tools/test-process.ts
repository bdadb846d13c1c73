// A process that runs test files as `check.ts` hands them out, one after another. Its argument is what to call a turn.
import asyncHooks, { type AsyncHook, AsyncResource } from 'node:async_hooks'
import { once } from 'node:events'
import process from 'node:process'

// To know which test a test within it belongs to, Node's runner watches every promise that is made, at a tenth of the
// time. Ours say so: they call `t.test`. So it is given nothing to watch with.
const { createHook } = asyncHooks
const blind: AsyncHook = { enable: () => blind, disable: () => blind }
Object.assign(asyncHooks, { createHook: () => blind })
const { test } = await import('node:test')
Object.assign(asyncHooks, { createHook })

const TURN = process.argv[2]

/** Without whom it works for, a test would wait for ever for a database that is gone too. */
const leave = (): never => process.exit(1)
process.on('disconnect', leave)

// Tests of a file are those of the process, not parts of the turn that loads it.
const outside = new AsyncResource('test files')

/** Asks for files, and loads them. The next turn comes when their tests are over. */
async function turn(): Promise<void> {
  process.send?.('next')
  const [files] = (await once(process, 'message')) as [readonly string[]]
  if (files.length === 0) {
    process.off('disconnect', leave)
    return process.disconnect()
  }
  await outside.runInAsyncScope(async () => {
    try {
      for (const file of files) await import(file)
    } finally {
      void test(TURN, turn)
    }
  })
}

void test(TURN, turn)
