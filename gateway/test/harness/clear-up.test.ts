import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { runs } from '../../src/platform/postgres/embedded/lock.ts'
import { endLater } from './clear-up.ts'
import { GIVEN_SERVER_URL } from './postgres.ts'
import { slow } from './slow.ts'
import { until } from './until.ts'

const POSTGRES = new URL('postgres.ts', import.meta.url).href
const CLEAR_UP = new URL('clear-up.ts', import.meta.url).href

/** Starts a test process, with its own PostgreSQL and a program, that does something on command. */
async function aProcess(t: TestContext, something: string) {
  const script = `
    import { spawn } from 'node:child_process'
    import { startTestServer } from ${JSON.stringify(POSTGRES)}
    import { endLater } from ${JSON.stringify(CLEAR_UP)}
    const program = spawn('sleep', ['3600'])
    endLater(program, 'sleep')
    const { url } = await startTestServer()
    process.stdin.once('data', () => { ${something} })
    console.log(JSON.stringify({ url, pid: program.pid }))`
  const { [GIVEN_SERVER_URL]: _, ...env } = process.env
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'pipe', 'ignore'],
    // The shell may have a live gateway's settings, and tests must never use its database.
    env: { ...env, DATABASE_URL: 'postgres://live@127.0.0.1:1/live' },
  })
  endLater(child, '--input-type=module')
  t.after(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit').then(() => ['its process has ended'])
  const [line] = await Promise.race([once(child.stdout.setEncoding('utf8'), 'data'), ended])
  const { url, pid } = JSON.parse(line) as { url: string; pid: number }
  return { child, url, pid, folder: await folderOf(url) }
}

async function folderOf(url: string): Promise<string> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ data_directory: string }>('show data_directory')
  await client.end()
  return dirname(dirname(rows[0]?.data_directory ?? assert.fail('it has a folder')))
}

for (const [how, something, signal, mark] of [
  ['ends', 'process.exit()', undefined, slow],
  ['throws', "throw new Error('on purpose')", undefined, slow],
  ['is interrupted', '', 'SIGINT', slow],
  ['is killed', '', 'SIGKILL', test],
] as const)
  mark(`a test process that ${how} leaves no PostgreSQL, no program and no folder behind`, async (t) => {
    const { child, url, pid, folder } = await aProcess(t, something)
    assert.deepEqual([existsSync(folder), await runs(pid, 'sleep')], [true, true])

    if (signal === undefined) child.stdin.write('now')
    else child.kill(signal)

    await until('its folder is gone', () => !existsSync(folder))
    assert.equal(await runs(pid, 'sleep'), false)
    await assert.rejects(new pg.Client(url).connect(), { code: 'ECONNREFUSED' })
  })
