import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  cp,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { createServer, Server } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { findBinaries, restoreLinks } from '../../../src/platform/postgres/embedded/binaries.ts'
import { findHome, mayPass } from '../../../src/platform/postgres/embedded/home.ts'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  findEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../src/platform/postgres/embedded/index.ts'
import { readLock } from '../../../src/platform/postgres/embedded/lock.ts'
import { endLater, ownFolder } from '../../harness/clear-up.ts'
import { until } from '../../harness/until.ts'

const MODULE = new URL('../../../src/platform/postgres/embedded/index.ts', import.meta.url).href
const LOG_BYTES_FULL = 10_000_001
const IS_ROOT = process.getuid?.() === 0

test('a first start that was killed half-way is completed by the next, in a folder with any name', async (t) => {
  const { directory, start } = await aDirectory(t, 'ọjà & “data”')
  const has = async (name: RegExp): Promise<boolean> =>
    (await readdir(directory).catch(() => [])).some((entry) => name.test(entry))
  await until('a first start is killed half-way', async () => {
    await rm(directory, { recursive: true, force: true })
    const killed = startElsewhere(t, directory)
    await until('the cluster is being created', () => has(/^cluster/))
    await killed.kill()
    if (await has(/^cluster$/)) await stopWhatRuns(directory)
    return !(await has(/^cluster$/))
  })
  assert.equal(await findEmbeddedPostgres(directory), undefined)

  const { url } = await start({ durable: true })

  assert.deepEqual((await readdir(directory)).sort(), ['cluster', 'password', 'postgres.log'])
  assert.equal((await stat(join(directory, 'password'))).mode & 0o777, 0o600)
  assert.match(url, /^postgres:\/\/kobo:[0-9a-f]{48}@127\.0\.0\.1:\d+\/kobo\?sslmode=disable$/)
  const expected = {
    data_checksums: 'on',
    fsync: 'on',
    full_page_writes: 'on',
    jit: 'off',
    listen_addresses: '127.0.0.1',
    password_encryption: 'scram-sha-256',
    server_encoding: 'UTF8',
    synchronous_commit: 'on',
    TimeZone: 'UTC',
    unix_socket_directories: '',
  }
  const rows = await query<{ name: string; setting: string }>(
    url,
    `select name, setting from pg_settings where name in ('${Object.keys(expected).join("','")}')`,
  )
  assert.deepEqual(Object.fromEntries(rows.map(({ name, setting }) => [name, setting])), expected)
})

test('rows survive a stop, and a full log is rotated', async (t) => {
  const { directory, start } = await aDirectoryInUse(t)
  const first = await start({ settings: { work_mem: '5MB' } })
  assert.deepEqual(await query(first.url, 'show work_mem'), [{ work_mem: '5MB' }])
  assert.deepEqual(await query(first.url, 'show fsync'), [{ fsync: 'off' }])
  assert.equal(await findEmbeddedPostgres(directory), first.url)
  await query(first.url, 'create table kept as select 42 as answer')
  await Promise.all([first.stop(), first.stop()])
  assert.equal(await findEmbeddedPostgres(directory), undefined)
  await truncate(join(directory, 'postgres.log'), LOG_BYTES_FULL)

  const second = await start()

  assert.deepEqual(await query(second.url, 'select answer from kept'), [{ answer: 42 }])
  assert.equal((await stat(join(directory, 'postgres.log.1'))).size, LOG_BYTES_FULL)
  assert.ok((await stat(join(directory, 'postgres.log'))).size < LOG_BYTES_FULL)
})

test('simultaneous starts end with one server', async (t) => {
  const { directory, start } = await aDirectory(t)
  const elsewhere = startElsewhere(t, directory)

  const here = await Promise.all([start(), start()])

  assert.deepEqual(
    here.map(({ url }) => url),
    Array(2).fill(await elsewhere.url),
  )
  assert.deepEqual((await readdir(directory)).sort(), ['cluster', 'password', 'postgres.log'])
})

test('a server that outlived its gateway is taken over, and stopped by the process that took it', async (t) => {
  const { directory, start } = await aDirectoryInUse(t)
  const gateway = startElsewhere(t, directory)
  const url = await gateway.url
  await gateway.kill()

  const adopted = await start()

  assert.equal(adopted.url, url)
  await adopted.stop()
  assert.equal(await findEmbeddedPostgres(directory), undefined)
  await assert.rejects(query(url, 'select'), { code: 'ECONNREFUSED' })
})

