import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../src/app/ledger.ts'
import { addSource } from '../../src/core/account-numbers/index.ts'
import { updateMerchant } from '../../src/core/merchants/index.ts'
import { isClean } from '../../src/core/money/ledger/index.ts'
import { unitOfWork } from '../../src/core/unit-of-work.ts'
import { wallClock } from '../../src/kernel/clock.ts'
import { hidden } from '../../src/kernel/hidden.ts'
import { openPost } from '../../src/platform/http/post-json.ts'
import { requestSigned } from '../../src/rails/http/index.ts'
import { type Client, gateway, type TestGateway } from '../harness/gateway.ts'
import { startProgram } from '../harness/processes.ts'
import { proxyFor } from '../harness/proxy-for.ts'
import { balancesOf, openTransaction, statusOf as paymentOf, transferTo } from '../harness/samples.ts'
import { slow } from '../harness/slow.ts'
import { until } from '../harness/until.ts'
import { RAILS_SECRET } from '../rails/adapter.ts'

type Control = (name: string, body?: object) => Promise<Record<string, unknown>>

interface World {
  readonly shop: TestGateway
  readonly merchant: Client
  readonly control: Control
}

/** A live gateway, and the connector process to its partners, each of which knows the other's URL. */
async function live(t: TestContext, env: Record<string, string> = {}): Promise<World> {
  const door = await proxyFor(t)
  const shop = await gateway(t, {
    hasCheckedBooks: true,
    wall: wallClock,
    env: {
      KOBO_ENVIRONMENT: 'live',
      KOBO_RAILS_URL: `${door.url}/sandbox`,
      KOBO_RAILS_SECRET: RAILS_SECRET,
      KOBO_RAILS_PROTOCOL: '2',
      ...env,
    },
  })
  const program = startProgram(t, 'connectors/src/main.ts', [], {
    PORT: '0',
    KOBO_RAILS_SECRET: RAILS_SECRET,
    KOBO_GATEWAY_URL: shop.url,
    LOG_LEVEL: 'warn',
  })
  const url = await program.says(/ready at (\S+)/)
  door.forwardTo(Number(new URL(url).port))
  const { post, close } = openPost({ allowPrivate: true, timeoutMilliseconds: 120_000, excerptLengthMax: 1_000_000 })
  t.after(close)
  const control: Control = async (name, body = {}) => {
    const options = { url: `${url}/sandbox`, keys: { secret: hidden(RAILS_SECRET) }, wall: wallClock, post }
    const { text, reason } = await requestSigned(options, `control/${name}`, JSON.stringify(body))
    return JSON.parse(text ?? assert.fail(`${name}: ${reason}`))
  }
  return { shop, merchant: await withoutCodes(shop), control }
}

/** A merchant that sends money without a code. */
async function withoutCodes({ core, anotherMerchant }: TestGateway): Promise<Client> {
  const merchant = await anotherMerchant(['transfers', 'bills', 'verification'])
  const { id } = (await core.directory.byApiKey(merchant.credentials.apiKey)) ?? assert.fail('there is a merchant')
  await core.directory.change(id, ({ tx }) => updateMerchant(tx, id, { otpEnabled: false }))
  return merchant
}

const statusOf = async (merchant: Client, reference: string): Promise<string> =>
  (await merchant.call(contract.getTransfer, { query: { reference } })).status

/** A wallet credit, reported by the connector this many times. */
const credit = async ({ merchant, control }: World, railReference: string, amount: number, times = 1) =>
  (
    await control('credit', {
      credit: {
        railReference,
        bankCode: '50515',
        accountNumber: merchant.credentials.walletAccountNumber,
        amount,
        payer: { name: 'ADA OBI', accountNumber: '0123456789', bankCode: '058', bvn: null },
      },
      times,
    })
  )['answers']

