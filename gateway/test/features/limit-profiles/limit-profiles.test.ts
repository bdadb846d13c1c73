import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { isWithin, NO_USAGE } from '../../../src/features/reserved-accounts/limits.ts'
import { kobo } from '../../../src/kernel/money.ts'
import { aShop } from '../../harness/gateway.ts'

const SMALL = {
  limitProfileName: 'Small shops',
  singleTransactionValue: 1_000,
  dailyTransactionValue: 2_500,
  dailyTransactionVolume: 4,
}

test('a limit profile is created, listed and changed; lastModified equals dateCreated at first', async () => {
  const shop = await aShop()
  const texts = { ...SMALL, singleTransactionValue: '1000.00', dailyTransactionVolume: '4' }
  const profile = await shop.call(contract.createLimitProfile, { body: texts })
  const { limitProfileCode, dateCreated } = profile
  assert.match(limitProfileCode, /^[A-Z0-9]{12}$/)
  assert.match(dateCreated, /^\d{2}\/\d{2}\/\d{4} \d{2}:\d{2}:\d{2} [AP]M$/)
  assert.deepEqual(profile, { limitProfileCode, ...SMALL, dateCreated, lastModified: dateCreated })

  await shop.advance(90)
  const wider = { ...SMALL, limitProfileName: 'Shops', dailyTransactionValue: 1_000_000.5 }
  const changed = await shop.call(contract.updateLimitProfile, { params: profile, body: wider })
  assert.deepEqual(changed, { ...wider, limitProfileCode, dateCreated, lastModified: changed.lastModified })
  assert.notEqual(changed.lastModified, dateCreated)

  await shop.call(contract.createLimitProfile, { body: SMALL })
  const page = await shop.call(contract.listLimitProfiles, { query: {} })
  assert.deepEqual(
    [page.content.map(({ limitProfileName }) => limitProfileName), page.totalElements, page.size],
    [['Small shops', 'Shops'], 2, 10],
  )
  assert.deepEqual((await shop.call(contract.listLimitProfiles, { query: { page: 1, size: 1 } })).content, [changed])
  const slashed = await shop.send('GET', '/api/v1/limit-profile/')
  assert.equal(slashed.status, 200)
})

test('a name is unique: 422 on creation and on renaming, and of 20 in parallel one is created', async () => {
  const shop = await aShop()
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => shop.send('POST', contract.createLimitProfile.path, { body: SMALL })),
  )
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, ...Array.from({ length: 19 }, () => 422)])
  const other = await shop.call(contract.createLimitProfile, { body: { ...SMALL, limitProfileName: 'Other' } })
  await shop.rejected(422, contract.updateLimitProfile, { params: other, body: SMALL })
  await shop.call(contract.updateLimitProfile, { params: other, body: { ...SMALL, limitProfileName: 'Other' } })
  const neighbour = await shop.anotherMerchant()
  await neighbour.call(contract.createLimitProfile, { body: SMALL })
})

test('malformed, negative, or daily below single is 400 with the field; an unknown code is 404', async () => {
  const shop = await aShop()
  const profile = await shop.call(contract.createLimitProfile, { body: { ...SMALL, limitProfileName: 'Sound' } })
  for (const [changes, field] of [
    [{ limitProfileName: undefined }, 'limitProfileName'],
    [{ limitProfileName: '' }, 'limitProfileName'],
    [{ singleTransactionValue: undefined }, 'singleTransactionValue'],
    [{ singleTransactionValue: -1 }, 'singleTransactionValue'],
    [{ singleTransactionValue: '1.001' }, 'singleTransactionValue'],
    [{ dailyTransactionValue: '-5' }, 'dailyTransactionValue'],
    [{ dailyTransactionValue: 999.99 }, 'dailyTransactionValue'],
    [{ dailyTransactionValue: true }, 'dailyTransactionValue'],
    [{ dailyTransactionVolume: undefined }, 'dailyTransactionVolume'],
    [{ dailyTransactionVolume: -1 }, 'dailyTransactionVolume'],
    [{ dailyTransactionVolume: 1.5 }, 'dailyTransactionVolume'],
    [{ dailyTransactionVolume: 'many' }, 'dailyTransactionVolume'],
    [{ dailyTransactionVolume: 2 ** 31 }, 'dailyTransactionVolume'],
  ] as const) {
    const body = { ...SMALL, ...changes }
    for (const { message } of [
      await shop.rejected(400, contract.createLimitProfile, { body }),
      await shop.rejected(400, contract.updateLimitProfile, { params: profile, body }),
    ])
      assert.ok(message.startsWith(`${field} `), message)
  }
  await shop.rejected(400, contract.listLimitProfiles, { query: { page: -1 } })
  await shop.rejected(404, contract.updateLimitProfile, { params: { limitProfileCode: 'NOSUCHPROFIL' }, body: SMALL })
  const neighbour = await shop.anotherMerchant()
  await neighbour.rejected(404, contract.updateLimitProfile, { params: profile, body: SMALL })
  assert.equal((await neighbour.call(contract.listLimitProfiles, { query: {} })).totalElements, 0)
})

const LIMITS = {
  singleTransactionValue: kobo(100n),
  dailyTransactionValue: kobo(250n),
  dailyTransactionVolume: 3,
}
for (const [usage, amount, passes] of [
  [NO_USAGE, 100n, true],
  [NO_USAGE, 101n, false],
  [{ value: kobo(150n), volume: 2 }, 100n, true],
  [{ value: kobo(151n), volume: 2 }, 100n, false],
  [{ value: kobo(3n), volume: 3 }, 1n, false],
] as const) {
  test(`${amount} kobo after ${usage.value} kobo in ${usage.volume} payments ${passes ? 'pass' : 'do not pass'}`, () =>
    assert.equal(isWithin(LIMITS, usage, kobo(amount)), passes))
}
