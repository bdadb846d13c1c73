import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Core, openCore } from '../../../src/app/core.ts'
import { verifyLedger } from '../../../src/app/ledger.ts'
import type { Merchant } from '../../../src/core/merchants/index.ts'
import { BALANCES, isClean } from '../../../src/core/money/ledger/index.ts'
import { type OrderRow, openOrders, queryByOperator } from '../../../src/core/orders/index.ts'
import { unitOfWork } from '../../../src/core/unit-of-work.ts'
import { acceptTransfers } from '../../../src/features/disbursements/accept.ts'
import {
  bvnContext,
  type TransferOrders,
  transferOrder,
  transferOrders,
} from '../../../src/features/disbursements/orders.ts'
import type { TransferRow } from '../../../src/features/disbursements/repository.ts'
import { ensureDemoMerchant } from '../../../src/features/sandbox/index.ts'
import { secondsAfter } from '../../../src/kernel/clock.ts'
import { kobo } from '../../../src/kernel/money.ts'
import { openFailures } from '../../../src/platform/lanes/failures.ts'
import type { Worker } from '../../../src/platform/lanes/worker.ts'
import { openMetrics } from '../../../src/platform/metrics/metrics.ts'
import { openLog } from '../../../src/platform/observability/log.ts'
import type { FoundTransfer, TransferOrder, TransferOutcome } from '../../../src/rails/transfer.ts'
import { testWall } from '../../harness/clock.ts'
import { onlyOrders } from '../../harness/orders.ts'
import { ownDatabase } from '../../harness/postgres.ts'
import { routerTo } from '../../harness/routing.ts'
import { slow } from '../../harness/slow.ts'
import { until } from '../../harness/until.ts'

/** A bank with responses chosen by the test and a record of its requests. */
interface Bank {
  readonly sent: TransferOrder[]
  readonly requests: string[]
  sends: (order: TransferOrder) => Promise<TransferOutcome>
  finds: FoundTransfer | ((reference: string) => Promise<FoundTransfer>)
}

const SUCCEEDED: TransferOutcome = { kind: 'succeeded', sessionId: '9'.repeat(30) }

/** A database with a merchant and a worker, but no gateway: due work runs when the test says so. */
interface Sender extends Worker {
  readonly transfers: TransferOrders
}

async function office(t: TestContext): Promise<{ core: Core; merchant: Merchant; bank: Bank; open: () => Sender }> {
  const { urls, drop } = await ownDatabase()
  const core = await openCore({
    environment: 'sandbox',
    database: urls,
    wall: testWall,
    databaseConnectionsMax: 10,
    masterKey: Buffer.alloc(32, 7),
    referencePrefix: 'KOBO',
    onNodeLost: () => assert.fail('node lost'),
  })
  t.after(async () => {
    await core.close()
    await drop()
  })
  await ensureDemoMerchant(core)
  const [row] = await core.db<{ id: bigint }[]>`select id from merchant`
  const merchant = await core.directory.byId(row?.id ?? 0n)
  assert.ok(merchant !== undefined)
  const bank: Bank = { sent: [], requests: [], sends: async () => SUCCEEDED, finds: { kind: 'not found' } }
  const transfer = {
    nameEnquiry: async () => ({ kind: 'found' as const, accountName: 'ADA OBI' }),
    send: async (order: TransferOrder) => {
      bank.sent.push(order)
      return bank.sends(order)
    },
    find: async (reference: string) => {
      bank.requests.push(reference)
      return typeof bank.finds === 'function' ? bank.finds(reference) : bank.finds
    },
  }
  const open = (): Sender => {
    const orders = openOrders({ core, metrics: openMetrics(), log: openLog('silent'), router: routerTo({ transfer }) })
    const transfers = transferOrders({ core, orders, enquiries: { transfer } })
    return { ...orders.work(onlyOrders({ transfer: transfers }), openFailures(core.db, openLog('silent'))), transfers }
  }
  return { core, merchant, bank, open }
}

/** Accepts a transfer that is due now, and not leased unless stated. */
async function accepted(
  { core, merchant }: { core: Core; merchant: Merchant },
  changes: Partial<TransferRow> = {},
  order: Partial<OrderRow> = {},
): Promise<{ readonly transfer: TransferRow; readonly order: OrderRow }> {
  const { ids, clock } = core
  const orders = openOrders({ core, metrics: openMetrics(), log: openLog('silent'), router: routerTo({}) })
  const id = ids.id()
  const transfer: TransferRow = {
    merchantId: merchant.id,
    id,
    transactionReference: ids.disbursementReference('KFDS'),
    reference: `transfer-${id}`,
    batchId: null,
    isDuplicate: false,
    status: 'PENDING',
    amount: kobo(500_000n),
    fee: kobo(1_000n),
    currencyCode: 'NGN',
    narration: 'Rent',
    sourceAccountNumber: merchant.walletAccountNumber,
    destinationBankCode: '058',
    destinationAccountNumber: '0123456789',
    destinationAccountName: 'ADA OBI',
    flagged: false,
    twoFaEnabled: false,
    senderInfo: null,
    senderBvn: null,
    sessionId: null,
    failureReason: null,
    createdAt: clock.now(),
    completedAt: null,
    authorizeBy: null,
    ...changes,
  }
  const draft = { transfer, order: { ...transferOrder(orders, transfer, 'worker'), ...order } }
  const [respond] = await acceptTransfers(core, [draft])
  assert.equal(respond, transfer)
  return draft
}

