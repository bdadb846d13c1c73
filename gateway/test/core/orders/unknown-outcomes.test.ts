import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { sandbox } from '../../../../connectors/test/connectors.ts'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { isClean } from '../../../src/core/money/ledger/index.ts'
import { openLog } from '../../../src/platform/observability/log.ts'
import { testWall } from '../../harness/clock.ts'
import { balancesOf, transferTo } from '../../harness/samples.ts'
import { slow } from '../../harness/slow.ts'
import { commandsFor, gatewayOf } from '../../harness/test-banks.ts'
import { until } from '../../harness/until.ts'

/** A gateway with one partner whose faults the test controls, its log, and its operators' commands. */
async function withPartner(t: TestContext) {
  const KOBO_RAILS_SECRET = `wema=${'a-secret-of-wema'.padEnd(32, '.')}`
  const partner = await sandbox(t, { wall: testWall, env: { KOBO_CONNECTORS: 'wema=sandbox', KOBO_RAILS_SECRET } })
  const lines: string[] = []
  const log = openLog('info', { write: (line: string) => void lines.push(line) })
  const env = { KOBO_RAILS_URL: `wema=${partner.url}`, KOBO_RAILS_SECRET }
  const shop = await gatewayOf(t, ['wema'], { log, env })
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  const statusOf = async (reference: string): Promise<string> =>
    (await shop.call(contract.getTransfer, { query: { reference } })).status
  const { prints, refuses } = commandsFor(shop)
  const resolve = (by: string, reference: string): readonly string[] => [
    ...['orders', 'resolve', reference, '--as', 'failed', '--because', 'the bank’s statement', '--by', by],
  ]
  const logged = (words: string) => lines.filter((line) => line.includes(words)).map((line) => JSON.parse(line))
  return { partner, shop, statusOf, prints, refuses, resolve, logged }
}

test('a success with another amount needs manual review at once, and says why', async (t) => {
  const { partner, shop, statusOf, prints, resolve, logged } = await withPartner(t)
  const before = await balancesOf(shop)
  partner.faults.inject('wrong amount', { operation: 'transfer/send', times: 1 })
  const { reference, status } = await transferTo(shop, '789', { amount: 1_500 })
  assert.equal(status, 'PENDING')
  const [order] = await prints('orders', 'list')
  assert.deepEqual([order.state, order.partner], ['UNRESOLVED', 'wema'])
  const reason = /^succeeded with \d+\.\d\d instead of 1500\.00$/
  for (const words of ['order outcome unresolved', 'no usable response']) {
    const [line] = logged(words)
    assert.deepEqual([line.partner, line.reference], ['wema', order.reference], words)
    assert.match(line.reason, reason)
  }
  const [audited] = await shop.db<{ details: { partner: string; contradiction: string } }[]>`
    select details from audit where act = 'order.contradiction' and reference = ${order.reference}`
  assert.match(audited?.details.contradiction ?? '', reason)
  const mails = async () =>
    (await shop.call(contract.readInbox, { query: {} })).filter(({ subject }) => subject.endsWith(' no result yet'))
  await until('the merchant is notified', async () => (await mails()).length === 1)
  const [mail] = await mails()
  assert.equal(mail?.subject, 'A transfer of ₦1,500.00 has no result yet')
  assert.match(mail?.text ?? '', /\/dashboard\/transfers\/\d+$/)
  for (const by of ['Ada', 'Bola']) await prints(...resolve(by, order.reference))
  await shop.advance(1)
  assert.deepEqual([await statusOf(reference), await balancesOf(shop)], ['FAILED', before])
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('an order without an outcome can be decided after a day, while the partner is still queried', async (t) => {
  const { partner, shop, statusOf, prints, refuses, resolve, logged } = await withPartner(t)
  partner.faults.inject('busy', { operation: 'transfer/send' })
  partner.faults.inject('page', { operation: 'transfer/find' })
  const { reference } = await transferTo(shop, '789', { amount: 1_500 })
  const [sent] = logged('no usable response')
  assert.deepEqual([sent.partner, sent.operation, sent.reason], ['wema', 'transfer/send', 'status 500'])
  await shop.advance(3_600)
  const [found] = logged('no usable response').slice(1)
  assert.deepEqual(
    [found.operation, found.reference, found.reason],
    ['transfer/find', sent.reference, 'not in the protocol'],
  )
  assert.deepEqual(await prints('orders', 'list'), [])
  await refuses(/does not need manual review/, ...resolve('Ada', sent.reference))
  await refuses(/does not need manual review/, 'orders', 'ask', sent.reference)
  await shop.advance(86_400)
  const [order] = await prints('orders', 'list')
  assert.deepEqual([order.reference, order.state], [sent.reference, 'SENT'])
  for (const by of ['Ada', 'Bola']) await prints(...resolve(by, sent.reference))
  await until('it is carried out', async () => {
    await shop.advance(1)
    return (await statusOf(reference)) === 'FAILED'
  })
  assert.ok(isClean(await verifyLedger(shop.db)))
})

slow('an adapter that is away is reported, and its manifest is requested again without any order', async (t) => {
  const { partner, shop, prints } = await withPartner(t)
  const isUp = async (): Promise<string | undefined> =>
    /^kobo_partner_up\{partner="wema"\} (\d)$/m.exec((await shop.send('GET', '/metrics')).text)?.[1]
  await until('it is up', async () => (await isUp()) === '1')
  await until('it is well', async () => (await prints('partners', 'list'))[0]?.health === 'well')
  partner.faults.inject('down')
  // One request without a response makes the gateway check the partner.
  await shop.rejected(400, contract.validateAccount, { query: { accountNumber: '0123456789', bankCode: '058' } })
  await until('the partner is down', async () => (await isUp()) === '0')
  await until('operators see it', async () => {
    const [{ health, breakers }] = await prints('partners', 'list')
    return health === 'unwell' && breakers[0]?.operation === 'manifest'
  })
})