slow(
  'live through the connector process: whatever fails in between, nothing is sent twice and the ledger verifies',
  async (t) => {
    const world = await live(t)
    const { shop, merchant, control } = world
    assert.deepEqual(await credit(world, 'arrival-1', 100_000_00, 5), Array(5).fill({ kind: 'accepted' }))
    assert.equal((await balancesOf(merchant)).availableBalance, 100_000, 'notified five times, it is posted once')

    const isNow = (reference: string, status: string) =>
      until(`${reference} is ${status}`, async () => (await statusOf(merchant, reference)) === status)
    const sent: string[] = []
    const send = async (ending: string, expected: string): Promise<string> => {
      const { reference, status } = await transferTo(merchant, ending, { amount: 1_000 + sent.length })
      assert.equal(status, expected)
      sent.push(reference)
      return reference
    }

    await send('789', 'SUCCESS')

    // The response is lost or invalid: the transfer is queried when the partner notifies us.
    for (const fault of ['lost answer', 'forged', 'unsigned', 'swapped', 'page', 'half', 'busy']) {
      await control('fault', { fault, operation: 'transfer/send', times: 1 })
      const reference = await send('789', 'PENDING')
      await control('advance', { seconds: 61 })
      await isNow(reference, 'SUCCESS')
    }

    // At first, the bank itself does not know the outcome.
    const late = await send('002', 'PENDING')
    await control('advance', { seconds: 61 })
    await isNow(late, 'SUCCESS')

    // The bank has sent another amount: that is no success, and the money stays in flight for manual review.
    await control('fault', { fault: 'wrong amount', operation: 'transfer/send', times: 1 })
    const other = await send('789', 'PENDING')
    await until('people are called', async () => {
      const [row] = await shop.db`select from rail_order where state = 'UNRESOLVED'`
      return row !== undefined
    })
    assert.equal(await statusOf(merchant, other), 'PENDING')

    // The transfer is reversed: the notification comes long before the next query.
    const reversed = await send('003', 'SUCCESS')
    await control('advance', { seconds: 301 })
    await isNow(reversed, 'REVERSED')

    // The transfer's notification arrives before its response.
    await control('fault', { fault: 'out of order', operation: 'transfer/send', times: 1 })
    await send('789', 'SUCCESS')

    // The partner is down: the transfer never arrived, and is sent once more under another reference.
    await control('fault', { fault: 'down', operation: 'transfer/send', times: 1 })
    const unheard = await send('789', 'PENDING')
    const [open] = await shop.db<{ reference: string }[]>`
    select reference from rail_order where state = 'SENT' order by created_at desc`
    assert.deepEqual(await control('tell', { reference: open?.reference }), {
      kind: 'told',
      answer: { kind: 'asking' },
    })
    await isNow(unheard, 'SUCCESS')

    // An unmatched credit: owed until the partner has returned it, once, though the response was lost.
    await control('fault', { fault: 'lost answer', operation: 'account/send-back', times: 1 })
    const stray = { railReference: 'stray', bankCode: '035', accountNumber: '9000000001', amount: 70_000 }
    const held = { kind: 'held', reason: 'ACCOUNT_NOT_FOUND' }
    assert.deepEqual((await control('credit', { credit: stray, times: 3 }))['answers'], Array(3).fill(held))
    await until('the credit is returned', async () => {
      const [row] = await shop.db<{ state: string; reference: string }[]>`
      select r.state, o.reference from credit_return r join rail_order o on o.merchant_id = r.merchant_id and o.id = r.order_id`
      if (row?.state === 'RETURNING') await control('tell', { reference: row.reference })
      return row?.state === 'RETURNED'
    })

    const { effects } = (await control('effects')) as { effects: { rail: string; reference: string }[] }
    const transfers = effects.filter(({ rail }) => rail === 'transfer').map(({ reference }) => reference)
    assert.equal(effects.filter(({ rail }) => rail === 'send-back').length, 1)
    assert.equal(transfers.length, sent.length, 'each ran once')
    assert.equal(new Set(transfers).size, sent.length)
    const verdict = await verifyLedger(shop.db)
    assert.ok(isClean(verdict), JSON.stringify(verdict))
    const partners = await shop.db<{ partner: string }[]>`select distinct partner from rail_order`
    assert.deepEqual(
      partners.map(({ partner }) => partner),
      ['sandbox'],
    )
  },
)

/** A bank that issues account numbers, reached through the connector. */
const ISSUING = {
  kind: 'issued',
  ...{ code: 'sterling', partner: 'sandbox', bankCode: '232', forWallets: false },
  ...{ prefix: null, checkDigit: null, restDays: null, settlementAccount: null },
} as const

