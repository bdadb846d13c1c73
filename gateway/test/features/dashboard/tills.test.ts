import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { startSession } from '../../../src/core/sessions/index.ts'
import { unitOfWork } from '../../../src/core/unit-of-work.ts'
import { aShop, gateway, type Shop } from '../../harness/gateway.ts'
import { advanceToHour, BVN, pay } from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'
import { aTeamMember, inBrowser, type TestUser } from '../../harness/users.ts'

const FRESH = { secondFactor: 'fresh' } as const

/** A till, and the account that customers pay into. */
async function aTill(shop: Shop, admin: TestUser, name: string) {
  const { tillReference } = await admin.call(contract.createTill, { body: { name, bvn: BVN } })
  const params = { accountReference: tillReference }
  const { accountNumber, bankCode } = await shop.call(contract.getReservedAccount, { params })
  return { params: { tillReference }, account: { accountNumber, bankCode } }
}

type Till = Awaited<ReturnType<typeof aTill>>

/** A cashier of a till, who signs in after it was given to them. */
async function aCashier(shop: Shop, admin: TestUser, { params }: Till): Promise<TestUser> {
  const { core, merchantId } = shop
  const member = await aTeamMember(shop, 'cashier')
  const { personId } = member
  await admin.call(contract.setCashiers, { params, body: { cashiers: [String(personId)] } })
  await member.rejected(401, contract.listTills, {})
  const who = { personId, merchantId, deviceId: personId, address: '127.0.0.1', agent: 'a test' }
  const token = await unitOfWork(core, async (unit) =>
    startSession(unit, { ...who, secondFactorAt: null, at: core.wall.now() }),
  )
  return inBrowser(shop.url, member, `kobo=${token}`)
}

test('a till is a reserved account: it needs the owner’s BVN or NIN, and shows who paid how much, newest first', async () => {
  const shop = await aShop()
  const admin = await aTeamMember(shop, 'admin')
  const { code } = await admin.rejected(400, contract.createTill, { body: { name: 'Demo Shop Ikeja' } })
  assert.equal(code, 'IDENTITY_REQUIRED')
  const till = await aTill(shop, admin, 'Demo Shop Ikeja')
  await pay(shop, till.account, 2_500, { senderName: 'ADA OBI' })
  await pay(shop, till.account, '1200.50', { senderName: 'BOLA ADE' })
  const shown = await admin.call(contract.getTill, { params: till.params, query: {} })
  const { name, count, total, payments } = shown
  assert.deepEqual([name, count, total], ['Demo Shop Ikeja', 2, 3_700.5])
  assert.deepEqual(
    payments.map(({ amount, payerName }) => [amount, payerName]),
    [
      [1_200.5, 'BOLA ADE'],
      [2_500, 'ADA OBI'],
    ],
  )
  assert.ok(shown.accounts.some(({ accountNumber }) => accountNumber === till.account.accountNumber))
})

/** Every route that needs a permission of a team member. */
const TEAM_ROUTES = [...contract.ROUTES, ...contract.DASHBOARD_ROUTES].flatMap(({ name, route }) =>
  typeof route.person === 'string' && !route.person.startsWith('operator.') && route.person !== 'till.use'
    ? { name, route }
    : [],
)

test('a cashier sees their own till and nothing else of the merchant', async () => {
  const shop = await aShop()
  const admin = await aTeamMember(shop, 'admin', FRESH)
  const [own, other] = [await aTill(shop, admin, 'Ikeja'), await aTill(shop, admin, 'Yaba')]
  const cashier = await aCashier(shop, admin, own)
  await pay(shop, own.account, 700, { senderName: 'ADA OBI' })
  await pay(shop, other.account, 900, { senderName: 'BOLA ADE' })

  const { tills } = await cashier.call(contract.listTills, {})
  assert.deepEqual(
    tills.map(({ name, cashiers }) => [name, cashiers]),
    [['Ikeja', []]],
  )
  const { payments } = await cashier.call(contract.getTill, { params: own.params, query: {} })
  assert.deepEqual(
    payments.map(({ payerName }) => payerName),
    ['ADA OBI'],
  )
  for (const route of [contract.getTill, contract.watchTill])
    assert.equal((await cashier.rejected(404, route, { params: other.params, query: {} })).code, 'UNKNOWN_TILL')
  const elsewhere = await admin.call(contract.getTill, { params: other.params, query: {} })
  const transactionReference = elsewhere.payments[0]?.transactionReference ?? assert.fail()
  assert.ok(TEAM_ROUTES.length > 50)
  for (const { name, route } of TEAM_ROUTES) {
    const fields = [...route.path.matchAll(/:(\w+)/g)].map(([, field = '']) => [field, '1'])
    const params = { ...Object.fromEntries(fields), transactionReference }
    const body = route.body === undefined ? {} : { body: {} }
    const { status, text } = await cashier.send(route, { params, query: {}, ...body })
    assert.equal(status, 403, `${name}: ${text}`)
  }

  await admin.call(contract.setCashiers, { params: own.params, body: { cashiers: [] } })
  await cashier.rejected(401, contract.listTills, {})
})

