import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { simulatedBook } from '../src/core/simulated-book.ts'
import { openRefundWork } from '../src/features/refunds/index.ts'
import type { RefundRow } from '../src/features/refunds/repository.ts'
import { initiateRefund } from '../src/features/refunds/service.ts'
import { naira } from '../src/kernel/money.ts'
import { openLog } from '../src/platform/log.ts'
import { simulatedRails } from '../src/rails/simulated/index.ts'
import { gateway, ownDatabase } from './harness.ts'
import { aRefund, balances, checkBooks, OPENING_BALANCE, paid, type Refund, refund, settled } from './refund-samples.ts'

test('50 refunds at once of one payment give back what was paid, exactly, and each other is refused', async (t) => {
  const shop = await gateway(t)
  const transactionReference = await paid(shop, 5_000)
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      shop.send('POST', contract.initiateRefund.path, {
        body: aRefund(transactionReference, { refundAmount: '333.34' }),
      }),
    ),
  )
  const accepted = answers.filter(({ status }) => status === 200)
  assert.equal(accepted.length, 14, 'fifteen would be 5,000.10')
  assert.ok(answers.every(({ status, body }) => status === 200 || (status === 400 && body.responseCode === 'R3')))
  for (const { body } of accepted) await settled(shop, body.responseBody as Refund, 'COMPLETED')
  await refund(shop, transactionReference, { refundAmount: '333.24' })
  const { code } = await shop.refused(400, contract.initiateRefund, { body: aRefund(transactionReference) })
  assert.equal(code, 'R12')
  const { content } = await shop.call(contract.listRefunds, { query: { size: 100 } })
  for (const begun of content) await settled(shop, begun, 'COMPLETED')
  assert.deepEqual(await balances(shop), [OPENING_BALANCE - 5_150, OPENING_BALANCE - 5_150])
  await checkBooks(shop)
})

test('50 requests at once with one refundReference make one refund; the others are R9, also for another payment', async (t) => {
  const shop = await gateway(t)
  const references = [await paid(shop, 5_000), await paid(shop, 5_000)]
  const refundReference = `refund-${randomUUID()}`
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      shop.send('POST', contract.initiateRefund.path, { body: aRefund(references[i % 2] ?? '', { refundReference }) }),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.ok(answers.every(({ status, body }) => status === 200 || (status === 400 && body.responseCode === 'R9')))
  await settled(shop, { refundReference }, 'COMPLETED')
  assert.deepEqual(await balances(shop), [OPENING_BALANCE - 1_010, OPENING_BALANCE - 1_010])
})

test('refunds of many payments at once from a wallet that has enough for some never take it below zero', async (t) => {
  const shop = await gateway(t)
  const poor = await shop.anotherMerchant()
  await poor.call(contract.fundWallet, { body: { amount: 5_060 } })
  const references = await Promise.all(Array.from({ length: 12 }, () => paid(poor, 5_000)))
  const answers = await Promise.all(
    references.map((reference) => poor.send('POST', contract.initiateRefund.path, { body: aRefund(reference) })),
  )
  const codes = answers.map(({ status, body }) => (status === 200 ? 'accepted' : body.responseCode)).sort()
  assert.deepEqual(codes, [...Array(7).fill('R5'), ...Array(5).fill('accepted')])
  for (const { body } of answers) if (body.responseBody) await settled(poor, body.responseBody as Refund, 'COMPLETED')
  assert.deepEqual(await balances(poor), [10, 10])
  await checkBooks(shop)
})

test('a refund that was unknown when the gateway stopped is asked about by the next one, and was sent once', async (t) => {
  const { url: databaseUrl, drop } = await ownDatabase()
  t.after(drop)
  const refundReference = `refund-${randomUUID()}`
  await t.test('before', async (before) => {
    const shop = await gateway(before, { databaseUrl })
    const transactionReference = await paid(shop, 5_000, 5_000, '0123452002')
    await refund(shop, transactionReference, { refundReference })
  })
  const shop = await gateway(t, { databaseUrl })
  await settled(shop, { refundReference }, 'PENDING')
  await shop.advance(120)
  await settled(shop, { refundReference }, 'COMPLETED')
  const { count } = await shop.db`select from simulated_entry where rail = 'transfer'`
  assert.equal(count, 1)
  await checkBooks(shop)
})

for (const [when, arrived] of [
  ['before the bank was asked', false],
  ['after the bank was asked, before it answered', true],
] as const)
  test(`a process that dies ${when} leaves a refund that is paid once`, async (t) => {
    const shop = await gateway(t)
    const { core, db } = shop
    const transactionReference = await paid(shop, 5_000)
    const rails = simulatedRails({ clock: core.clock, book: simulatedBook(db) })
    const merchant = (await core.directory.byApiKey(shop.credentials.apiKey)) ?? assert.fail('there is a merchant')
    // What the process would have done next is never done.
    const begun = await initiateRefund({ ...core, rails, refundWork: { begin: () => {} } }, merchant, {
      transactionReference,
      refundReference: `refund-${randomUUID()}`,
      amount: naira(1_000),
      refundReason: 'Wrong size',
      customerNote: 'Sorry!',
      destination: null,
    })
    if (arrived)
      await rails.transfer.send({
        reference: begun.reference,
        amount: begun.amount,
        destination: { accountNumber: '0123452190', bankCode: '058', accountName: '' },
        narration: '',
        sender: { name: null, accountNumber: null, bankCode: null, bvn: null },
      })
    await shop.advance(60)
    await settled(shop, begun, 'PENDING') // its lease keeps others away
    await db`update refund set leased_until = ${new Date(0)}`
    await settled(shop, begun, 'COMPLETED')
    assert.equal((await db`select from simulated_entry where rail = 'transfer'`).count, 1)
    assert.deepEqual(await balances(shop), [OPENING_BALANCE - 1_010, OPENING_BALANCE - 1_010])
    await checkBooks(shop)
  })

test('a refund that several processes have in hand at once is settled once and told once', async (t) => {
  const shop = await gateway(t)
  const { core, db } = shop
  const rails = simulatedRails({ clock: core.clock, book: simulatedBook(db) })
  const tools = { ...core, rails, log: openLog('silent'), pokeDelivery: () => {} }
  const merchant = (await core.directory.byApiKey(shop.credentials.apiKey)) ?? assert.fail('there is a merchant')
  for (const sender of ['0123452190', '0123452001']) {
    const works = Array.from({ length: 5 }, () => openRefundWork(tools))
    const begin = (refund: RefundRow): void => {
      for (const work of works) work.begin(refund)
    }
    await initiateRefund({ ...core, rails, refundWork: { begin } }, merchant, {
      transactionReference: await paid(shop, 5_000, 5_000, sender),
      refundReference: `refund-${randomUUID()}`,
      amount: naira(1_000),
      refundReason: 'Wrong size',
      customerNote: 'Sorry!',
      destination: null,
    })
    await Promise.all(works.map(({ drained }) => drained()))
  }
  const { content } = await shop.call(contract.listRefunds, { query: {} })
  assert.deepEqual(
    content.map(({ refundStatus }) => refundStatus),
    ['FAILED', 'COMPLETED'],
  )
  for (const eventType of ['SUCCESSFUL_REFUND', 'FAILED_REFUND'])
    assert.equal((await shop.call(contract.listEvents, { query: { eventType } })).totalElements, 1)
  assert.deepEqual(await balances(shop), [OPENING_BALANCE - 1_010, OPENING_BALANCE - 1_010])
  await checkBooks(shop)
})
