import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import * as contract from '@kobo/contract'
import pg from 'pg'
import type { Credentials } from '../../src/features/sandbox/index.ts'
import { findEmbeddedPostgres } from '../../src/platform/postgres/embedded/index.ts'
import { readLock } from '../../src/platform/postgres/embedded/lock.ts'
import { ownFolder } from '../harness/clear-up.ts'
import { basic, type Client, client } from '../harness/gateway.ts'
import { long } from '../harness/long.ts'
import { command, type Program, startProgram } from '../harness/processes.ts'
import { type ApiResponse, checkFailure } from '../harness/responses.ts'
import { aTransaction } from '../harness/samples.ts'
import { slow } from '../harness/slow.ts'
import { until, WAIT_MILLISECONDS_MAX } from '../harness/until.ts'
import { type WebhookEndpoint, webhookEndpoint } from '../harness/webhook-endpoint.ts'

const CALLERS = 12
const TRY_MILLISECONDS_MAX = 10_000

/** The data folder of the tests' gateways, one after another: each finds what the previous one left. */
const data = ownFolder('program')
const postgres = join(data, 'postgres')

const postmaster = async (): Promise<number> =>
  (await readLock(join(postgres, 'cluster')))?.pid ?? assert.fail('no PostgreSQL runs')

const run = (t: TestContext, env: NodeJS.ProcessEnv = {}, ...args: readonly string[]): Program =>
  startProgram(t, 'gateway/src/main.ts', args, { KOBO_DATA_DIR: data, PORT: '0', ...env })

interface Shop extends Client {
  readonly gateway: Program
  readonly url: string
}

let keys: Credentials | undefined

/** A gateway that is ready, and its merchant with the keys of the first start. */
async function open(t: TestContext, env: NodeJS.ProcessEnv = {}): Promise<Shop> {
  const gateway = run(t, env)
  const url = await gateway.says(/^Kobo is ready at (\S+)/m)
  keys ??= await readKeys()
  return { ...(await client(url, keys)), gateway, url }
}

async function readKeys(): Promise<Credentials> {
  const { code, stdout, stderr } = await command({ KOBO_DATA_DIR: data }, 'credentials')
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

async function stop({ child, ended, stderr }: Program): Promise<void> {
  child.kill('SIGTERM')
  assert.equal(await ended, 0, stderr())
  assert.equal(await findEmbeddedPostgres(postgres), undefined, 'PostgreSQL is gone')
}

async function verifyLedger(): Promise<void> {
  const { code, stdout, stderr } = await command({ KOBO_DATA_DIR: data }, 'ledger', 'verify', '--all', '--json')
  assert.equal(code, 0, stdout + stderr)
  const { imbalance, wrong } = JSON.parse(stdout)
  assert.deepEqual({ imbalance, wrong }, { imbalance: '0', wrong: [] })
}

/** The gateway's acknowledgements and other responses under load. */
interface Load {
  /** By transaction reference: PAYING if a payment was sent and got no response. */
  readonly acknowledged: Map<string, 'PENDING' | 'PAYING' | 'PAID'>
  readonly failures: ApiResponse[]
  readonly unanswered: unknown[]
  /** Ends the load once every open request has its response. */
  readonly end: () => Promise<void>
}

const paidOf = ({ acknowledged }: Load): number =>
  [...acknowledged.values()].filter((status) => status === 'PAID').length

/** The Prometheus values under a name with these labels. */
function valuesOf(text: string, ...has: readonly string[]): { readonly count: number; readonly sum: number } {
  const lines = text.split('\n').filter((line) => has.every((part) => line.includes(part)))
  return { count: lines.length, sum: lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0) }
}

/** Plays several customers at once, each of whom makes and pays one purchase after another. */
function underLoad(t: TestContext, shop: Shop): Load {
  let ended = false
  t.after(() => {
    ended = true
  })
  const load: Load = {
    acknowledged: new Map(),
    failures: [],
    unanswered: [],
    end: async () => {
      ended = true
      await callers
    },
  }
  const request = async <R extends contract.Route>(route: R, body: object): Promise<contract.Reply<R> | undefined> => {
    try {
      const response = await shop.send(route.method, route.path, { body })
      if (response.status === 200) return response.body.responseBody as contract.Reply<R>
      load.failures.push(response)
    } catch (error) {
      load.unanswered.push(error)
    }
    return undefined
  }
  const buy = async (): Promise<void> => {
    const begun = await request(contract.initTransaction, aTransaction(shop))
    if (begun === undefined) return
    const { transactionReference } = begun
    load.acknowledged.set(transactionReference, 'PENDING')
    const account = await request(contract.initBankTransfer, { transactionReference })
    if (account === undefined) return
    load.acknowledged.set(transactionReference, 'PAYING')
    const { bankCode, accountNumber, totalPayable } = account
    const paid = await request(contract.payIntoAccount, { bankCode, accountNumber, amount: totalPayable })
    if (paid?.status === 'ACCEPTED') load.acknowledged.set(transactionReference, 'PAID')
  }
  const callers = Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (!ended) await buy()
    }),
  )
  return load
}

