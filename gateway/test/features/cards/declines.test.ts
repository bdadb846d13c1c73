import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { anotherNumber, declined, GUARDED, payFrom } from '../../harness/card-testing.ts'
import { type Client, gateway, type TestGateway } from '../../harness/gateway.ts'
import { type ApiResponse, checkRefusal } from '../../harness/responses.ts'
import { aCard, CARDS, openTransaction } from '../../harness/samples.ts'
import { slow } from '../../harness/slow.ts'
import { until } from '../../harness/until.ts'

const aGuarded = (t: TestContext, databaseUrl?: string): Promise<TestGateway> =>
  gateway(t, { env: GUARDED, ...(databaseUrl === undefined ? {} : { databaseUrl }) })

/** The merchant's server charges a card for a new payment. */
async function charge(client: Client, card: ReturnType<typeof aCard>): Promise<ApiResponse> {
  const { method, path } = contract.chargeCard
  const transactionReference = await openTransaction(client)
  return client.send(method, path, { body: { transactionReference, collectionChannel: 'API_NOTIFICATION', card } })
}

const codeOf = ({ headers }: ApiResponse): string | null => headers.get(contract.REFUSAL_HEADER)
const chargesSent = async ({ db }: TestGateway): Promise<number> =>
  (await db`select from simulated_entry where rail = 'card'`).count

slow(
  'an IP address that tests many cards is blocked, at all merchants and nodes, and other addresses are not',
  async (t) => {
    const shop = await aGuarded(t)
    const other = await aGuarded(t, shop.databaseUrl)
    const neighbour = await shop.anotherMerchant()
    for (let n = 0; n < 30; n++) {
      const merchant = n % 2 === 0 ? shop : neighbour
      assert.equal(codeOf(await payFrom(merchant, '203.0.113.7', declined(anotherNumber()))), 'CARD_DECLINED')
    }
    const sent = await chargesSent(shop)
    for (const merchant of [shop, neighbour]) {
      const held = await payFrom(merchant, '203.0.113.7', aCard(CARDS.success))
      assert.equal(held.status, 400)
      assert.equal(checkRefusal(contract.checkoutCard, held).code, 'CARDS_PAUSED')
    }
    await until('the other node knows of it', async () => {
      const number = anotherNumber()
      return codeOf(await payFrom(other, '203.0.113.7', declined(number))) === 'CARDS_PAUSED'
    })
    assert.equal(await chargesSent(shop), sent, 'no issuer is contacted')
    assert.equal((await payFrom(shop, '203.0.113.8', aCard(CARDS.success))).status, 200)
    assert.match((await shop.send('GET', '/metrics')).text, /kobo_card_charges_held_total\{scope="address"\} 2/)
    const [act] = await shop.db<{ details: { scope: string } }[]>`select details from audit where act = 'cards.pause'`
    assert.equal(act?.details.scope, 'address')
    const stored = JSON.stringify(await shop.db`select key from card_decline_count`)
    assert.ok(!stored.includes('203.0.113.7'), 'addresses are kept as hashes')

    const late = await aGuarded(t, shop.databaseUrl)
    assert.equal(codeOf(await payFrom(late, '203.0.113.7', aCard(CARDS.success))), 'CARDS_PAUSED', 'also after a start')
    await shop.advance(86_400)
    assert.equal((await payFrom(shop, '203.0.113.7', aCard(CARDS.success))).status, 200, 'a day later')
    await until(
      'expired blocks are deleted',
      async () => (await shop.db`select from card_decline_count where blocked`).count === 0,
    )
  },
)

test('all addresses of an IPv6 network count as one, so another address each time tests no more cards', async (t) => {
  const shop = await aGuarded(t)
  for (let n = 1; n <= 30; n++) {
    const response = await payFrom(shop, `2c0f:f00:1:2::${n.toString(16)}`, declined(anotherNumber()))
    assert.equal(codeOf(response), 'CARD_DECLINED')
  }
  const sent = await chargesSent(shop)
  const held = await payFrom(shop, '2c0f:f00:1:2:aaaa::1', declined(anotherNumber()))
  assert.equal(codeOf(held), 'CARDS_PAUSED')
  assert.equal(await chargesSent(shop), sent, 'no issuer is contacted')
  assert.equal((await payFrom(shop, '2c0f:f00:1:3::1', aCard(CARDS.success))).status, 200, 'another network')
})

test('a card that was declined too often is blocked at merchants that never saw it', async (t) => {
  const shop = await aGuarded(t)
  const merchants = [shop, await shop.anotherMerchant(), await shop.anotherMerchant()]
  const card = declined(anotherNumber())
  for (let n = 0; n < 20; n++) assert.equal(codeOf(await charge(merchants[n % 2] ?? shop, card)), 'CARD_DECLINED')
  const stranger = merchants[2] ?? shop
  assert.equal(codeOf(await charge(stranger, { ...card, pin: '1234' })), 'CARDS_PAUSED')
  assert.equal((await charge(stranger, aCard(CARDS.success))).status, 200)
  assert.ok(!JSON.stringify(await shop.db`select key from card_decline_count`).includes(card.number))
})

test('when most cards of a BIN are declined at a merchant, that BIN is blocked there, and the merchant is notified', async (t) => {
  const shop = await aGuarded(t)
  const neighbour = await shop.anotherMerchant()
  for (let n = 0; n < 50; n++)
    assert.equal(codeOf(await charge(shop, declined(anotherNumber('507850')))), 'CARD_DECLINED')
  assert.equal(codeOf(await charge(shop, aCard(anotherNumber('507850')))), 'CARDS_PAUSED')
  assert.equal((await charge(shop, aCard(anotherNumber('507851')))).status, 200, 'another BIN')
  assert.equal((await charge(neighbour, aCard(anotherNumber('507850')))).status, 200, 'another merchant')
  await until('the mail is sent', async () => {
    const mails = await shop.call(contract.readInbox, { query: {} })
    const notice = mails.find(({ subject }) => subject === 'Card payments paused: too many declines')
    return / until \d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d WAT\. /.test(notice?.text ?? '')
  })
  await shop.advance(3_600)
  assert.equal((await charge(shop, aCard(anotherNumber('507850')))).status, 200, 'an hour later')
})

slow('many declines among more approvals block nothing', async (t) => {
  const shop = await aGuarded(t)
  for (let n = 0; n < 55; n++) {
    assert.equal((await charge(shop, aCard(anotherNumber('507850')))).status, 200)
    assert.equal(codeOf(await charge(shop, declined(anotherNumber('507850')))), 'CARD_DECLINED')
  }
  assert.equal((await charge(shop, aCard(anotherNumber('507850')))).status, 200)
})

test('in the sandbox nothing is blocked unless configured', async (t) => {
  const shop = await gateway(t)
  for (let n = 0; n < 25; n++) assert.equal(codeOf(await charge(shop, aCard(CARDS.insufficientFunds))), 'CARD_DECLINED')
  assert.equal((await shop.db`select from card_decline_count`).count, 0)
})