const rowOf = async ({ db }: Core, { id }: TransferRow): Promise<TransferRow> => {
  const [row] = await db<TransferRow[]>`select * from transfer where id = ${id}`
  assert.ok(row !== undefined)
  return row
}

/** Ends the leases of all orders. */
const endLeases = async ({ db }: Core): Promise<void> => {
  await db`update rail_order set leased_until = 'epoch'`
}

/** A transfer whose lease has run out after its process died. */
async function abandoned(place: { core: Core; merchant: Merchant }): Promise<TransferRow> {
  const { transfer } = await accepted(place, {}, { state: 'SENT', tries: 1 })
  await endLeases(place.core)
  return transfer
}

test('a transfer without a lease is sent without a query', async (t) => {
  const { core, merchant, bank, open } = await office(t)
  const { transfer } = await accepted({ core, merchant })
  assert.equal(await open().workDue(), 1)
  assert.deepEqual([bank.requests, bank.sent.map(({ reference }) => reference)], [[], [transfer.transactionReference]])
  assert.equal((await rowOf(core, transfer)).status, 'SUCCESS')
})

for (const [finds, status] of [
  [SUCCEEDED, 'SUCCESS'],
  [{ kind: 'failed', reason: 'no' }, 'FAILED'],
  [{ kind: 'unknown' }, 'PENDING'],
] as const)
  test(`a transfer whose sender died is queried and not resent if the bank reports ${finds.kind}`, async (t) => {
    const { core, merchant, bank, open } = await office(t)
    bank.finds = finds
    const transfer = await abandoned({ core, merchant })
    assert.equal(await open().workDue(), 1)
    assert.deepEqual([bank.requests, bank.sent], [[transfer.transactionReference], []])
    assert.equal((await rowOf(core, transfer)).status, status)
    assert.ok(isClean(await verifyLedger(core.db)))
  })

test('a transfer that never reached its bank is resent under a new reference, since the bank promised to reject the old one', async (t) => {
  const { core, merchant, bank, open } = await office(t)
  const transfer = await abandoned({ core, merchant })
  assert.equal(await open().workDue(), 2)
  assert.deepEqual(
    [bank.requests.length, bank.sent.map(({ reference }) => reference)],
    [1, [`${transfer.transactionReference}~2`]],
  )
  assert.equal((await rowOf(core, transfer)).status, 'SUCCESS')
})

test('a leased transfer is not leased again', async (t) => {
  const { core, merchant, bank, open } = await office(t)
  await accepted({ core, merchant }, {}, { state: 'SENT', tries: 1 })
  assert.equal(await open().workDue(), 0)
  assert.deepEqual([bank.requests, bank.sent], [[], []])
})

test('a success that is not final is queried again later and never resent', async (t) => {
  const { core, merchant, bank, open } = await office(t)
  bank.sends = async () => ({ ...SUCCEEDED, finalAt: secondsAfter(core.clock.now(), 300) })
  const { transfer } = await accepted({ core, merchant })
  const transfers = open()
  await transfers.workDue()
  assert.equal(await transfers.workDue(), 0, 'it is not due yet')
  await core.clock.moveTo(secondsAfter(core.clock.now(), 301))
  assert.equal(await transfers.workDue(), 1, 'the bank has lost it')
  assert.deepEqual([bank.requests.length, bank.sent.length], [1, 1])
  bank.finds = { kind: 'reversed', sessionId: SUCCEEDED.sessionId }
  assert.equal(await transfers.workDue(), 0)
  const [{ reference } = { reference: '' }] = await core.db<{ reference: string }[]>`select reference from rail_order`
  await unitOfWork(core, (unit) => queryByOperator(unit, reference, { actor: 'command line' }))
  assert.equal(await transfers.workDue(), 1, 'an operator has seen the money come back')
  assert.equal((await rowOf(core, transfer)).status, 'REVERSED')
  const [{ balance } = { balance: 0n }] = await core.db<{ balance: bigint }[]>`
    select balance from ${BALANCES} account where code like 'wallet/%'`
  assert.equal(balance, 1_000_000_000n, 'amount and fee are back')
  assert.ok(isClean(await verifyLedger(core.db)))
})

test('a rail that throws loses nothing: the transfer is queried after its lease ends', async (t) => {
  const { core, merchant, bank, open } = await office(t)
  bank.sends = () => Promise.reject(new Error('the connection broke'))
  const { transfer } = await accepted({ core, merchant })
  const transfers = open()
  assert.equal(await transfers.workDue(), 1)
  assert.equal((await rowOf(core, transfer)).status, 'PENDING')
  assert.equal(await transfers.workDue(), 0, 'it is still held')
  await endLeases(core)
  bank.finds = SUCCEEDED
  assert.equal(await transfers.workDue(), 1)
  assert.deepEqual([bank.sent.length, (await rowOf(core, transfer)).status], [1, 'SUCCESS'])
})

