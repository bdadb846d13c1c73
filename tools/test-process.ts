// Loaded into every process of tests, before anything else.
import asyncHooks, { type AsyncHook } from 'node:async_hooks'
import process from 'node:process'

/** Far more than anything needs to close, however busy the machine is. */
const MINUTES_MAX = 5

/**
 * To know to which test something belongs that fails with nobody waiting for it, Node's runner watches every promise there
 * is, from its making until it is cleared away, which takes an eighth of what a test computes. Here it is given nothing to watch with.
 */
async function loadRunner() {
  const { createHook } = asyncHooks
  const blind: AsyncHook = { enable: () => blind, disable: () => blind }
  Object.assign(asyncHooks, { createHook: () => blind })
  try {
    return await import('node:test')
  } finally {
    Object.assign(asyncHooks, { createHook })
  }
}

/** What fails with nobody waiting for it ends the process, and so the run fails: else its test might wait for ever. */
function failAtOnce(error: unknown): never {
  process.stderr.write(`Something failed that no test was waiting for.\n${(error as Error).stack ?? error}\n`)
  process.exit(1)
}

/** Something that a test left open would keep its process, and with it `npm test`, for ever. */
function endLater(): void {
  const end = (): never => {
    const open = process.getActiveResourcesInfo().join(', ')
    process.stderr.write(`All tests have ended, but their process has not: still open are ${open}.\n`)
    process.exit(1)
  }
  setTimeout(end, MINUTES_MAX * 60_000).unref()
}

// The process that gives the files to others loads this too, and has no tests of its own.
if (!process.execArgv.includes('--test')) {
  const { after } = await loadRunner()
  process.on('uncaughtExceptionMonitor', failAtOnce)
  process.on('unhandledRejection', failAtOnce)
  after(endLater)
}
