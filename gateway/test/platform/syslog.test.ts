import assert from 'node:assert/strict'
import process from 'node:process'
import { test } from 'node:test'
import { openSyslog } from '../../src/platform/syslog.ts'
import { freePort } from '../harness/ports.ts'
import { syslogServer } from '../harness/syslog-server.ts'
import { until } from '../harness/until.ts'

const MESSAGES = 30

test('sending often over one connection adds no listeners to it', async (t) => {
  const port = await freePort()
  const { messages } = await syslogServer(t, port)
  const warnings: string[] = []
  const warn = ({ name }: Error): void => void warnings.push(name)
  process.on('warning', warn)
  const syslog = openSyslog(`tcp://127.0.0.1:${port}`)
  t.after(() => {
    process.off('warning', warn)
    syslog.close()
  })
  for (let number = 0; number < MESSAGES; number++)
    await syslog.send([{ at: new Date(0), id: 'settings.change', text: String(number) }])
  await until('all arrive', async () => messages.length === MESSAGES)
  assert.deepEqual(
    warnings.filter((name) => name === 'MaxListenersExceededWarning'),
    [],
  )
})