test('only cashiers of the team get a till, and other merchants’ tills do not exist', async () => {
  const shop = await aShop()
  const admin = await aTeamMember(shop, 'admin', FRESH)
  const till = await aTill(shop, admin, 'Ikeja')
  const support = await aTeamMember(shop, 'support')
  const stranger = await aTeamMember(await aShop(), 'cashier')
  for (const { personId } of [support, stranger]) {
    const body = { cashiers: [String(personId)] }
    assert.equal((await admin.rejected(422, contract.setCashiers, { params: till.params, body })).code, 'NOT_A_CASHIER')
  }
  await support.rejected(403, contract.setCashiers, { params: till.params, body: { cashiers: [] } })
  await (await aTeamMember(shop, 'viewer')).rejected(403, contract.listTills, {})
  const elsewhere = await aTeamMember(await aShop(), 'owner')
  await elsewhere.rejected(404, contract.getTill, { params: till.params, query: {} })
  const unassigned = await aTeamMember(shop, 'cashier')
  assert.deepEqual(await unassigned.call(contract.listTills, {}), { tills: [] })
  await unassigned.rejected(404, contract.getTill, { params: till.params, query: {} })
})

test('a day’s totals are those of the day in Lagos', async (t) => {
  const shop = await gateway(t)
  const admin = await aTeamMember(shop, 'admin')
  const till = await aTill(shop, admin, 'Ikeja')
  const totalOf = async (date?: string) => {
    const found = await admin.call(contract.getTill, { params: till.params, query: date === undefined ? {} : { date } })
    return [found.date, found.count, found.total]
  }
  await advanceToHour(shop, 23)
  await shop.advance(1_800)
  await pay(shop, till.account, 1_000)
  const [date, ...first] = await totalOf()
  assert.deepEqual(first, [1, 1_000])
  // 23:30 and 00:30 in Lagos are the same day in UTC.
  await shop.advance(3_600)
  await pay(shop, till.account, 250)
  const [next, ...second] = await totalOf()
  assert.deepEqual(second, [1, 250])
  assert.notEqual(next, date)
  assert.deepEqual(await totalOf(String(date)), [date, 1, 1_000])
  await admin.rejected(404, contract.getTill, { params: till.params, query: { date: '2026-99-99' } })
  await admin.rejected(400, contract.getTill, { params: till.params, query: { date: 'today' } })
})

test('a till hears of a payment at once, and a cashier who loses the till hears nothing more', async (t) => {
  const shop = await aShop()
  const admin = await aTeamMember(shop, 'admin', FRESH)
  const till = await aTill(shop, admin, 'Ikeja')
  const cashier = await aCashier(shop, admin, till)
  const { url } = contract.requestOf({ baseUrl: shop.url }, contract.watchTill, { params: till.params })
  const gone = new AbortController()
  t.after(() => gone.abort())
  const response = await fetch(url, { headers: { cookie: cashier.cookie }, signal: gone.signal })
  assert.equal(response.status, 200)
  let received = ''
  let isOver = false
  const read = async (): Promise<void> => {
    const texts = (response.body ?? assert.fail()).pipeThrough(new TextDecoderStream())
    for await (const text of texts) received += text
    isOver = true
  }
  read().catch(() => {})
  await pay(shop, till.account, 700)
  await until('the payment is announced', () => received.includes('data: {"changed":"till"}'))
  await admin.call(contract.setCashiers, { params: till.params, body: { cashiers: [] } })
  await until('the stream has ended', () => isOver)
})
