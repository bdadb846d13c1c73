import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import * as contract from '@kobo/contract'
import { migrateDatabase } from '../../../src/app/core.ts'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { isClean } from '../../../src/core/money/ledger/index.ts'
import { readSpread } from '../../../src/core/shards/index.ts'
import { ensureDemoMerchant, readCredentials } from '../../../src/features/sandbox/index.ts'
import { openLog } from '../../../src/platform/observability/log.ts'
import { databaseUrls } from '../../../src/platform/postgres/roles.ts'
import { distributeAt, joinServers, runQueries, serversOf } from '../../harness/citus.ts'
import { type Client, client, gateway, type Running, start, type TestGateway } from '../../harness/gateway.ts'
import { asOwner, emptyDatabase, GIVEN_SERVER_URL, ownDatabase } from '../../harness/postgres.ts'
import { anAccount, aTransaction, pay } from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'

const coordinator = process.env[GIVEN_SERVER_URL]
const servers = coordinator === undefined ? [] : await serversOf(coordinator)
const skip = servers.length < 2 && `${GIVEN_SERVER_URL} names no Citus coordinator`
/** A command that restarts a killed PostgreSQL, called with its data folder. Without it no worker is killed. */
const restart = process.env['KOBO_TEST_POSTGRES_START']

/** All that Citus knows of tables and shards, and of our functions. */
const placement = (url: string): Promise<Record<string, unknown>[]> =>
  runQueries(
    url,
    `select (select json_agg(p order by p.logicalrelid::text) from pg_dist_partition p)::text as tables,
            (select json_agg(s order by s.shardid) from pg_dist_shard s)::text as shards,
            (select json_agg(p order by p.placementid) from pg_dist_placement p)::text as placements,
            (select string_agg(prosrc, ' ' order by oid) from pg_proc where proname in ('is_listed', 'refuse_outdated')) as functions,
            (select string_agg(pg_get_constraintdef(oid), ' ' order by oid) from pg_constraint where contype = 'f') as keys`,
  )

test('merchants that are already distributed stay in place', { skip }, async (t) => {
  const own = await ownDatabase()
  t.after(own.drop)
  const before = await placement(own.ownerUrl)
  await distributeAt(own.ownerUrl)
  assert.deepEqual(await placement(own.ownerUrl), before)
})

const AMOUNT = 5_000

/** The merchant of a gateway. */
async function clientAt({ core, url }: Running): Promise<Client> {
  const credentials = await readCredentials(core, url)
  assert.ok(credentials !== undefined)
  return client(url, credentials)
}

/** Makes a bank transfer to a merchant. */
async function paidAt(shop: Client): Promise<string> {
  const account = await anAccount(shop, { amount: AMOUNT })
  await pay(shop, account, AMOUNT)
  return account.transactionReference
}

const MERCHANTS = 8
const ROUNDS_MAX = 10_000

/** The responses that callers received. */
interface Results {
  /** Transactions whose credit returned 200, with their merchants. */
  readonly acknowledged: { readonly client: Client; readonly reference: string }[]
  readonly rejected: Map<number, number>
}

/** Pays merchants, each payment once, until it is stopped. */
function load(clients: readonly Client[]): { readonly results: Results; readonly stop: () => Promise<void> } {
  const results: Results = { acknowledged: [], rejected: new Map() }
  let isOver = false
  const request = async (
    client: Client,
    route: contract.Route,
    body: object,
  ): Promise<Record<string, string> | undefined> => {
    const { status, body: response } = await client.send(route.method, route.path, { body })
    if (status !== 200) results.rejected.set(status, (results.rejected.get(status) ?? 0) + 1)
    return status === 200 ? (response.responseBody as Record<string, string>) : undefined
  }
  const payOnce = async (client: Client): Promise<void> => {
    const transaction = await request(client, contract.initTransaction, aTransaction(client, { amount: AMOUNT }))
    const reference = transaction?.['transactionReference']
    if (reference === undefined) return
    const account = await request(client, contract.initBankTransfer, { transactionReference: reference })
    if (account === undefined) return
    const { bankCode, accountNumber } = account
    const credit = await request(client, contract.payIntoAccount, { bankCode, accountNumber, amount: AMOUNT })
    if (credit !== undefined) results.acknowledged.push({ client, reference })
  }
  const all = clients.map(async (client) => {
    for (let round = 0; !isOver && round < ROUNDS_MAX; round++) await payOnce(client)
  })
  return {
    results,
    stop: async () => {
      isOver = true
      await Promise.all(all)
    },
  }
}