test('a transfer concluded elsewhere while its bank was silent keeps its status, and its money moves once', async (t) => {
  const place = await office(t)
  const held = { state: 'SENT', tries: 1 } as const
  const { transfer, order } = await accepted(place, {}, held)
  const neighbour = await accepted(place, { amount: kobo(400_000n) }, held)
  const { promise: settled, resolve: settle } = Promise.withResolvers<void>()
  let isFirst = true
  // The two orders may reach the bank in any order.
  place.bank.sends = async ({ reference }) => {
    if (reference === transfer.transactionReference) {
      if (!isFirst) return { kind: 'failed', reason: 'Account is dormant' }
      isFirst = false
      await place.open().transfers.send(order, transfer)
      settle()
    }
    await settled
    return SUCCEEDED
  }
  const { transfers: sender } = place.open()
  const reported = await Promise.all([sender.send(neighbour.order, neighbour.transfer), sender.send(order, transfer)])
  assert.deepEqual(
    reported.map(({ status }) => status),
    ['SUCCESS', 'FAILED'],
  )
  assert.equal((await rowOf(place.core, transfer)).status, 'FAILED')
  const { count } = await place.core
    .db`select from journal where key like ${`transfer/${transfer.transactionReference}/%`}`
  assert.equal(count, 2) // debited and released
  assert.ok(isClean(await verifyLedger(place.core.db)))
})

test('two processes share due orders, and none is sent twice', async (t) => {
  const { core, merchant, bank, open } = await office(t)
  const transfers: TransferRow[] = []
  for (let n = 0; n < 300; n++)
    transfers.push((await accepted({ core, merchant }, { amount: kobo(100n + BigInt(n)) })).transfer)
  const [first = 0, second = 0] = await Promise.all([open().workDue(), open().workDue()])
  assert.equal(first + second, 300)
  assert.deepEqual(
    bank.sent.map(({ reference }) => reference).sort(),
    transfers.map(({ transactionReference }) => transactionReference).sort(),
  )
  assert.equal((await core.db`select from event where event_type = 'SUCCESSFUL_DISBURSEMENT'`).count, 300)
  assert.ok(isClean(await verifyLedger(core.db)))
})

test('the rail receives the sender: the merchant or the one it names, with the decrypted BVN', async (t) => {
  const { core, merchant, bank, open } = await office(t)
  const key = { merchantId: merchant.id, id: core.ids.id() }
  await accepted({ core, merchant })
  await accepted(
    { core, merchant },
    {
      ...key,
      reference: 'named',
      amount: kobo(100n),
      senderInfo: { sourceAccountNumber: '0011223344', sourceAccountName: 'Bola Ade', senderBankCode: '044' },
      senderBvn: core.keyring.seal('22222222226', bvnContext(key)).toString('base64'),
    },
  )
  await open().workDue()
  const senders = bank.sent.map(({ sender }) => sender).sort((a, b) => String(a.name).localeCompare(String(b.name)))
  assert.deepEqual(senders, [
    { name: 'Bola Ade', accountNumber: '0011223344', bankCode: '044', bvn: '22222222226' },
    { name: 'Demo Shop', accountNumber: merchant.walletAccountNumber, bankCode: '50515', bvn: null },
  ])
})

/** A transfer to a bank other than the slow one. */
const ELSEWHERE = { destinationBankCode: '044', amount: kobo(77_700n) }

for (const [what, state] of [
  ['wait to be sent to an unresponsive bank', {}],
  ['are unknown at an unresponsive bank', { state: 'SENT', tries: 1 }],
] as const)
  slow(`while 400 transfers ${what}, one to another bank is sent without waiting for them`, async (t) => {
    const { core, merchant, bank, open } = await office(t)
    const { promise: silence, resolve: respond } = Promise.withResolvers<TransferOutcome>()
    bank.sends = (order) => (order.destination.bankCode === '044' ? Promise.resolve(SUCCEEDED) : silence)
    bank.finds = () => silence
    for (let n = 0; n < 400; n++) await accepted({ core, merchant }, { amount: kobo(100n + BigInt(n)) }, state)
    await endLeases(core)
    const sender = open()
    sender.start()
    t.after(async () => {
      respond({ kind: 'unknown' })
      await sender.stop()
    })
    const underWay = () => bank.sent.length + bank.requests.length
    await until('the bank that hangs has all that it gets', () => underWay() >= 32)
    const { transfer } = await accepted({ core, merchant }, ELSEWHERE)
    sender.wake()
    await until('it has arrived', async () => (await rowOf(core, transfer)).status === 'SUCCESS')
    assert.ok(underWay() <= 200, 'the others wait: one bank uses no more than its slots')
  })
