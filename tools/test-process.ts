// Loaded into every process of tests, before anything else.
import asyncHooks, { type AsyncHook } from 'node:async_hooks'
import process from 'node:process'

/** Much longer than any test needs to close everything, even on a busy machine. */
const MINUTES_MAX = 5
const RUNNER_CHECK_MILLISECONDS = 1_000

/**
 * Loads Node's test runner. To attribute unhandled failures to tests, it watches every promise, which takes an eighth
 * of a test's time. So we load it with a hook that does nothing.
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

/** Ends the process after an unhandled failure, so that the run fails. Otherwise the test might wait forever. */
function failAtOnce(error: unknown): never {
  process.stderr.write(`Something failed that no test was waiting for.\n${(error as Error).stack ?? error}\n`)
  process.exit(1)
}

/** Ends the process some time after its last test. Otherwise anything that a test left open would keep it running. */
function endLater(): void {
  const end = (): never => {
    const open = process.getActiveResourcesInfo().join(', ')
    process.stderr.write(`All tests have ended, but their process has not: still open are ${open}.\n`)
    process.exit(1)
  }
  setTimeout(end, MINUTES_MAX * 60_000).unref()
}

/** Ends the process when its runner is gone, because a killed runner does not end its processes. */
function endWithRunner(): void {
  const runner = process.ppid
  setInterval(() => process.ppid === runner || process.exit(1), RUNNER_CHECK_MILLISECONDS).unref()
}

// The parent process loads this too, and has no tests itself.
if (!process.execArgv.includes('--test')) {
  const { after } = await loadRunner()
  process.on('uncaughtExceptionMonitor', failAtOnce)
  process.on('unhandledRejection', failAtOnce)
  after(endLater)
  endWithRunner()
}
