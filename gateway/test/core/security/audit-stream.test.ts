import assert from 'node:assert/strict'
import { createServer, type Server, type Socket } from 'node:net'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { gateway } from '../../harness/gateway.ts'
import { freePort } from '../../harness/ports.ts'
import { until } from '../../harness/until.ts'

/** The messages in a stream of octet-counted frames. */
function framesIn(bytes: Buffer): readonly string[] {
  const found: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(' ', at)
    const length = Number(bytes.subarray(at, space))
    if (space < 0 || space + 1 + length > bytes.length) break
    found.push(bytes.subarray(space + 1, space + 1 + length).toString())
    at = space + 1 + length
  }
  return found
}

const MESSAGE = /^<110>1 \S+Z \S+ kobo \d+ (\S+) - (\{.*\})$/

test('every audit record reaches the syslog server in order, also those made while it was away', async (t) => {
  const port = await freePort()
  const messages: string[] = []
  let server: Server | undefined
  const sockets = new Set<Socket>()
  const listen = async (): Promise<void> => {
    server = createServer((socket) => {
      sockets.add(socket)
      let bytes = Buffer.alloc(0)
      let taken = 0
      socket
        .on('error', () => {})
        .on('data', (part) => {
          bytes = Buffer.concat([bytes, part])
          const frames = framesIn(bytes)
          messages.push(...frames.slice(taken))
          taken = frames.length
        })
    })
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
  }
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())))
  }
  t.after(stop)
  await listen()
  const shop = await gateway(t, { env: { KOBO_AUDIT_SYSLOG: `tcp://127.0.0.1:${port}` } })
  const change = (lowBalanceThreshold: number): Promise<unknown> =>
    shop.call(contract.changeSettings, { body: { lowBalanceThreshold } })
  const reported = () => messages.map((message) => MESSAGE.exec(message) ?? assert.fail(message))
  const arrived = (value: number) => () =>
    reported().some(([, act, text = '']) => act === 'settings.change' && text.includes(String(value)))
  await change(1_111)
  await until('the change arrives', arrived(1_111))
  await stop()
  await change(2_222)
  await listen()
  await until('the change made meanwhile arrives', arrived(2_222))
  const numbers = new Set(reported().map(([, , text = '']) => Number(JSON.parse(text).number)))
  assert.deepEqual(
    [...numbers].sort((a, b) => a - b),
    Array.from({ length: numbers.size }, (_, index) => index + 1),
    'no gap',
  )
  const [unsent] = /^kobo_audit_unsent\{[^}]*\} (\d+)$/m.exec((await shop.send('GET', '/metrics')).text) ?? []
  assert.ok(unsent !== undefined)
})
