import assert from 'node:assert/strict'
import * as contract from '@kobo/contract'
import { gateway } from '../../harness/gateway.ts'
import { freePort } from '../../harness/ports.ts'
import { slow } from '../../harness/slow.ts'
import { syslogServer } from '../../harness/syslog-server.ts'
import { until } from '../../harness/until.ts'

const MESSAGE = /^<110>1 \S+Z \S+ kobo \d+ (\S+) - (\{.*\})$/

slow('every audit record reaches the syslog server in order, also those made while it was away', async (t) => {
  const port = await freePort()
  const { messages, listen, stop } = await syslogServer(t, port)
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
