import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { sandbox } from '../../../../connectors/test/connectors.ts'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { isClean, partnerBalances } from '../../../src/core/money/ledger/index.ts'
import { type RoutingTable, setTable } from '../../../src/core/routing/index.ts'
import { hidden } from '../../../src/kernel/hidden.ts'
import { signRequest } from '../../../src/rails/protocol/index.ts'
import { testWall } from '../../harness/clock.ts'
import { gateway, type TestGateway } from '../../harness/gateway.ts'
import { loseRoute } from '../../harness/lost-route.ts'
import { aTransaction, CARDS, charge, transferTo } from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'

const SECRETS = { wema: 'the-secret-between-gateway-and-wema', providus: 'the-secret-between-us-and-providus' }
const KOBO_RAILS_SECRET = `wema=${SECRETS.wema},providus=${SECRETS.providus}`

/** A gateway with two partners; the first is the default. */
async function twoPartners(t: TestContext, connectors = 'wema=sandbox,providus=sandbox') {
  const rails = await sandbox(t, { wall: testWall, env: { KOBO_CONNECTORS: connectors, KOBO_RAILS_SECRET } })
  const [wema, providus] = [rails.at('wema'), rails.at('providus')]
  const KOBO_RAILS_URL = `wema=${wema.url},providus=${providus.url}`
  const shop = await gateway(t, { env: { KOBO_RAILS_URL, KOBO_RAILS_SECRET } })
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  return { shop, wema, providus }
}

type Partner = Awaited<ReturnType<typeof twoPartners>>['wema']

const effectsOf = async (partner: Partner): Promise<readonly { readonly reference: string; readonly rail: string }[]> =>
  (await partner.control('effects'))['effects'] as { reference: string; rail: string }[]

const ordersOf = ({ db }: TestGateway) =>
  db<{ partner: string; slot: string; routingVersion: number | null; state: string }[]>`
    select partner, slot, routing_version, state from rail_order order by created_at, id`

/** Each partner's balance in the ledger by payment method, in kobo. */
const heldBy = async ({ db }: TestGateway) =>
  Object.fromEntries(
    (await partnerBalances(db)).flatMap(({ partner, byRail }) => (partner === null ? [] : [[partner, byRail]])),
  )

const checkBooks = async ({ db }: TestGateway) => assert.ok(isClean(await verifyLedger(db)))

test('a request that was not sent goes to another partner at once, and the order stays with that one', async (t) => {
  const { shop, wema, providus } = await twoPartners(t)
  wema.faults.inject('not sent', { operation: 'transfer/send' })
  const { status } = await transferTo(shop, '789', { amount: 1_000 })
  assert.equal(status, 'SUCCESS')
  assert.deepEqual([(await effectsOf(wema)).length, (await effectsOf(providus)).length], [0, 1])
  assert.deepEqual(
    (await ordersOf(shop)).map(({ partner, slot }) => [partner, slot]),
    [['providus', 'providus/transfer/058']],
  )
  assert.deepEqual(await heldBy(shop), { providus: { transfers: -100_000n } })
  providus.faults.inject('not sent', { operation: 'transfer/send' })
  const rejected = await transferTo(shop, '789', { amount: 2_000 })
  assert.equal(rejected.status, 'FAILED', 'no partner has sent it, and none is left')
  assert.equal((await effectsOf(providus)).length, 1)
  await checkBooks(shop)
})

for (const fault of ['lost answer', 'busy', 'forged', 'half'] as const)
  test(`only then: after ${fault} the same partner is queried, and no other partner sends it`, async (t) => {
    const { shop, wema, providus } = await twoPartners(t)
    // After this transfer, the gateway knows the manifest.
    await transferTo(shop, '789', { amount: 500 })
    wema.faults.inject(fault, { operation: 'transfer/send', times: 1 })
    const { reference, status } = await transferTo(shop, '789', { amount: 1_000 })
    assert.equal(status, 'PENDING')
    await shop.advance(31)
    await until(
      'it is found',
      async () => (await shop.call(contract.getTransfer, { query: { reference } })).status === 'SUCCESS',
    )
    assert.deepEqual([(await effectsOf(wema)).length, (await effectsOf(providus)).length], [2, 0])
    await checkBooks(shop)
  })

test('a partner that becomes unreachable after it got a transfer is queried, and no other partner sends it', async (t) => {
  const { shop, wema, providus } = await twoPartners(t)
  wema.faults.inject('hang', { operation: 'transfer/send' })
  const sending = transferTo(shop, '789', { amount: 1_000 })
  await until('it has arrived', async () => (await effectsOf(wema)).length === 1)
  loseRoute(Number(new URL(wema.url).port))
  const { reference, status } = await sending
  assert.equal(status, 'PENDING')
  await shop.advance(31)
  await until(
    'it is found',
    async () => (await shop.call(contract.getTransfer, { query: { reference } })).status === 'SUCCESS',
  )
  assert.deepEqual([(await effectsOf(wema)).length, (await effectsOf(providus)).length], [1, 0])
  await checkBooks(shop)
})