test('a running server does not keep its gateway from exiting', async (t) => {
  const { directory, start } = await aDirectoryInUse(t)
  const gateway = startElsewhere(t, directory, '')
  assert.equal(await gateway.exitCode, 0)
  assert.equal((await start()).url, await gateway.url)
})

test('a server that was killed restarts with all committed data', async (t) => {
  const { directory, start } = await aDirectoryInUse(t)
  const first = await start({ durable: true })
  await query(first.url, 'create table also_kept as select 42 as answer')
  process.kill(await pidOf(directory), 'SIGKILL')

  const second = await start()

  assert.deepEqual(await query(second.url, 'select answer from also_kept'), [{ answer: 42 }])
})

test('a lock file that names another program, or nothing, does not block the start', async (t) => {
  const { directory, start } = await aDirectoryInUse(t)
  const lock = join(directory, 'cluster', 'postmaster.pid')
  const first = await start()
  const text = await readFile(lock, 'utf8')
  await first.stop()
  const { uid, gid } = await stat(join(directory, 'cluster'))
  const other = spawn('sleep', ['3600'], { stdio: 'ignore', ...(IS_ROOT ? { uid, gid } : {}) })
  endLater(other, 'sleep')
  t.after(() => other.kill())

  await writeFile(lock, text.replace(/^\d+/, String(other.pid)))
  await chown(lock, uid, gid)
  assert.equal(await findEmbeddedPostgres(directory), undefined)
  await (await start()).stop()
  assert.equal(other.exitCode ?? other.signalCode, null, 'the other program still runs')

  await writeFile(lock, '')
  await chown(lock, uid, gid)
  await start()
})

test('a copied directory gets its own server, a renamed one keeps its server', async (t) => {
  const { directory, start } = await aDirectoryInUse(t)
  const { url } = await start()
  await query(url, 'checkpoint')
  const copy = `${directory} copy`
  t.after(() => rm(copy, { recursive: true, force: true }))
  await cp(directory, copy, { recursive: true, preserveTimestamps: true })

  assert.equal(await findEmbeddedPostgres(copy), undefined)
  const second = await startEmbeddedPostgres({ directory: copy, durable: false })
  try {
    assert.notEqual(second.url, url)
    assert.equal(await findEmbeddedPostgres(copy), second.url)
    assert.equal(await findEmbeddedPostgres(directory), url)
  } finally {
    await second.stop()
  }

  await rename(directory, `${directory} renamed`)
  assert.equal(await findEmbeddedPostgres(`${directory} renamed`), url)
  await rename(`${directory} renamed`, directory)
})

test('if the chosen port is taken meanwhile, another is used', async (t) => {
  const { directory, start } = await aDirectoryInUse(t)
  const occupant = createServer().listen(0, '127.0.0.1')
  await once(occupant, 'listening')
  t.after(() => occupant.close())
  const taken = occupant.address()
  t.mock.method(Server.prototype, 'address', () => taken, { times: 1 })

  const { url } = await start()

  assert.match(await readFile(join(directory, 'postgres.log'), 'utf8'), /could not create any TCP\/IP sockets/)
  await query(url, 'select')
})

test('a failed start shows the server’s own message and a fix', async (t) => {
  const { directory, start } = await aDirectory(t)
  await assert.rejects(start({ settings: { shared_buffers: 'plenty' } }), (error: Error) => {
    assert.match(error.message, /invalid value for parameter "shared_buffers": "plenty"/)
    assert.match(error.message, /DATABASE_URL/)
    return true
  })
  await rm(join(directory, 'password'))
  await assert.rejects(start(), /password is missing: restore/)
  await rm(join(directory, 'cluster'), { recursive: true })
  await writeFile(join(directory, 'password'), '')
  await assert.rejects(start(), /password file ".*" is empty[\s\S]*DATABASE_URL/)
  await assert.rejects(findBinaries(undefined, 'plan9-mips'), /No PostgreSQL for plan9-mips[\s\S]*DATABASE_URL/)
})

test('links that an install without scripts left out are created', async (t) => {
  const { directory } = await aDirectory(t)
  await mkdir(join(directory, 'native', 'lib'), { recursive: true })
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]
  await writeFile(join(directory, 'native', 'pg-symlinks.json'), JSON.stringify(links))

  await restoreLinks(directory)
  await restoreLinks(directory)

  assert.equal(await readlink(join(directory, 'native', 'lib', 'libpq.so.5')), 'libpq.so.5.18')
})