/** Every acknowledged transaction exists, in its acknowledged state. Returns the references of the paid ones. */
async function findAcknowledged(shop: Shop, { acknowledged }: Load): Promise<readonly string[]> {
  const paid: string[] = []
  for (const [transactionReference, status] of acknowledged) {
    const found = await shop.call(contract.getTransaction, { params: { transactionReference } })
    const { paymentStatus, amountPaid } = found
    const expected = status === 'PAYING' ? [paymentStatus === 'PAID' ? 'PAID' : 'PENDING'] : [status]
    assert.deepEqual([paymentStatus], expected, transactionReference)
    assert.equal(Number(amountPaid), paymentStatus === 'PAID' ? 5_000 : 0, transactionReference)
    if (paymentStatus === 'PAID') paid.push(transactionReference)
  }
  return paid
}

async function arrived({ received }: WebhookEndpoint, references: readonly string[]): Promise<void> {
  const missing = (): string[] => {
    const delivered = new Set(received.map(({ event }) => event.eventData['transactionReference']))
    return references.filter((reference) => !delivered.has(reference))
  }
  await until(`the events of ${references.length} payments arrive`, () => missing().length === 0)
}

const sendTo = async (shop: Shop, { url }: WebhookEndpoint): Promise<void> => {
  await shop.call(contract.changeSettings, { body: { webhookUrl: url } })
}

long('a first start prints address and keys, logs no secret, and SIGTERM ends it and its PostgreSQL', async (t) => {
  const shop = await open(t, { LOG_LEVEL: 'trace', KOBO_COMPAT: 'gomonnify' })
  const { compat } = await shop.call(contract.getMerchantSettings, {})
  assert.deepEqual(compat, [...contract.CLIENT_PROFILES.gomonnify.needs], 'its settings reach the core')
  const { gateway, url, credentials, token } = shop
  for (const value of Object.values(credentials)) assert.ok(gateway.stdout().includes(value), `${value} is shown`)
  const load = underLoad(t, shop)
  await until('payments are made', () => paidOf(load) > 10)
  await load.end()
  const { secretKey } = credentials
  for (const authorization of [basic({ apiKey: secretKey, secretKey }), `Bearer ${secretKey}`, secretKey])
    assert.equal((await shop.send('POST', contract.login.path, { headers: { authorization } })).status, 401)
  await shop.send('GET', `/health/live?secretKey=${secretKey}`)
  const running = JSON.parse(await readFile(join(data, 'running.json'), 'utf8'))
  assert.deepEqual(running, { pid: gateway.child.pid, url })

  await stop(gateway)

  const logged = gateway
    .stdout()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  assert.ok(logged.length > 30, 'requests are logged')
  for (const line of logged) JSON.parse(line)
  const log = logged.join('\n') + gateway.stderr()
  for (const secret of [secretKey, token, basic(credentials).slice(6)])
    assert.ok(!log.includes(secret), 'a secret is in the log')
  assert.equal((await readKeys()).baseUrl, url, 'commands know where it ran')
})

slow('SIGTERM while it starts leaves no PostgreSQL behind', async (t) => {
  const isStarting = async (): Promise<boolean> =>
    (await stat(join(postgres, 'cluster', 'postmaster.pid')).catch(() => undefined)) !== undefined
  await until('it gets the signal before it is ready', async () => {
    const gateway = run(t)
    await until('PostgreSQL starts', isStarting)
    const isReady = gateway.stdout() !== ''
    await stop(gateway)
    return !isReady
  })
})

long('acknowledged work survives kill -9, and its events arrive', async (t) => {
  const events = await webhookEndpoint(t)
  const killed = await open(t)
  await sendTo(killed, events)
  const load = underLoad(t, killed)
  await until('payments are made', () => paidOf(load) > 50)
  killed.gateway.child.kill('SIGKILL')
  assert.equal(await killed.gateway.ended, 'SIGKILL')
  await load.end()
  assert.ok(load.unanswered.length > 0, 'some requests were in progress')
  assert.deepEqual(load.failures, [])

  const shop = await open(t)

  const paid = await findAcknowledged(shop, load)
  await verifyLedger()
  await arrived(events, paid)
  await stop(shop.gateway)
})

