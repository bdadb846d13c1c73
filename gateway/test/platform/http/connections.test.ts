import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { openHttp } from '../../../src/platform/http/server.ts'
import { openMetrics } from '../../../src/platform/metrics/metrics.ts'
import { openLog } from '../../../src/platform/observability/log.ts'
import { head, sendBytes } from '../../harness/socket.ts'
import { until } from '../../harness/until.ts'

/** Long enough for every test, except for the bound that it shortens. */
const BOUNDS = { connections: 3, requestMilliseconds: 600_000, silenceMilliseconds: 600_000, lingerMilliseconds: 100 }
const CHUNK = 'x'.repeat(1024 * 1024)
const CHUNKS = 64

/** A server with short timeouts, and callers that never hang up. */
async function listening(t: TestContext, changes: Partial<typeof BOUNDS> = {}) {
  const http = openHttp(
    { log: openLog('silent'), metrics: openMetrics(), trustedProxies: [] },
    { ...BOUNDS, ...changes },
  )
  http.get('/small', async () => ({ small: true }))
  http.get('/large', async () => CHUNK.repeat(CHUNKS))
  await http.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => http.close())
  const { port } = http.server.address() as AddressInfo
  const open = async (): Promise<{ readonly socket: Socket; readonly received: () => string }> => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setEncoding('utf8')
    let text = ''
    socket.on('error', () => {}) // a reset is how the server ends a caller that stays
    t.after(() => socket.destroy())
    await once(socket, 'connect')
    return {
      socket,
      received: () => {
        text += socket.read() ?? ''
        return text
      },
    }
  }
  const held = (): Promise<number> =>
    new Promise((resolve, reject) =>
      http.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    )
  return { url: `http://127.0.0.1:${port}`, open, held }
}

for (const [title, bytes, status] of [
  ['half a head', 'GET /small HTTP/1.1\r\nhost: localhost\r\n', 408],
  ['half a body', head('POST', '/nowhere', { 'content-length': 5 }), 404],
  ['no HTTP', 'hello\r\n\r\n', 400],
] as const)
  test(`a caller that sends ${title} and never hangs up gets its response, and its connection is closed`, async (t) => {
    const { open, held } = await listening(t, { requestMilliseconds: 100 })
    const { socket, received } = await open()
    socket.write(bytes)
    await until('the response has arrived', () => received().startsWith(`HTTP/1.1 ${status} `))
    await until('the connection is closed', async () => (await held()) === 0)
  })

test('a caller that does not read its response is disconnected', async (t) => {
  const { open, held } = await listening(t, { silenceMilliseconds: 500 })
  const { socket } = await open()
  socket.pause().write(head('GET', '/large', { connection: 'keep-alive' }))
  await until('the request was taken', () => socket.readableLength > 0)
  await until('the connection is closed', async () => (await held()) === 0)
})

test('connections are limited, and a new one is taken when another ends', async (t) => {
  const { url, open, held } = await listening(t)
  const callers = [await open(), await open(), await open()]
  await until('all places are taken', async () => (await held()) === BOUNDS.connections)
  const { socket: late } = await open()
  late.resume()
  await until('one more is dropped', () => late.readableEnded || late.destroyed)
  callers[0]?.socket.destroy()
  await until('a place is free', () =>
    sendBytes(url, head('GET', '/small')).then(
      ({ status }) => status === 200,
      () => false,
    ),
  )
})
