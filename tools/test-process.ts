// Loaded into every process of tests, before anything else.
import asyncHooks, { type AsyncHook } from 'node:async_hooks'
import process from 'node:process'

/** Far longer than anything needs to close, however busy the machine is. */
const MINUTES_MAX = 5
const RUNNER_CHECK_MILLISECONDS = 1_000

/**
 * To attribute unhandled failures to tests, Node's runner watches every promise, which takes an eighth of a test's
 * time. Here it gets a hook that does nothing.
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

/** An unhandled failure ends the process and fails the run; otherwise its test might wait forever. */
function failAtOnce(error: unknown): never {
  process.stderr.write(`Something failed that no test was waiting for.\n${(error as Error).stack ?? error}\n`)
  process.exit(1)
}

/** Something left open by a test would keep `npm test` running forever. */
function endLater(): void {
  const end = (): never => {
    const open = process.getActiveResourcesInfo().join(', ')
    process.stderr.write(`All tests have ended, but their process has not: still open are ${open}.\n`)
    process.exit(1)
  }
  setTimeout(end, MINUTES_MAX * 60_000).unref()
}

/** A runner that is killed ends none of its processes. */
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
