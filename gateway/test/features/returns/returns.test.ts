import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { BALANCES, isClean } from '../../../src/core/money/ledger/index.ts'
import { testWall } from '../../harness/clock.ts'
import { partners, reportCredit, reportSignedCredit } from '../../harness/credits.ts'
import { gateway, type Shop, type TestGateway } from '../../harness/gateway.ts'
import { commandAt } from '../../harness/processes.ts'
import { anAccount, pay } from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'
import { RAILS_SECRET, type RailAdapter } from '../../rails/adapter.ts'

const PAYER = { name: 'ADA OBI', accountNumber: '0123456789', bankCode: '058', bvn: null }
const UNASSIGNED = { bankCode: '035', accountNumber: '9999999999' }
const NOT_FOUND = 'ACCOUNT_NOT_FOUND'

/** A gateway with an adapter that reports credits, and the adapter. */
async function aShopWithAdapter(t: TestContext): Promise<{ shop: TestGateway; adapter: RailAdapter }> {
  const adapter = await partners(t)
  return { adapter, shop: await gateway(t, { env: { KOBO_RAILS_URL: adapter.url, KOBO_RAILS_SECRET: RAILS_SECRET } }) }
}

const credit = (railReference: string, account: { bankCode: string; accountNumber: string }, more: object = {}) => ({
  railReference,
  bankCode: account.bankCode,
  accountNumber: account.accountNumber,
  amount: 500_000,
  payer: PAYER,
  ...more,
})

interface Return {
  readonly id: bigint
  readonly merchantId: bigint
  readonly state: string
  readonly reason: string
  readonly failure: string | null
}

const returnsIn = ({ db }: Shop): Promise<Return[]> =>
  db<Return[]>`select id, merchant_id, state, reason, failure from credit_return order by id`

const isReturned = (shop: Shop, state: string, count = 1): Promise<unknown> =>
  until(`${count} ${state}`, async () => (await returnsIn(shop)).filter((one) => one.state === state).length === count)

/** The balance of an account over all merchants. */
async function held({ db }: Shop, code: string): Promise<number> {
  const [row] = await db<{ balance: bigint | null }[]>`
    select sum(balance)::bigint as balance from ${BALANCES} account where code = ${code}`
  return Number(row?.balance ?? 0n)
}

async function areProven(shop: Shop): Promise<void> {
  const verdict = await verifyLedger(shop.db)
  assert.ok(isClean(verdict), JSON.stringify(verdict))
}

const sentBack = ({ operations: request }: RailAdapter): number =>
  request.filter((operation) => operation === 'transfer/send').length

