import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import * as contract from '@kobo/contract'
import pg from 'pg'
import type { Credentials } from '../../../src/features/sandbox/index.ts'
import { findEmbeddedPostgres } from '../../../src/platform/postgres/embedded/index.ts'
import { ownFolder } from '../../harness/clear-up.ts'
import { type Client, client } from '../../harness/gateway.ts'
import { command, type Program, startProgram } from '../../harness/processes.ts'
import { aBatch, anItem, aTransfer } from '../../harness/samples.ts'
import { slow } from '../../harness/slow.ts'
import { until } from '../../harness/until.ts'

const ITEMS = 800
const ROUNDS = 2

const data = ownFolder('crash')
const postgres = join(data, 'postgres')

const SETTINGS = { KOBO_DATA_DIR: data, PORT: '0', KOBO_BATCH_TRANSFERS_MAX: String(ITEMS), LOG_LEVEL: 'warn' }

interface Shop extends Client {
  readonly gateway: Program
}

let keys: Credentials | undefined

async function open(t: TestContext): Promise<Shop> {
  const gateway = startProgram(t, 'gateway/src/main.ts', [], SETTINGS)
  const url = await gateway.says(/^Kobo is ready at (\S+)/m)
  if (keys === undefined) {
    const { stdout, stderr, code } = await command(SETTINGS, 'credentials')
    assert.equal(code, 0, stderr)
    keys = JSON.parse(stdout) as Credentials
  }
  return { ...(await client(url, keys)), gateway }
}

/** Leases run in real time; the test ends those of a dead process instead of waiting. */
const endLeases = () => inDatabase(`update rail_order set leased_until = 'epoch' where leased_until is not null`)

async function inDatabase<T extends pg.QueryResultRow>(statement: string): Promise<T[]> {
  const admin = await connect()
  try {
    return (await admin.query<T>(statement)).rows
  } finally {
    await admin.end()
  }
}

/** Transfers the simulated bank has made, without those it promised never to make. */
const CARRIED_OUT = `rail = 'transfer' and facts ->> 'neverSeen' is null`

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(await findEmbeddedPostgres(postgres))
  await client.connect()
  return client
}

/** Starts an action that sends transfers, and holds one back so that the process can be killed midway. */
async function holdOne(begin: () => Promise<unknown>): Promise<{ readonly letGo: () => Promise<void> }> {
  const [bank, holder] = [await connect(), await connect()]
  await bank.query('begin')
  await bank.query('lock table simulated_entry')
  await begin()
  await holder.query('begin')
  // The newest one, which is not due yet; one that is being leased would be skipped.
  const { rowCount } = await holder.query(
    'select from rail_order where leased_until is null order by id desc limit 1 for update',
  )
  assert.equal(rowCount, 1)
  await bank.end()
  return { letGo: () => holder.end() }
}

