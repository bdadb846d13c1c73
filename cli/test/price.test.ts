import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { inTransaction } from '../../gateway/src/platform/postgres/db.ts'
import { type Client, gateway } from '../../gateway/test/harness/gateway.ts'
import { asOwner } from '../../gateway/test/harness/postgres.ts'
import { anAccount, aTransfer, pay, statusOf, transferTo } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { aGateway } from './commands.ts'

let sent = 100

/** Makes a transfer to an unused account and returns its fee. */
async function feeOfTransfer(shop: Client): Promise<number> {
  const { reference, status } = await transferTo(shop, String(sent++), { amount: 20_000 })
  assert.equal(status, 'SUCCESS')
  return feeOf(shop, reference)
}

const feeOf = async (shop: Client, reference: string): Promise<number> =>
  (await shop.call(contract.getTransfer, { query: { reference } })).fee

/** Waits until the gateway has received the price change. */
const isCharged = (shop: Client, fee: number): Promise<void> =>
  until(`a transfer costs ${fee}`, async () => (await feeOfTransfer(shop)) === fee)

/** Starts a gateway whose merchant needs no authorization codes. */
async function withoutCodes(t: TestContext) {
  const place = await aGateway(t)
  await place.shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  return place
}

slow('a new price applies to the next transfer on every node, and not to one accepted before', async (t) => {
  const { shop, prints } = await withoutCodes(t)
  const second = await gateway(t, { databaseUrl: shop.databaseUrl })
  for (const one of [shop, second]) assert.equal(await feeOfTransfer(one), 20)
  await shop.call(contract.changeSettings, { body: { otpEnabled: true } })
  const before = await shop.call(contract.initiateTransfer, { body: await aTransfer(shop, { amount: 20_000 }) })
  assert.equal(before.status, 'PENDING_AUTHORIZATION')
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })

  const set = await prints(
    'price',
    'set',
    'transfer',
    '--step',
    'up-to=5000,flat=5',
    '--step',
    'percent=0.1,flat=2,cap=30',
  )
  assert.deepEqual(set.steps, [
    { upTo: 5_000, percent: 0, flat: 5, cap: null },
    { upTo: null, percent: 0.1, flat: 2, cap: 30 },
  ])
  assert.deepEqual([set.service, set.of, set.inEffect, set.madeBy], ['transfer', 'everybody', true, 'command line'])
  for (const one of [shop, second]) await isCharged(one, 22)
  assert.equal(await feeOf(shop, before.reference), 20)
})

test('a merchant’s own price applies to it alone until it ends, and the change is audited', async (t) => {
  const { shop, prints } = await withoutCodes(t)
  const [{ code }] = await prints('merchant', 'list')
  const other = await shop.anotherMerchant()
  await prints('price', 'set', 'transfer', '--flat', '0', '--merchant', code)
  await isCharged(shop, 0)
  await other.call(contract.changeSettings, { body: { otpEnabled: false } })
  await other.call(contract.fundWallet, { body: { amount: 1_000_000 } })
  assert.equal(await feeOfTransfer(other), 20)
  // The standard price changes, and this merchant keeps its own.
  await prints('price', 'set', 'transfer', '--flat', '7')
  await isCharged(other, 7)
  assert.equal(await feeOfTransfer(shop), 0)
  const ended = await prints('price', 'set', 'transfer', '--default', '--merchant', code)
  assert.deepEqual([ended.of, ended.steps], ['merchant', null])
  await isCharged(shop, 7)
  const acts = await shop.db<
    {
      merchantId: bigint
      actor: string
      details: { before: { flat: string }[] | null; after: { flat: string }[] | null }
    }[]
  >`select merchant_id, actor, details from audit where act = 'price.set' and reference = 'transfer' order by id`
  const flats = (steps: readonly { flat: string }[] | null) => steps?.map(({ flat }) => flat) ?? null
  assert.deepEqual(
    acts.map(({ merchantId, actor, details: { before, after } }) => [merchantId, actor, flats(before), flats(after)]),
    [
      [shop.merchantId, 'command line', null, ['0.00']],
      [0n, 'command line', ['10.00', '20.00', '40.00'], ['7.00']],
      [shop.merchantId, 'command line', ['0.00'], null],
    ],
  )
})

test('a scheduled price applies from its start, in business time', async (t) => {
  const { shop, prints } = await withoutCodes(t)
  const from = new Date(shop.core.clock.now().getTime() + 3_600_000)
  const set = await prints('price', 'set', 'transfer', '--flat', '33', '--from', from.toISOString())
  assert.deepEqual([set.inEffect, set.validFrom], [false, from.toISOString()])
  const listed: { service: string; inEffect: boolean; steps: { flat: number }[] }[] = await prints('price', 'list')
  assert.deepEqual(
    listed.filter(({ service }) => service === 'transfer').map(({ inEffect, steps }) => [inEffect, steps.at(-1)?.flat]),
    [
      [true, 40],
      [false, 33],
    ],
  )
  assert.equal(await feeOfTransfer(shop), 20)
  await shop.advance(3_601)
  assert.equal(await feeOfTransfer(shop), 33)
})