/** Runs a command next to the gateway. */
async function kobo(shop: TestGateway, ...args: readonly string[]) {
  const env = { DATABASE_URL: shop.databaseUrl, KOBO_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
  const { code, stdout, stderr } = await commandAt(testWall, env, 'returns', ...args)
  return { code, stderr, printed: stdout.startsWith('[') || stdout.startsWith('{') ? JSON.parse(stdout) : stdout }
}

test('a credit on an unassigned number is owed to its payer until it is returned, however often it is reported', async (t) => {
  const { shop, adapter } = await aShopWithAdapter(t)
  adapter.misbehaving = (operation) => (operation.startsWith('transfer/') ? 'unreachable' : undefined)
  const responses = await Promise.all(
    Array.from({ length: 5 }, () => reportSignedCredit(shop, credit('FT1', UNASSIGNED))),
  )
  assert.deepEqual(responses, Array(5).fill({ kind: 'held', reason: NOT_FOUND }))
  assert.equal(await held(shop, 'suspense/adapter'), 500_000)
  assert.equal(await held(shop, 'clearing/adapter'), -500_000)
  assert.deepEqual(
    (await returnsIn(shop)).map(({ merchantId, state, reason }) => [merchantId, state, reason]),
    [[0n, 'RETURNING', NOT_FOUND]],
  )
  await areProven(shop)
  adapter.misbehaving = () => undefined
  await shop.advance(60)
  await isReturned(shop, 'RETURNED')
  assert.equal(await held(shop, 'suspense/adapter'), 0)
  assert.equal(await held(shop, 'clearing/adapter'), 0)
  assert.deepEqual(await reportSignedCredit(shop, credit('FT1', UNASSIGNED)), { kind: 'held', reason: NOT_FOUND })
  assert.deepEqual(await reportSignedCredit(shop, credit('FT1', UNASSIGNED, { amount: 1 })), { kind: 'conflict' })
  assert.equal((await returnsIn(shop)).length, 1)
  assert.equal(sentBack(adapter), 2, 'the first attempt was lost, the second succeeded')
  assert.equal((await shop.send('GET', `/sandbox/accounts/035/${UNASSIGNED.accountNumber}`)).status, 404)
  await areProven(shop)
})

test('a credit that a payment rejects is returned from its merchant’s ledger, also while the merchant is suspended', async (t) => {
  const shop = await gateway(t)
  const account = await anAccount(shop)
  await pay(shop, account, 5_000)
  await shop.db`update merchant set standing = 'SUSPENDED' where id = ${shop.merchantId}`
  assert.equal((await pay(shop, account, 700)).reason, 'ALREADY_PAID')
  await isReturned(shop, 'RETURNED')
  const [row] = await returnsIn(shop)
  assert.deepEqual([row?.merchantId, row?.reason], [shop.merchantId, 'ALREADY_PAID'])
  const { content } = await shop.call(contract.listEvents, { query: { reference: account.transactionReference } })
  assert.deepEqual(content.map(({ eventType }) => eventType).sort(), ['REJECTED_PAYMENT', 'SUCCESSFUL_TRANSACTION'])
  assert.deepEqual([await held(shop, 'suspense/simulated'), await held(shop, 'clearing/simulated')], [0, 0])
  await areProven(shop)
})

for (const [ending, failure] of [
  ['001', 'Invalid account'],
  ['003', 'The payer’s bank returned the money'],
] as const)
  test(`a credit that cannot be returned (${failure}) waits in suspense for the operator, who sends it elsewhere`, async (t) => {
    const shop = await gateway(t)
    const account = await anAccount(shop)
    await pay(shop, account, 5_000)
    await pay(shop, account, 700, { senderAccountNumber: `0123456${ending}` })
    await until('it was sent', async () => {
      await shop.advance(301)
      return (await returnsIn(shop))[0]?.state === 'WAITING'
    })
    assert.equal((await returnsIn(shop))[0]?.failure, failure)
    assert.equal(await held(shop, 'suspense/simulated'), 70_000)
    await areProven(shop)
    const { printed } = await kobo(shop, 'list')
    assert.deepEqual([printed.length, printed[0].amount, printed[0].failure], [1, 700, failure])
    const sent = await kobo(
      shop,
      'send',
      printed[0].id,
      '--bank',
      '044',
      '--account',
      '0123456789',
      '--name',
      'Ada Obi',
    )
    assert.deepEqual([sent.code, sent.printed.state], [0, 'RETURNING'])
    await until('it is back', async () => {
      await shop.advance(60)
      return (await returnsIn(shop))[0]?.state === 'RETURNED'
    })
    assert.equal(await held(shop, 'suspense/simulated'), 0)
    const orders = await shop.db<{ reference: string }[]>`
      select reference from rail_order where purpose = 'return' order by id`
    assert.match(orders[1]?.reference ?? '', /-2$/, 'each order has its own reference')
    const [audited] = await shop.db<{ act: string; details: object }[]>`
      select act, details from audit where act = 'return.send'`
    assert.deepEqual(audited?.details, { id: printed[0].id, bankCode: '044', endsIn: '6789' })
    await areProven(shop)
  })

test('a credit from an unknown payer waits for the operator, who may record that it was returned', async (t) => {
  const { shop, adapter } = await aShopWithAdapter(t)
  assert.deepEqual(await reportSignedCredit(shop, credit('FT1', UNASSIGNED, { payer: { name: 'ADA OBI' } })), {
    kind: 'held',
    reason: NOT_FOUND,
  })
  const { text } = await shop.send('GET', '/metrics')
  assert.match(text, /^kobo_credits_waiting\{partner="adapter"\} 1$/m)
  const [{ id }] = (await kobo(shop, 'list')).printed
  for (const args of [
    ['send', id],
    ['send', id, '--bank', '044', '--account', '1'],
    ['send', id, '--by-partner', '--bank', '044'],
    ['settle', id],
    ['settle', '1', '--because', 'No such credit'],
  ])
    assert.equal((await kobo(shop, ...args)).code, 2, args.join(' '))
  assert.equal((await kobo(shop, 'settle', id, '--because', 'The bank has returned it itself')).code, 0)
  assert.equal((await kobo(shop, 'settle', id, '--because', 'Once more')).code, 2)
  const [row] = await returnsIn(shop)
  assert.equal(row?.state, 'RETURNED')
  assert.deepEqual([await held(shop, 'suspense/adapter'), await held(shop, 'clearing/adapter')], [0, 0])
  assert.equal(sentBack(adapter), 0)
  await areProven(shop)
})

test('a partner on protocol version 1 returns credits itself: nothing is posted, and the response stays the same', async (t) => {
  const { shop, adapter } = await aShopWithAdapter(t)
  const rejected = { kind: 'rejected', reason: NOT_FOUND }
  for (let time = 0; time < 2; time++)
    assert.deepEqual(await (await reportCredit(shop, credit('FT1', UNASSIGNED))).json(), rejected)
  assert.deepEqual(
    await reportSignedCredit(shop, credit('FT1', UNASSIGNED)),
    rejected,
    'a repeated notification gets the same response',
  )
  assert.deepEqual(await reportSignedCredit(shop, credit('FT2', UNASSIGNED)), { kind: 'held', reason: NOT_FOUND })
  await isReturned(shop, 'RETURNED')
  assert.deepEqual(
    (await returnsIn(shop)).map(({ state }) => state),
    ['BY_PARTNER', 'RETURNED'],
  )
  assert.equal(sentBack(adapter), 1)
  await areProven(shop)
})

test('a partner’s deduction from a credit is posted once as its cost, whether the credit is accepted or rejected', async (t) => {
  const { shop } = await aShopWithAdapter(t)
  const account = await anAccount(shop)
  assert.equal((await reportCredit(shop, credit('FT3', UNASSIGNED, { fee: 500_001 }))).status, 400)
  for (let time = 0; time < 2; time++) {
    const paid = credit('FT1', account, { fee: 1_000, vat: 75 })
    assert.deepEqual(await reportSignedCredit(shop, paid), { kind: 'accepted' })
    assert.deepEqual(await reportSignedCredit(shop, credit('FT2', UNASSIGNED, { fee: 2_000 })), {
      kind: 'held',
      reason: NOT_FOUND,
    })
  }
  await isReturned(shop, 'RETURNED')
  assert.deepEqual([await held(shop, 'costs/adapter'), await held(shop, 'clearing/adapter')], [-3_075, 3_075])
  assert.equal(await held(shop, 'payable'), 500_000 - 7_500, 'the merchant has all of it, less our own fee')
  await areProven(shop)
})

test('the ledger checks find unexplained money in suspense, and returns without an order', async (t) => {
  const { shop } = await aShopWithAdapter(t)
  await reportSignedCredit(shop, credit('FT1', UNASSIGNED, { payer: {} }))
  const says = async (what: RegExp): Promise<void> => {
    const { wrong } = await verifyLedger(shop.db)
    assert.ok(
      wrong.some((one) => one.merchant === 'house' && what.test(one.what)),
      JSON.stringify(wrong),
    )
  }
  await shop.db`update credit_return set state = 'RETURNED', returned_by = 'adapter', returned_at = received_at`
  await says(/journal return\/.*\/returned is missing/)
  await says(/account suspense\/adapter holds 500000, pending orders hold 0/)
  await shop.db`update credit_return set state = 'RETURNING', way = 'SEND_BACK', order_id = 1, returned_by = null, returned_at = null`
  await says(/it waits for an outcome, but its order is completed/)
})

test('a credit that arrived before its number was assigned to its owner is rejected', async (t) => {
  const { shop } = await aShopWithAdapter(t)
  const [first, second] = [await anAccount(shop), await anAccount(shop)]
  const stateOf = async ({ transactionReference }: typeof first) =>
    (await shop.call(contract.getTransaction, { params: { transactionReference } })).paymentStatus
  // The bank has reassigned the first owner's number to the second.
  const openedAt = new Date(shop.core.clock.now().getTime() - 3_600_000)
  await shop.db`
    insert into earlier_account (bank_code, account_number, merchant_id, purpose, owner_id, account_name, opened_at, closes_at)
    select bank_code, ${second.accountNumber}, merchant_id, purpose, owner_id, account_name, opened_at - interval '9 hours', ${openedAt}
      from virtual_account where account_number = ${first.accountNumber}`
  await shop.db`update virtual_account set opened_at = ${openedAt} where account_number = ${second.accountNumber}`
  const arrived = (hours: number) => ({
    arrivedAt: new Date(shop.core.wall.now().getTime() - hours * 3_600_000).toISOString(),
  })

  assert.match(await (await reportCredit(shop, credit('FT4', second, { arrivedAt: 'soon' }))).text(), /arrivedAt/)
  const theirs = { kind: 'accepted' }
  assert.deepEqual(await reportSignedCredit(shop, credit('FT1', second, arrived(2))), theirs, 'who had it then is paid')
  assert.deepEqual([await stateOf(first), await stateOf(second)], ['PAID', 'PENDING'])

  const held12 = credit('FT2', second, arrived(12))
  const response = { kind: 'held', reason: 'ACCOUNT_REASSIGNED' }
  assert.deepEqual(await Promise.all([reportSignedCredit(shop, held12), reportSignedCredit(shop, held12)]), [
    response,
    response,
  ])
  assert.deepEqual(
    (await returnsIn(shop)).map(({ merchantId, state, reason }) => [merchantId, state, reason]),
    [[0n, 'WAITING', 'ACCOUNT_REASSIGNED']],
    'the owner is unknown: one manual review',
  )
  assert.equal(await held(shop, 'suspense/adapter'), 500_000)
  assert.equal(await stateOf(second), 'PENDING')

  const untimed = credit('FT9', second)
  assert.deepEqual(await reportSignedCredit(shop, untimed), response, 'without a time it may be the first owner’s')
  assert.equal(await stateOf(second), 'PENDING')
  assert.equal((await returnsIn(shop)).filter(({ state }) => state === 'WAITING').length, 2)

  // A bank's clock may be a little behind ours.
  assert.deepEqual(await reportSignedCredit(shop, credit('FT3', second, arrived(1.02))), theirs)
  assert.equal(await stateOf(second), 'PAID')
  await areProven(shop)
})