/** Every acknowledged credit is posted once, and the ledger is right. */
async function checkReported(
  shop: TestGateway,
  { acknowledged, rejected }: Results,
  failures: readonly string[],
): Promise<void> {
  assert.equal(rejected.get(500), undefined, `${JSON.stringify([...rejected])}\n${failures.join('')}`)
  for (const { client, reference } of acknowledged)
    await until(`${reference} is paid, once`, async () => {
      const found = await client.send(
        'GET',
        `${contract.queryTransaction.path}?transactionReference=${encodeURIComponent(reference)}`,
      )
      const { paymentStatus, amountPaid } = (found.body.responseBody ?? {}) as Record<string, string>
      return paymentStatus === 'PAID' && Number(amountPaid) === AMOUNT
    })
  await until('the ledger is right', async () => isClean(await verifyLedger(shop.db)))
}

const several = async (shop: TestGateway): Promise<readonly Client[]> => {
  const clients: Client[] = [shop]
  while (clients.length < MERCHANTS) clients.push(await shop.anotherMerchant())
  return clients
}

test('a database with data is distributed and continues with it', { skip }, async (t) => {
  const own = await emptyDatabase()
  t.after(own.drop)
  await migrateDatabase(databaseUrls(own.ownerUrl))
  const before = await start({ databaseUrl: own.ownerUrl })
  await ensureDemoMerchant(before.core)
  const old = await paidAt(await clientAt(before))
  await before.close()

  await joinServers(servers, new URL(own.ownerUrl).pathname.slice(1))
  await distributeAt(own.ownerUrl)
  const shop = await gateway(t, { databaseUrl: own.ownerUrl })
  const { servers: spread, notPlaced } = await readSpread(shop.db)
  assert.deepEqual([spread.length, notPlaced], [servers.length - 1, []])
  const found = await shop.call(contract.queryTransaction, { query: { transactionReference: old } })
  assert.equal(found.paymentStatus, 'PAID')
  await paidAt(shop)
  await isRight(shop)

  await asOwner(
    shop.databaseUrl,
    `update account set balance = balance + 1 where merchant_id = ${shop.merchantId} and code = 'payable'`,
  )
  assert.ok(!isClean(await verifyLedger(shop.db)), 'damage on a worker is found')
})

const isRight = async ({ db }: TestGateway): Promise<void> => {
  const verdict = await verifyLedger(db)
  assert.ok(isClean(verdict), JSON.stringify(verdict.wrong))
}

/** A gateway under load, with its log lines of failed requests. */
async function loaded(t: TestContext): Promise<{ readonly shop: TestGateway; readonly failures: readonly string[] }> {
  const failures: string[] = []
  const write = (line: string): void => void (line.includes('request failed') && failures.push(line))
  const shop = await gateway(t, { env: { KOBO_RATE_LIMIT: '100000' }, log: openLog('error', { write }) })
  return { shop, failures }
}

/** How Citus moves a shard: while writes wait, or while they continue by logical replication. */
type Move = 'block_writes' | 'force_logical'