test('access is decided by the first of owner, group and others that matches the account', () => {
  const account = { uid: 5, gid: 7 }
  const table = [
    [{ uid: 5, gid: 0, mode: 0o700 }, true],
    [{ uid: 5, gid: 7, mode: 0o077 }, false],
    [{ uid: 0, gid: 7, mode: 0o710 }, true],
    [{ uid: 0, gid: 7, mode: 0o701 }, false],
    [{ uid: 0, gid: 0, mode: 0o701 }, true],
    [{ uid: 0, gid: 0, mode: 0o776 }, false],
  ] as const
  for (const [folder, may] of table) assert.equal(mayPass(account, folder), may, JSON.stringify(folder))
})

test('for root, a folder that PostgreSQL cannot enter gets a note with the location of the database', {
  skip: !IS_ROOT,
}, async (t) => {
  const { directory, start } = await aDirectory(t)
  const closed = join(directory, '..')
  await chmod(closed, 0o700)
  const { url, stop } = await start()
  const home = await findHome(directory)
  t.after(() => rm(home, { recursive: true, force: true }))

  assert.match(home, /^\/var\/lib\/kobo\/[0-9a-f]{12}-[0-9a-f]{8}$/)
  assert.deepEqual(await readdir(directory), ['moved-to.txt'])
  assert.equal(await findEmbeddedPostgres(directory), url)
  await query(url, 'create table kept as select 42 as answer')
  await stop()
  await chmod(closed, 0o711)
  assert.deepEqual(await query((await start()).url, 'select answer from kept'), [{ answer: 42 }])

  await writeFile(join(directory, 'moved-to.txt'), '/etc\n')
  await assert.rejects(start(), /does not name a folder that Kobo created/)
  await writeFile(join(directory, 'moved-to.txt'), `${home}\n`)
})

test('for root, a cluster is not replaced by an empty one if its folder is inaccessible', {
  skip: !IS_ROOT,
}, async (t) => {
  const { directory, start } = await aDirectoryInUse(t)
  await (await start()).stop()
  await chmod(join(directory, '..'), 0o700)
  t.after(() => chmod(join(directory, '..'), 0o711))
  await assert.rejects(start(), /cannot enter/)
})

interface Elsewhere {
  readonly url: Promise<string>
  readonly exitCode: Promise<number | null>
  /** Kills the whole process group, as closing a terminal may do. */
  readonly kill: () => Promise<unknown>
}

/** A directory of the test's own. Any server still running on it is stopped at the end. */
async function aDirectory(t: TestContext, name = 'postgres') {
  const parent = ownFolder('postgres')
  const directory = join(parent, name)
  t.after(async () => {
    await stopWhatRuns(directory)
    await rm(parent, { recursive: true, force: true, maxRetries: 5 })
  })
  return { directory, start: starting(directory) }
}

let inUse: string | undefined

/** A directory that earlier tests may have used, since creating a cluster takes a second. No server runs on it. */
async function aDirectoryInUse(t: TestContext) {
  inUse ??= ownFolder('postgres')
  const directory = join(inUse, 'postgres')
  t.after(() => stopWhatRuns(directory))
  return { directory, start: starting(directory) }
}

const starting =
  (directory: string) =>
  (options: Omit<EmbeddedPostgresOptions, 'directory'> = {}): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({ directory, durable: false, ...options })

async function stopWhatRuns(directory: string): Promise<void> {
  if ((await findEmbeddedPostgres(directory)) !== undefined) await (await startEmbeddedPostgres({ directory })).stop()
}

/** Starts the server from another process, in its own process group. */
function startElsewhere(t: TestContext, directory: string, andThen = 'setInterval(() => {}, 1000)'): Elsewhere {
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(MODULE)}
    console.log((await startEmbeddedPostgres({ directory: ${JSON.stringify(directory)}, durable: false })).url)
    ${andThen}`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  endLater(child, MODULE)
  const url = once(child.stdout, 'data').then(([line]) => String(line).trim())
  const exitCode = once(child, 'exit').then(([code]) => code as number | null)
  const kill = (): Promise<unknown> => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL')
    return exitCode
  }
  t.after(kill)
  return { url, exitCode, kill }
}

async function pidOf(directory: string): Promise<number> {
  const lock = await readLock(join(directory, 'cluster'))
  return lock?.pid ?? assert.fail('no server runs')
}

async function query<T extends object>(url: string, statement: string): Promise<T[]> {
  const client = new pg.Client(url)
  client.on('error', () => {}) // some of these tests kill the server
  await client.connect()
  try {
    return (await client.query<T>(statement)).rows
  } finally {
    await client.end()
  }
}
