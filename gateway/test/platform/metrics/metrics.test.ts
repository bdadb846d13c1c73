import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMetrics } from '../../../src/platform/metrics/metrics.ts'
import { aShop, gateway } from '../../harness/gateway.ts'
import { until } from '../../harness/until.ts'

const typesIn = (text: string): string[] => [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name)

test('each gateway in a process reports its own requests, and all report the process', async () => {
  const [one, other] = [openMetrics(), openMetrics()]
  one.requests('/somewhere')('GET', 200, 0.1)
  assert.match(await one.text(), /^kobo_http_request_seconds_count\{[^}]*path="\/somewhere"[^}]*\} 1$/m)
  assert.doesNotMatch(await other.text(), /somewhere/)
  for (const { text } of [one, other]) {
    const types = typesIn(await text())
    for (const name of ['process_resident_memory_bytes', 'nodejs_eventloop_lag_seconds', 'kobo_lane_depth'])
      assert.ok(types.includes(name), name)
    assert.equal(new Set(types).size, types.length, 'each metric is reported once')
  }
})

test('/metrics is in Prometheus format and includes each lane’s depth', async () => {
  const shop = await aShop()
  const { status, headers, text } = await shop.send('GET', '/metrics')
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  assert.match(text, /^kobo_lane_depth\{lane="[^"]+"\} \d+$/m)
})

test('a scrape does not measure itself: no one waits for a connection of an idle gateway', async (t) => {
  const shop = await gateway(t)
  // A worker may wait for a connection for a moment; a scrape that measured itself would wait every time.
  await until('a scrape finds no one waiting', async () => {
    const { text } = await shop.send('GET', '/metrics')
    return /^kobo_orders\{/m.test(text) && /^kobo_database_connections\{state="waiting"\} 0$/m.test(text)
  })
})