/** Moves merchants to the other worker and back while they are paid. */
async function moveUnderLoad(t: TestContext, how: Move): Promise<void> {
  const { shop, failures } = await loaded(t)
  const { results, stop } = load(await several(shop))
  t.after(stop)
  await until('payments continue', () => results.acknowledged.length > MERCHANTS)
  const [shard] = await asOwner<{ id: string; from: string; port: number; to: string; other: number }>(
    shop.databaseUrl,
    `select s.shardid as id, n.nodename as "from", n.nodeport as port, o.nodename as "to", o.nodeport as other
       from pg_dist_shard s join pg_dist_placement p using (shardid) join pg_dist_node n on n.groupid = p.groupid
       join pg_dist_node o on o.groupid not in (0, p.groupid)
      where s.logicalrelid = 'account'::regclass
        and s.shardid = get_shard_id_for_distribution_column('account', ${shop.merchantId}) limit 1`,
  )
  assert.ok(shard !== undefined)
  const { id, from, port, to, other } = shard
  await asOwner(
    shop.databaseUrl,
    `select citus_move_shard_placement(${id}, '${from}', ${port}, '${to}', ${other}, '${how}')`,
  )
  const shardsOf = async (): Promise<number[]> => (await readSpread(shop.db)).servers.map(({ shards }) => shards)
  const [most = 0, least = 0] = (await shardsOf()).toSorted((one, other) => other - one)
  assert.ok(most - least >= 2, 'one worker has more than its part')

  // Citus' own rebalancer, which runs in the background.
  const before = results.acknowledged.length
  await asOwner(shop.databaseUrl, `select citus_rebalance_start(shard_transfer_mode => '${how}')`)
  await until('the merchants are spread evenly', async () => {
    const [job] = await asOwner<{ state: string }>(shop.databaseUrl, 'select state from citus_rebalance_status()')
    assert.ok(!['failed', 'cancelled'].includes(job?.state ?? ''), job?.state)
    return job === undefined || job.state === 'finished'
  })
  assert.equal(new Set(await shardsOf()).size, 1)
  await until('payments continue', () => results.acknowledged.length > before + MERCHANTS)
  await stop()
  t.diagnostic(`acknowledged ${results.acknowledged.length}, rejected ${JSON.stringify([...results.rejected])}`)
  await checkReported(shop, results, failures)
}

test('while merchants move from one worker to another nothing is lost or done twice', { skip }, (t) =>
  moveUnderLoad(t, 'block_writes'),
)

const levels = await Promise.all(servers.slice(1).map((worker) => runQueries(worker, 'show wal_level')))
const isLogical = levels.every(([level]) => level?.['wal_level'] === 'logical')

test(
  'the same while writes continue during the move',
  {
    skip: skip || (!isLogical && 'wal_level of the workers is not logical'),
  },
  (t) => moveUnderLoad(t, 'force_logical'),
)

const run = promisify(execFile)

test('a worker that is killed under load loses nothing that was acknowledged', {
  skip: skip || (restart === undefined && 'KOBO_TEST_POSTGRES_START is not set'),
}, async (t) => {
  const { shop, failures } = await loaded(t)
  const { results, stop } = load(await several(shop))
  t.after(stop)
  for (const worker of servers.slice(1)) {
    const before = results.acknowledged.length
    await until('payments continue', () => results.acknowledged.length > before + MERCHANTS)
    const [{ pid, folder } = {}] = await runQueries(
      worker,
      `select split_part(pg_read_file('postmaster.pid'), E'\n', 1)::integer as pid, current_setting('data_directory') as folder`,
    )
    process.kill(Number(pid), 'SIGKILL')
    const rejected = results.rejected.get(503) ?? 0
    await until('its outage is noticed', () => (results.rejected.get(503) ?? 0) > rejected)
    await run(restart as string, [String(folder)])
  }
  const after = results.acknowledged.length
  await until('payments continue', () => results.acknowledged.length > after + MERCHANTS)
  await stop()
  t.diagnostic(`acknowledged ${results.acknowledged.length}, rejected ${JSON.stringify([...results.rejected])}`)
  await checkReported(shop, results, failures)
})
