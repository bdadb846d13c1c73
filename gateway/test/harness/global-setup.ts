// Runs before the first test file of `npm test` and after the last: one PostgreSQL for all of them.
import process from 'node:process'
import { clearUp } from './clear-up.ts'
import { SERVER_URL, startTestServer, TEMPLATE } from './postgres.ts'

/** Starts the server and passes its URL to the processes of the files. */
export async function globalSetup(): Promise<void> {
  const { url, template } = await startTestServer()
  process.env[SERVER_URL] = url
  process.env[TEMPLATE] = template
}

export const globalTeardown = clearUp
