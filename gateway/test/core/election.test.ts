import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { standForElection } from '../../src/core/election.ts'
import { openDatabase } from '../../src/platform/postgres/db.ts'
import { databaseProxy } from '../harness/database-proxy.ts'
import { client } from '../harness/gateway.ts'
import { ownDatabase } from '../harness/postgres.ts'
import { command, startProgram } from '../harness/processes.ts'
import { slow } from '../harness/slow.ts'
import { until } from '../harness/until.ts'

const TERM_SECONDS = 1

test('one of several processes is elected; when it stops, is cut off or may not continue, another takes over', async (t) => {
  const { url, drop } = await ownDatabase()
  const ways = [await databaseProxy(t, url), await databaseProxy(t, url), await databaseProxy(t, url)]
  const dbs = ways.map((way) => openDatabase(way.url, 1))
  const isUnfit = new Set<number>()
  const processes = dbs.map((db, nth) =>
    standForElection({ db, task: 'sweeps', mayStand: () => !isUnfit.has(nth), termSeconds: TERM_SECONDS }),
  )
  t.after(async () => {
    await Promise.all(processes.map(({ stop }) => stop()))
    await Promise.all(dbs.map((db) => db.end()))
    await drop()
  })
  /** Waits until a process other than the previous one is elected; returns its index. */
  const next = async (before: number): Promise<number> => {
    let found = -1
    await until('another process is elected', () => {
      assert.ok(processes.filter(({ isElected }) => isElected()).length <= 1, 'never two at once')
      found = processes.findIndex(({ isElected }) => isElected())
      return found !== -1 && found !== before
    })
    return found
  }
  const first = await next(-1)
  isUnfit.add(first)
  const second = await next(first)
  ways[second]?.disconnect()
  isUnfit.clear()
  const third = await next(second)
  await processes[third]?.stop()
  assert.equal(processes[third]?.isElected(), false)
  await next(third)
})

slow('when the process that runs the sweeps is killed, another takes over', async (t) => {
  const { url, drop } = await ownDatabase()
  const db = openDatabase(url, 1)
  t.after(async () => {
    await db.end()
    await drop()
  })
  const env = { PORT: '0', DATABASE_URL: url, KOBO_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
  const start = async () => {
    const program = startProgram(t, 'gateway/src/main.ts', [], env)
    return { program, url: await program.says(/^Kobo is ready at (\S+)/m) }
  }
  type Node = Awaited<ReturnType<typeof start>>
  const isElected = async ({ url }: Node): Promise<boolean> =>
    /^kobo_elected\{task="sweeps"\} 1$/m.test(await (await fetch(`${url}/metrics`)).text())
  const first = await start()
  await until('the only process is elected', () => isElected(first))
  const second = await start()
  const [elected, other] = (await isElected(first)) ? [first, second] : [second, first]

  const { stdout } = await command(env, 'credentials')
  const merchant = await client(other.url, JSON.parse(stdout))
  /** Does something that a sweep has to finish. */
  const act = async (): Promise<void> => {
    await merchant.call(contract.changeSettings, { body: { otpEnabled: false } })
    await until('the audit records are in the chain', async () => (await db`select from audit_unsealed`).count === 0)
  }
  await act()
  elected.program.child.kill('SIGKILL')
  await elected.program.ended
  await act()
  await until('the other process is elected', () => isElected(other))
})