slow('connections that the database ends under load fail single requests, never an acknowledged one', async (t) => {
  const events = await webhookEndpoint(t)
  const shop = await open(t)
  await sendTo(shop, events)
  const admin = new pg.Client(await findEmbeddedPostgres(postgres))
  await admin.connect()
  const { rows } = await admin.query(
    `select query from pg_stat_activity join pg_roles r on r.oid = usesysid
      where application_name = 'kobo' and rolsuper and query not like '%advisory_lock%'`,
  )
  assert.deepEqual(rows, [], 'the program does not run as the superuser')
  const load = underLoad(t, shop)
  for (let round = 1; round <= 3; round++) {
    const before = paidOf(load)
    await until('payments are made', () => paidOf(load) > before + 20)
    const { rowCount } = await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'kobo'`,
    )
    assert.ok((rowCount ?? 0) > 3, 'connections were ended')
  }
  const before = paidOf(load)
  await until('payments are made again', () => paidOf(load) > before + 20)
  await load.end()
  await admin.end()
  assert.deepEqual(load.unanswered, [])
  for (const response of load.failures) checkFailure(response)

  const paid = await findAcknowledged(shop, load)
  await verifyLedger()
  await arrived(events, paid)
  const second = run(t)
  assert.equal(await second.ended, 1, 'the data folder is still held')
  await stop(shop.gateway)
})

slow(
  'while PostgreSQL is down every request fails in the envelope; a restart finds all acknowledged payments',
  async (t) => {
    const bereft = await open(t)
    const load = underLoad(t, bereft)
    await until('payments are made', () => paidOf(load) > 50)
    process.kill(await postmaster(), 'SIGKILL')
    await until('requests fail', () => load.failures.length > 50)
    await load.end()
    assert.deepEqual(load.unanswered, [])
    for (const response of load.failures) {
      checkFailure(response)
      assert.equal(response.status, 503, response.text)
    }
    assert.equal((await bereft.send('GET', '/health/live')).status, 200)
    assert.equal((await bereft.send('GET', '/health/ready')).status, 503)
    bereft.gateway.child.kill('SIGTERM')
    await bereft.gateway.ended

    const shop = await open(t)

    await findAcknowledged(shop, load)
    await verifyLedger()
    await stop(shop.gateway)
  },
)

slow('while one runs', async (t) => {
  const shop = await open(t)
  const { gateway, url } = shop

  await t.test('a second start on the same data says that one is running, and leaves it unharmed', async () => {
    const second = run(t)
    assert.equal(await second.ended, 1)
    assert.equal(second.stdout(), '')
    assert.match(second.stderr(), /^Kobo is already running on .+\nStop it first/)
    assert.ok(second.stderr().includes(`${url} (process ${gateway.child.pid})`), second.stderr())
    await shop.call(contract.initTransaction, { body: aTransaction(shop) })
  })

  await t.test('SIGTERM: open requests get their responses, and an idle connection is not waited for', async () => {
    const silent = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {}) // as browsers preconnect
    t.after(() => silent.destroy())
    await once(silent, 'connect')
    const bodies = Array.from({ length: 5 }, () => JSON.stringify(aTransaction(shop)))
    const requests = bodies.map((body) =>
      request(url + contract.initTransaction.path, {
        method: 'POST',
        agent: false,
        headers: {
          authorization: `Bearer ${shop.token}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          expect: '100-continue',
        },
      }),
    )
    const responses = requests.map((one) => once(one, 'response') as Promise<[IncomingMessage]>)
    await Promise.all(
      requests.map((one) => {
        one.flushHeaders()
        return once(one, 'continue')
      }),
    )
    gateway.child.kill('SIGTERM')
    await until('it takes no new connection', () =>
      fetch(url, { headers: { connection: 'close' } }).then(
        () => false,
        () => true,
      ),
    )
    for (const [index, one] of requests.entries()) one.end(bodies[index])
    for (const [response] of await Promise.all(responses)) {
      assert.equal(response.statusCode, 200)
      response.resume()
    }
    await stop(gateway)
  })
})

