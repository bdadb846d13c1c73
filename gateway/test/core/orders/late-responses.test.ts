import assert from 'node:assert/strict'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { SECRET, sandbox } from '../../../../connectors/test/connectors.ts'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { isClean } from '../../../src/core/money/ledger/index.ts'
import { openLog } from '../../../src/platform/observability/log.ts'
import { testWall } from '../../harness/clock.ts'
import { gateway, type TestGateway } from '../../harness/gateway.ts'
import { balances, OPENING_BALANCE, paid, refund, refundWithStatus } from '../../harness/refund-samples.ts'
import { aTransfer, codeFor } from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'

/** A network between gateway and partner that can hold one request of an operation for as long as the test likes. */
async function slowNetwork(t: TestContext, to: string) {
  const seen: string[] = []
  let held: { readonly operation: string; readonly goOn: Promise<void> } | undefined
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const operation = (request.url ?? '').slice(1)
    seen.push(operation)
    const hold = held?.operation === operation ? held : undefined
    if (hold !== undefined) held = undefined
    await hold?.goOn
    const { headers, method } = request
    const onward = httpRequest(`${to}/${operation}`, { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.headers)
      reply.pipe(response)
    })
    onward.on('error', () => response.destroy()).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** How often an operation was requested. */
    count: (operation: string): number => seen.filter((one) => one === operation).length,
    /** Holds the next request of an operation until the result is called. */
    hold: (operation: string): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = { operation, goOn: promise }
      return resolve
    },
  }
}

async function world(t: TestContext) {
  const partner = await sandbox(t, { wall: testWall })
  const network = await slowNetwork(t, partner.url)
  const lines: string[] = []
  const log = openLog('warn', { write: (line: string) => void lines.push(line) })
  const shop = await gateway(t, { env: { KOBO_RAILS_URL: network.url, KOBO_RAILS_SECRET: SECRET }, log })
  return {
    shop,
    network,
    logged: () => lines.join(''),
    /** The references that the bank has paid. */
    effects: async () =>
      ((await partner.control('effects'))['effects'] as { reference: string }[]).map(({ reference }) => reference),
  }
}

/** Ends the lease of the open order, as 90 seconds would, so that another worker takes it. */
async function takeOver(shop: TestGateway): Promise<void> {
  await shop.db`update rail_order set leased_until = 'epoch' where leased_until is not null`
  await shop.advance(31)
}

const isOver = async ({ db }: TestGateway): Promise<boolean> =>
  (await db`select from rail_order where state <> 'CONCLUDED'`).count === 0

const eventsOf = async ({ db }: TestGateway, type: string): Promise<string[]> =>
  (
    await db<{ eventType: string }[]>`select event_type from event where event_type like ${`%${type}%`} order by id`
  ).map(({ eventType }) => eventType)

test('a transfer’s response that comes after its successor was paid changes nothing', async (t) => {
  const { shop, network, effects } = await world(t)
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  const arrive = network.hold('transfer/send')
  const body = await aTransfer(shop, { amount: 1_000 })
  const sending = shop.call(contract.initiateTransfer, { body })
  await until('it is on its way', () => network.count('transfer/send') === 1)
  await takeOver(shop)
  const status = async () =>
    (await shop.call(contract.getTransfer, { query: { reference: body.reference } })).status as string
  await until('the second attempt is paid', async () => (await status()) === 'SUCCESS')
  const before = await balances(shop)
  arrive()
  assert.equal((await sending).status, 'SUCCESS', 'the caller gets the true outcome')
  assert.equal(await status(), 'SUCCESS')
  assert.deepEqual(await balances(shop), before)
  assert.deepEqual(await eventsOf(shop, 'DISBURSEMENT'), ['SUCCESSFUL_DISBURSEMENT'])
  assert.match((await effects()).join(), /^[^,]+~2$/, 'the bank has paid once')
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('a transfer’s response that comes while its successor is under way changes nothing', async (t) => {
  const { shop, network, effects } = await world(t)
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  const arrive = network.hold('transfer/send')
  const body = await aTransfer(shop, { amount: 1_000 })
  const sending = shop.call(contract.initiateTransfer, { body })
  await until('it is on its way', () => network.count('transfer/send') === 1)
  const second = network.hold('transfer/send')
  const takenOver = takeOver(shop)
  await until('the second attempt is on its way', () => network.count('transfer/send') === 2)
  arrive()
  assert.equal((await sending).status, 'PENDING')
  second()
  await takenOver
  await until('it is closed', () => isOver(shop))
  assert.equal((await shop.call(contract.getTransfer, { query: { reference: body.reference } })).status, 'SUCCESS')
  assert.deepEqual(await eventsOf(shop, 'DISBURSEMENT'), ['SUCCESSFUL_DISBURSEMENT'])
  assert.match((await effects()).join(), /^[^,]+~2$/)
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('a refund’s response that comes while its successor is under way changes nothing', async (t) => {
  const { shop, network, effects, logged } = await world(t)
  const transactionReference = await paid(shop, 5_000)
  const arrive = network.hold('transfer/send')
  const begun = await refund(shop, transactionReference, { refundAmount: 1_000 })
  await until('it is on its way', () => network.count('transfer/send') === 1)
  const second = network.hold('transfer/send')
  const takenOver = takeOver(shop)
  await until('the second attempt is on its way', () => network.count('transfer/send') === 2)
  arrive()
  await until('the late response is ignored', () => logged().includes('late partner response ignored'))
  second()
  await takenOver
  await refundWithStatus(shop, begun, 'COMPLETED')
  const left = OPENING_BALANCE - 1_010
  assert.deepEqual(await balances(shop), [left, left])
  assert.deepEqual(await eventsOf(shop, 'REFUND'), ['SUCCESSFUL_REFUND'])
  assert.equal((await effects()).filter((reference) => !reference.endsWith('~2')).length, 0)
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('an order that another process has taken since is not sent', async (t) => {
  const { shop, network, effects } = await world(t)
  const body = await aTransfer(shop, { amount: 1_000 })
  await shop.call(contract.initiateTransfer, { body })
  const authorizationCode = await codeFor(shop, body.reference)
  // As for an item of a batch, the account's name was not enquired yet.
  await shop.db`update transfer set destination_account_name = null where reference = ${body.reference}`
  const before = network.count('transfer/name-enquiry')
  const goOn = network.hold('transfer/name-enquiry')
  const sending = shop.call(contract.authorizeTransfer, { body: { reference: body.reference, authorizationCode } })
  await until('the name is enquired', () => network.count('transfer/name-enquiry') === before + 1)
  await takeOver(shop)
  await until('the second attempt is paid', () => isOver(shop))
  goOn()
  assert.equal((await sending).status, 'SUCCESS')
  assert.equal(network.count('transfer/send'), 1, 'the first attempt never left')
  assert.match((await effects()).join(), /^[^,]+~2$/)
  assert.deepEqual(await eventsOf(shop, 'DISBURSEMENT'), ['SUCCESSFUL_DISBURSEMENT'])
})
