import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { eventStreams } from '../../../src/platform/http/event-streams.ts'
import { openHttp } from '../../../src/platform/http/server.ts'
import { openMetrics } from '../../../src/platform/metrics/metrics.ts'
import { openLog } from '../../../src/platform/observability/log.ts'
import { until } from '../../harness/until.ts'

const BOUNDS = { all: 6, ofNetwork: 4 }

/** A server with few places, and listeners that connect through a proxy from any address. */
async function listening(t: TestContext) {
  const http = openHttp({ log: openLog('silent'), metrics: openMetrics(), trustedProxies: ['127.0.0.1'] })
  const streams = eventStreams(http, BOUNDS)
  streams.serve('/events', async () => () => {})
  await http.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => http.close())
  const { port } = http.server.address() as AddressInfo
  const listen = (address: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = { 'x-forwarded-for': address }
      const request = get({ host: '127.0.0.1', port, path: '/events', headers, agent: false }, resolve)
      request.on('error', reject)
      t.after(() => request.destroy())
    })
  return { listen, count: streams.count }
}

const isOver = (stream: IncomingMessage): boolean => stream.readableEnded || stream.destroyed

test('streams are limited per network, whichever of its addresses they come from', async (t) => {
  const { listen, count } = await listening(t)
  for (let nth = 1; nth <= BOUNDS.ofNetwork; nth++) assert.equal((await listen(`2c0f:f00::${nth}`)).statusCode, 200)
  assert.equal((await listen('2c0f:f00::99')).statusCode, 503)
  assert.equal(count(), BOUNDS.ofNetwork)
})

test('when all places are taken, a new listener replaces the oldest one of the network with the most, so no network gets all', async (t) => {
  const { listen, count } = await listening(t)
  const first = await Promise.all(['198.51.100.1', '198.51.100.1'].map(listen))
  const greedy: IncomingMessage[] = []
  for (let nth = 0; nth < BOUNDS.ofNetwork; nth++) greedy.push(await listen('203.0.113.7'))
  for (const stream of [...first, ...greedy]) stream.resume()
  assert.equal(count(), BOUNDS.all)

  const newcomer = await listen('192.0.2.1')
  assert.equal(newcomer.statusCode, 200)
  await until('the oldest stream of the busiest network is closed', () => greedy.some(isOver))
  assert.equal(count(), BOUNDS.all)
  assert.deepEqual(greedy.map(isOver), [true, false, false, false])
  assert.deepEqual(first.map(isOver), [false, false])
  // The network with the most replaces none of the others.
  assert.equal((await listen('203.0.113.7')).statusCode, 503)
  assert.ok(!isOver(newcomer))
})
