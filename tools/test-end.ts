// Loaded into every process of tests. Something that a test left open would keep its process, and with it `npm test`, for ever.
import process from 'node:process'
import { after } from 'node:test'

/** Far more than anything needs to close, however busy the machine is. */
const MINUTES_MAX = 5

if (process.env['NODE_TEST_CONTEXT'] !== undefined)
  after(() => {
    const end = (): never => {
      const open = process.getActiveResourcesInfo().join(', ')
      process.stderr.write(`All tests have ended, but their process has not: still open are ${open}.\n`)
      process.exit(1)
    }
    setTimeout(end, MINUTES_MAX * 60_000).unref()
  })
