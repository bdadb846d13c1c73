import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the range of automatic ports, so that no other program gets one of these meanwhile. */
const PORT_MIN = 20_000
const PORTS = 12_000
const ATTEMPTS_MAX = 100

/** A free port, for a program that cannot choose one itself. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < ATTEMPTS_MAX; tries++) {
    const port = PORT_MIN + randomInt(PORTS)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ])
    if (isFree) await new Promise((resolve) => server.close(resolve))
    if (isFree) return port
  }
  return assert.fail('no free port found')
}