slow(
  'a bank issues account numbers in live mode: whatever happens to its response, no transaction gets a second one',
  async (t) => {
    const { shop, merchant, control } = await live(t)
    await unitOfWork(shop.core, (unit) => addSource(unit, ISSUING, false))
    const request = async (transactionReference: string) => {
      const { status, text, headers } = await merchant.send('POST', contract.initBankTransfer.path, {
        body: { transactionReference, bankCode: '232' },
      })
      return { status, refusal: headers.get('kobo-refusal'), ...JSON.parse(text).responseBody }
    }
    await until(
      'the node knows the source',
      async () => (await request(await openTransaction(merchant))).bankCode === '232',
    )
    const given = new Set<string>()
    const untilGiven = (transactionReference: string) =>
      until(`${transactionReference} has a number`, async () => {
        const { status, accountNumber, refusal } = await request(transactionReference)
        assert.ok(status === 200 || refusal === 'ACCOUNT_PENDING', refusal ?? '')
        if (status === 200) given.add(accountNumber)
        return status === 200
      })
    const effects = async () => {
      const { effects: all } = (await control('effects')) as {
        effects: { rail: string; facts: Record<string, string> }[]
      }
      return all.filter(({ rail }) => rail === 'account').map(({ facts }) => facts['accountNumber'])
    }
    const before = (await effects()).length

    // The bank has opened the account, and its response is lost or invalid: the next request queries it.
    for (const fault of ['lost answer', 'forged', 'half', 'busy']) {
      const transactionReference = await openTransaction(merchant)
      await control('fault', { fault, operation: 'account/open', times: 1 })
      assert.deepEqual((await request(transactionReference)).refusal, 'ACCOUNT_PENDING')
      await untilGiven(transactionReference)
    }
    // The bank does not know at first, and notifies later: no further request is needed.
    const late = await openTransaction(merchant, { paymentDescription: 'Shoes unknown' })
    assert.equal((await request(late)).refusal, 'ACCOUNT_PENDING')
    await control('advance', { seconds: 61 })
    await until('its number is known', async () => {
      const { count } = await shop.db`select from account_request where owner_key = ${late} and state = 'OPENED'`
      return count === 1
    })
    await untilGiven(late)
    // The bank was never reached: the request is sent once more, under another reference.
    const unheard = await openTransaction(merchant)
    await control('fault', { fault: 'down', operation: 'account/open', times: 1 })
    assert.equal((await request(unheard)).refusal, 'ACCOUNT_PENDING')
    await untilGiven(unheard)
    assert.deepEqual(new Set((await effects()).slice(before)), given, 'each was opened once, and is in use')
    assert.equal(given.size, 6)
    // The bank rejects the request.
    const rejected = await openTransaction(merchant, { paymentDescription: 'Shoes refused' })
    assert.equal((await request(rejected)).refusal, 'ACCOUNT_REFUSED')

    // A payment into such a number arrives, and then its owner is no longer reported.
    const { accountNumber, amount } = await request(unheard)
    const number = { bankCode: '232', accountNumber }
    const enquire = async () => ((await control('name-enquiry', number)) as { answer: { kind: string } }).answer.kind
    assert.equal(await enquire(), 'found')
    const reported = await control('credit', { credit: { ...number, railReference: 'paid-1', amount: amount * 100 } })
    assert.deepEqual(reported['answers'], [{ kind: 'accepted' }])
    assert.equal((await paymentOf(merchant, unheard)).paymentStatus, 'PAID')
    assert.equal(await enquire(), 'not found')
  },
)

slow('the connector process says which settings it needs, and stops on a signal', async (t) => {
  const wrong = startProgram(t, 'connectors/src/main.ts', [], {
    PORT: 'x',
    KOBO_CONNECTORS: 'nobody',
    KOBO_GATEWAY_URL: 'x',
  })
  assert.equal(await wrong.ended, 1)
  for (const name of ['PORT', 'KOBO_CONNECTORS', 'KOBO_RAILS_SECRET', 'KOBO_GATEWAY_URL'])
    assert.match(wrong.stderr(), new RegExp(`^  ${name} `, 'm'))
  const help = startProgram(t, 'connectors/src/main.ts', ['--help'], {})
  assert.equal(await help.ended, 0)
  assert.match(help.stdout(), /KOBO_CONNECTORS/)
  const program = startProgram(t, 'connectors/src/main.ts', [], { PORT: '0', KOBO_RAILS_SECRET: RAILS_SECRET })
  const url = await program.says(/ready at (\S+)/)
  assert.equal((await fetch(`${url}/sandbox/manifest`)).status, 401, 'an unsigned request gets nothing')
  assert.equal((await fetch(`${url}/nobody/manifest`)).status, 404)
  program.child.kill('SIGTERM')
  assert.equal(await program.ended, 0)
})