slow(
  'kill -9 in the middle of a batch: after restarts every item has one outcome, was sent once, and the books balance',
  async (t) => {
    let shop = await open(t)
    await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
    const items = Array.from({ length: ITEMS }, (_, n) =>
      anItem({ amount: 100 + n, destinationAccountNumber: `${1_000_000 + n}${n % 20 === 0 ? '001' : '789'}` }),
    )
    const body = aBatch(shop, items)
    const held = await holdOne(() => shop.call(contract.initiateBatch, { body }))
    const summary = () => shop.call(contract.getBatch, { query: { reference: body.batchReference } })

    let pending = ITEMS
    for (let round = 1; round <= ROUNDS; round++) {
      const target = Math.floor((ITEMS * (ROUNDS + 1 - round)) / (ROUNDS + 1))
      await until('the batch progresses', async () => {
        pending = (await summary()).pendingCount
        return pending < target
      })
      assert.equal((await summary()).batchStatus, 'IN_PROGRESS', 'it is killed in the middle')
      shop.gateway.child.kill('SIGKILL')
      await shop.gateway.ended
      await endLeases()
      shop = await open(t)
      assert.ok((await summary()).pendingCount <= pending, 'no outcome is lost')
    }
    await held.letGo()
    // Orders leased by a dead process are queried first.
    await shop.call(contract.advanceClock, { body: { seconds: 61 } })
    await until('the batch is completed', async () => (await summary()).batchStatus === 'COMPLETED')

    const { successfulCount, failedCount, pendingCount } = await summary()
    assert.deepEqual([successfulCount, failedCount, pendingCount], [ITEMS * 0.95, ITEMS * 0.05, 0])
    const [sent] = await inDatabase<{ orders: string }>(
      `select count(*) as orders from simulated_entry where ${CARRIED_OUT}`,
    )
    assert.equal(Number(sent?.orders), ITEMS, 'the bank has one order for each')
    const received = await inDatabase<{ event_type: string; events: string; items: string }>(
      `select event_type, count(*) as events, count(distinct refs[1]) as items
       from event where event_type like '%_DISBURSEMENT' group by event_type order by event_type`,
    )
    assert.deepEqual(
      received.map(({ event_type, events, items: distinct }) => [event_type, Number(events), Number(distinct)]),
      [
        ['FAILED_DISBURSEMENT', ITEMS * 0.05, ITEMS * 0.05],
        ['SUCCESSFUL_DISBURSEMENT', ITEMS * 0.95, ITEMS * 0.95],
      ],
      'one event for each',
    )
    const { stdout, stderr, code } = await command(SETTINGS, 'ledger', 'verify')
    assert.equal(code, 0, stdout + stderr)
    const spent = items.reduce((sum, { amount }, n) => sum + (n % 20 === 0 ? 0 : Number(amount) + 10), 0)
    const left = await shop.call(contract.getWalletBalance, {
      query: { accountNumber: shop.credentials.walletAccountNumber },
    })
    assert.deepEqual(left, { availableBalance: 10_000_000 - spent, ledgerBalance: 10_000_000 - spent })
    shop.gateway.child.kill('SIGTERM')
    assert.equal(await shop.gateway.ended, 0, shop.gateway.stderr())
  },
)

slow('kill -9 during single transfers: accepted ones survive, and the others are concluded once', async (t) => {
  let shop = await open(t)
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  const answered = new Map<string, string>()
  const requests = new Set<string>()
  let serial = 2_000_000
  const callers = Array.from({ length: 8 }, async () => {
    const target = shop
    for (;;) {
      const body = await aTransfer(target, { amount: 100, destinationAccountNumber: `${serial++}789` }).catch(
        () => undefined,
      )
      if (body === undefined) return
      requests.add(body.reference)
      const response = await target.send('POST', contract.initiateTransfer.path, { body }).catch(() => undefined)
      if (response === undefined) return
      assert.equal(response.status, 200, response.text)
      answered.set(body.reference, (response.body.responseBody as { status: string }).status)
    }
  })
  await until('transfers are made', () => answered.size > 150)
  shop.gateway.child.kill('SIGKILL')
  await shop.gateway.ended
  await Promise.all(callers)
  await endLeases()
  shop = await open(t)
  await shop.call(contract.advanceClock, { body: { seconds: 61 } })
  let accepted = 0
  for (const reference of requests) {
    const response = await shop.send('GET', `${contract.getTransfer.path}?reference=${reference}`)
    if (response.status === 404) {
      assert.ok(!answered.has(reference), 'an accepted transfer is stored')
      continue
    }
    accepted++
    assert.equal((response.body.responseBody as { status: string }).status, 'SUCCESS', reference)
  }
  assert.ok(accepted >= answered.size && accepted <= requests.size)
  const [sent] = await inDatabase<{ orders: string; transfers: string }>(
    `select (select count(*) from simulated_entry where ${CARRIED_OUT}) as orders, (select count(*) from transfer) as transfers`,
  )
  assert.equal(sent?.orders, sent?.transfers, 'the bank has one order for each')
  const { stdout, code } = await command(SETTINGS, 'ledger', 'verify')
  assert.equal(code, 0, stdout)
})