test('an unreachable partner has received nothing: another sends it', async (t) => {
  const { shop, providus } = await twoPartners(t)
  const away = await gateway(t, {
    env: { KOBO_RAILS_URL: `wema=http://127.0.0.1:1,providus=${providus.url}`, KOBO_RAILS_SECRET },
    databaseUrl: shop.databaseUrl,
  })
  assert.equal((await transferTo(away, '789', { amount: 1_000 })).status, 'SUCCESS')
  assert.equal((await effectsOf(providus)).length, 1)
})

test('a partner with many unknown outcomes gets no new orders, and is queried about those it has', async (t) => {
  const { shop, wema, providus } = await twoPartners(t)
  await transferTo(shop, '789', { amount: 500 })
  wema.faults.inject('busy', { operation: 'transfer/send' })
  for (let n = 0; n < 12; n++) await transferTo(shop, '789', { amount: 1_000 + n })
  assert.deepEqual([(await effectsOf(wema)).length, (await effectsOf(providus)).length], [11, 2])
  await shop.advance(31)
  await until('all outcomes are known', async () => (await ordersOf(shop)).every(({ state }) => state === 'CONCLUDED'))
  const partners = (await ordersOf(shop)).map(({ partner }) => partner)
  assert.deepEqual([partners.filter((one) => one === 'wema').length, partners.length], [11, 13])
  await checkBooks(shop)
})

test('the table in effect routes by bank and amount on every node, and an order records its version', async (t) => {
  const { shop, wema, providus } = await twoPartners(t)
  const routes: RoutingTable = {
    'transfer/send': {
      rules: [
        { name: 'own bank', when: { destinationBank: ['035'] }, use: ['wema'] },
        { name: 'small', when: { amountBelow: 2_000 }, use: ['providus'] },
      ],
      otherwise: ['wema'],
    },
  }
  await setTable(shop.core, { routes, by: { actor: 'gateway' } })
  await until('the table is in effect', async () => {
    await transferTo(shop, '789', { amount: 1_000 + (await ordersOf(shop)).length })
    return (await ordersOf(shop)).at(-1)?.routingVersion === 1
  })
  assert.equal((await ordersOf(shop)).at(-1)?.partner, 'providus')
  await transferTo(shop, '789', { amount: 1_500, destinationBankCode: '035' })
  await transferTo(shop, '789', { amount: 2_000 })
  assert.deepEqual(
    (await ordersOf(shop)).slice(-2).map(({ partner, routingVersion }) => [partner, routingVersion]),
    [
      ['wema', 1],
      ['wema', 1],
    ],
  )
  await assert.rejects(setTable(shop.core, { routes, basedOn: 0, by: { actor: 'gateway' } }), /version 1 is in effect/)
  const [audited] = await shop.db<{ details: { after: unknown } }[]>`select details from audit where act = 'routes.set'`
  assert.deepEqual(audited?.details.after, routes)
  assert.ok((await effectsOf(wema)).length >= 2 && (await effectsOf(providus)).length >= 1)
})

test('a credit belongs to the partner whose secret signed it', async (t) => {
  const { shop } = await twoPartners(t)
  const notify = async (secret: string, railReference: string) => {
    const body = JSON.stringify({
      railReference,
      bankCode: '50515',
      accountNumber: shop.credentials.walletAccountNumber,
      amount: 5_000,
    })
    const { headers } = signRequest({ secret: hidden(secret) }, testWall, { operation: 'credits', body })
    return (await fetch(`${shop.url}/rails/credits`, { method: 'POST', body, headers })).status
  }
  assert.equal(await notify(SECRETS.providus, 'one'), 200)
  assert.equal(await notify(SECRETS.wema, 'one'), 200, 'references are unique per partner')
  assert.equal(await notify('a-secret-that-is-nobodys-between-us', 'two'), 401)
  const rows = await shop.db<
    { partner: string }[]
  >`select partner from top_up where partner in ('wema', 'providus') order by partner`
  assert.deepEqual(
    rows.map(({ partner }) => partner),
    ['providus', 'wema'],
  )
  const held = { 'bank-transfer': 5_000n }
  assert.deepEqual(await heldBy(shop), { providus: held, wema: held }, 'and so does the ledger')
  await checkBooks(shop)
})

test('a card refund goes through the partner that charged the card, even if another is now first', async (t) => {
  const { shop, wema, providus } = await twoPartners(t)
  wema.faults.inject('not sent', { operation: 'card/charge' })
  const opened = await shop.call(contract.initTransaction, { body: aTransaction(shop, { amount: 5_000 }) })
  await charge(shop, opened.transactionReference, CARDS.success)
  wema.faults.clear()
  await shop.call(contract.initiateRefund, {
    body: {
      transactionReference: opened.transactionReference,
      refundReference: 'refund-1',
      refundAmount: 1_000,
      refundReason: 'Wrong size',
      customerNote: 'Sorry',
    },
  })
  await until('the refund has run', async () => (await effectsOf(providus)).some(({ rail }) => rail === 'card refund'))
  assert.deepEqual(await effectsOf(wema), [])
  await until('it is posted', async () => (await ordersOf(shop)).every(({ state }) => state === 'CONCLUDED'))
  assert.deepEqual(await heldBy(shop), { providus: { card: 400_000n } })
  await checkBooks(shop)
})