slow(
  'with two serving processes, events and time reach both, a dead one is replaced, and SIGTERM stops all',
  async (t) => {
    const events = await webhookEndpoint(t)
    const shop = await open(t, { KOBO_WORKERS: '2', KOBO_MASTER_KEY_FILE: join(data, 'master.key') })
    await sendTo(shop, events)
    const load = underLoad(t, shop)
    await until('payments are made', () => paidOf(load) > 20)
    await load.end()
    assert.deepEqual([load.failures, load.unanswered], [[], []])
    const paid = await findAcknowledged(shop, load)
    await arrived(events, paid)

    const { text } = await shop.send('GET', '/metrics')
    assert.equal(valuesOf(text, 'kobo_payments_total{', 'status="PAID"').sum, paid.length, 'of all processes')
    assert.ok(valuesOf(text, 'kobo_event_attempts_total{', 'outcome="delivered"', 'process="first"').sum >= paid.length)
    assert.equal(valuesOf(text, 'process_resident_memory_bytes{').count, 3, 'of each process')
    assert.equal(valuesOf(text, 'kobo_orders{', 'state="UNRESOLVED"').count, 1, 'shared values are reported once')
    const types = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name)
    assert.equal(new Set(types).size, types.length, 'each metric is reported in one place')

    /** Each process's offset in seconds, by its process number, with which it starts its request ids. */
    const offsets = new Map<number, number>()
    const readClock = async (milliseconds = WAIT_MILLISECONDS_MAX): Promise<void> => {
      const response = await fetch(shop.url + contract.readClock.path, {
        headers: { authorization: `Bearer ${shop.token}`, connection: 'close' },
        signal: AbortSignal.timeout(milliseconds),
      })
      const pid = Number.parseInt(response.headers.get('x-request-id') ?? '', 36)
      const { responseBody } = (await response.json()) as { responseBody: contract.Reply<typeof contract.readClock> }
      offsets.set(pid, responseBody.offsetSeconds)
    }
    const { offsetSeconds } = await shop.call(contract.advanceClock, { body: { seconds: 3_600 } })
    await until('both processes have the new time', async () => {
      await readClock()
      return offsets.size === 2 && [...offsets.values()].every((offset) => offset === offsetSeconds)
    })
    const [victim = 0] = offsets.keys()
    process.kill(victim, 'SIGKILL')
    await until('another process replaces it', async () => {
      // A connection that was being handed to the dead process gets no response.
      await readClock(TRY_MILLISECONDS_MAX).catch(() => {})
      return offsets.size === 3
    })
    assert.ok([...offsets.values()].every((offset) => offset === offsetSeconds))
    offsets.delete(victim)
    assert.ok(!offsets.has(shop.gateway.child.pid ?? 0), 'the first process does not serve')
    await stop(shop.gateway)
    for (const pid of offsets.keys()) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  },
)

for (const workers of ['1', '2'])
  slow(`a port that is taken stops the start with ${workers} serving, before it creates a database`, async (t) => {
    const occupant = createServer().listen(0, '127.0.0.1')
    await once(occupant, 'listening')
    t.after(() => occupant.close())
    const { port } = occupant.address() as AddressInfo
    const folder = join(data, 'never-created')
    const { ended, stderr, stdout } = run(t, { PORT: String(port), KOBO_WORKERS: workers, KOBO_DATA_DIR: folder })
    assert.equal(await ended, 1)
    assert.match(stderr(), new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is in use by another program\\..*\\n$`))
    assert.equal(stdout(), '')
    await assert.rejects(stat(folder), { code: 'ENOENT' })
  })

slow('a start that fails after SIGTERM says why in one plain line', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const { child, ended, stderr, stdout } = run(t, { DATABASE_URL: `postgres://kobo@127.0.0.1:${port}/kobo` })
  server.on('connection', (socket) => {
    child.kill('SIGTERM')
    socket.end()
  })
  assert.equal(await ended, 1)
  assert.match(stderr(), /^[^\n]+ Start PostgreSQL [^\n]+\n$/)
  assert.doesNotMatch(stdout(), /shutdown failed/)
})

slow('invalid settings stop the program with a full list, before it touches anything', async (t) => {
  const folder = join(data, 'never-made')
  const env = { PORT: 'eighty', LOG_LEVEL: 'loud', KOBO_WORKERS: '0', KOBO_DATA_DIR: folder }
  const { ended, stdout, stderr } = run(t, env)
  assert.equal(await ended, 1)
  assert.equal(stdout(), '')
  const [title, ...lines] = stderr().trim().split('\n')
  assert.equal(title, 'Invalid settings:')
  assert.deepEqual(
    lines.map((line) => /^ {2}(\w+) must be /.exec(line)?.[1]),
    ['PORT', 'KOBO_WORKERS', 'LOG_LEVEL'],
  )
  await assert.rejects(stat(folder), { code: 'ENOENT' })
})

slow('--help prints every setting with its default, and starts nothing', async (t) => {
  const { ended, stdout, stderr } = run(t, { PORT: 'eighty' }, '--help')
  assert.equal(await ended, 0)
  assert.equal(stderr(), '')
  for (const name of ['PORT', 'HOST', 'DATABASE_URL', 'LOG_LEVEL', 'KOBO_ENVIRONMENT', 'KOBO_DATA_DIR', 'KOBO_WORKERS'])
    assert.match(stdout(), new RegExp(`^ {2}${name} +\\S.+\\(default: .+\\)$`, 'm'))
})