test('a contract’s price overrides its merchant’s; a payment keeps the price of its creation', async (t) => {
  const { shop, prints } = await aGateway(t)
  const { contractCode } = shop.credentials
  const [{ code }] = await prints('merchant', 'list')
  const opened = await anAccount(shop, { amount: 10_000 })
  const paidFee = async (account: Awaited<ReturnType<typeof anAccount>>): Promise<number> => {
    await pay(shop, account, 10_000)
    const { amountPaid, settlementAmount } = await statusOf(shop, account.transactionReference)
    return Number(amountPaid) - Number(settlementAmount)
  }
  await prints('price', 'set', 'collection', '--percent', '2', '--merchant', code)
  await until(
    'the merchant’s price counts',
    async () => (await paidFee(await anAccount(shop, { amount: 10_000 }))) === 200,
  )
  await prints(
    'price',
    'set',
    'collection',
    '--percent',
    '3',
    '--cap',
    '250',
    '--merchant',
    code,
    '--contract',
    contractCode,
  )
  await until(
    'the contract’s price counts',
    async () => (await paidFee(await anAccount(shop, { amount: 10_000 }))) === 250,
  )
  assert.equal(await paidFee(opened), 150)

  const own: { of: string; contract?: string; inEffect: boolean }[] = await prints('price', 'list', '--merchant', code)
  assert.deepEqual(
    own.slice(0, 3).map(({ of, contract: owner }) => [of, owner]),
    [
      ['contract', contractCode],
      ['merchant', undefined],
      ['everybody', undefined],
    ],
  )
})

test('an invalid price is rejected with the field’s name, and nothing changes', async (t) => {
  const { shop, prints, misused } = await withoutCodes(t)
  const before = await prints('price', 'list')
  const [{ code }] = await prints('merchant', 'list')
  const set = ['price', 'set'] as const
  await misused(
    [/^SERVICE must be one of collection, /, ...set, '--flat', '1'],
    [/^SERVICE must be one of .*, not gossip\./, ...set, 'gossip', '--flat', '1'],
    [/^Specify --percent/, ...set, 'refund'],
    [/^Specify --percent/, ...set, 'refund', '--flat', '1', '--default'],
    [/^--percent must be 0 to 100/, ...set, 'refund', '--percent', '101'],
    [/^--percent must be 0 to 100/, ...set, 'refund', '--percent', '1.234'],
    [/^--flat must be naira/, ...set, 'refund', '--flat', 'ten'],
    [/^--flat must be naira/, ...set, 'refund', '--flat=-1'],
    [/^--cap must be naira/, ...set, 'refund', '--cap', '1.001'],
    [/^--step takes up-to=/, ...set, 'refund', '--step', 'flat=1,colour=red'],
    [/^--step takes up-to=/, ...set, 'refund', '--step', 'flat=1,flat=2'],
    [/^--step up-to must be naira/, ...set, 'refund', '--step', 'up-to=x,flat=1'],
    [/^up-to must be left out of the last step/, ...set, 'refund', '--step', 'up-to=10,flat=1'],
    [
      /^up-to must rise/,
      ...set,
      'refund',
      '--step',
      'up-to=10,flat=1',
      '--step',
      'up-to=10,flat=1',
      '--step',
      'flat=1',
    ],
    [/^verification\/nin-details has no amount/, ...set, 'verification/nin-details', '--percent', '1'],
    [/^flat must be above zero/, ...set, 'mandate-token', '--flat', '0'],
    [/^--from must be a time/, ...set, 'refund', '--flat', '1', '--from', 'soon'],
    [/^from must not be in the past/, ...set, 'refund', '--flat', '1', '--from', '2020-01-01'],
    [/^--default needs --merchant/, ...set, 'refund', '--default'],
    [/^--contract needs --merchant/, ...set, 'collection', '--flat', '1', '--contract', '100000000001'],
    [/no contract 100000000001/, ...set, 'collection', '--flat', '1', '--merchant', code, '--contract', '100000000001'],
    [/No merchant has the code M-0/, ...set, 'refund', '--flat', '1', '--merchant', 'M-0'],
    [/No merchant has the code M-0/, 'price', 'list', '--merchant', 'M-0'],
  )
  const contractOf = ['--merchant', code, '--contract', shop.credentials.contractCode] as const
  await misused([/^contract: refund has a price for each merchant/, ...set, 'refund', '--flat', '1', ...contractOf])
  assert.deepEqual(await prints('price', 'list'), before)
  assert.equal(await feeOfTransfer(shop), 20)
})

test('a price cannot be changed or removed, not even with SQL', async (t) => {
  const { shop } = await aGateway(t)
  for (const statement of ['update price set steps = null', 'delete from price']) {
    await assert.rejects(
      inTransaction(shop.db, (tx) => tx.script(statement)),
      /permission denied/,
    )
    await assert.rejects(asOwner(shop.databaseUrl, statement), /insert-only/)
  }
})
