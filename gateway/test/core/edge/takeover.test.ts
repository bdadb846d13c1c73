import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { Route } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { openOnce } from '../../../src/core/edge/idempotency.ts'
import { readCredentials } from '../../../src/features/sandbox/index.ts'
import { type Clock, wallClock } from '../../../src/kernel/clock.ts'
import { openDatabase } from '../../../src/platform/postgres/db.ts'
import type { Rails } from '../../../src/rails/index.ts'
import { simulatedBook, simulatedRails } from '../../../src/rails/simulated/index.ts'
import { testWall } from '../../harness/clock.ts'
import { aShop, type Client, client, gateway, type Shop } from '../../harness/gateway.ts'
import { long } from '../../harness/long.ts'
import { aMandate, anActiveMandate, daysAfter } from '../../harness/mandate-samples.ts'
import { asOwner, ownDatabase } from '../../harness/postgres.ts'
import { startProgram } from '../../harness/processes.ts'
import { aRefund, paid } from '../../harness/refund-samples.ts'
import type { ApiResponse } from '../../harness/responses.ts'
import {
  aBatch,
  aCard,
  anInvoice,
  anItem,
  aPaymentLink,
  aReservedAccount,
  aTransaction,
  aTransfer,
  BVN,
  CARDS,
  charge,
  openTransaction,
  statusOf,
} from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'
import { RAILS_SECRET, railAdapter } from '../../rails/adapter.ts'

const isReplayed = ({ headers }: ApiResponse): boolean => headers.get('idempotent-replayed') === 'true'

/** Sends the same request repeatedly under one new key. */
function keyed(shop: Client, route: Route, body: object) {
  const key = randomUUID()
  return { key, send: () => shop.send('POST', route.path, { headers: { 'idempotency-key': key }, body }) }
}

/** Makes the process that holds a key look dead before it stores a response. */
const forgetResponse = (shop: Pick<Shop, 'db'>, key: string) =>
  shop.db`update idempotency_key set status = null, answer = null, refusal = null, leased_until = 'epoch' where key = ${key}`

/** Each route whose effect carries a reference of the caller, with a request that has one. */
const REQUESTS: readonly (readonly [Route, (shop: Shop) => Promise<object> | object])[] = [
  [contract.initTransaction, (shop) => aTransaction(shop)],
  [
    contract.chargeCard,
    async (shop) => ({ transactionReference: await openTransaction(shop), card: aCard(CARDS.success) }),
  ],
  [contract.chargeCardToken, aTokenCharge],
  [contract.initiateTransfer, (shop) => aTransfer(shop)],
  [contract.initiateBatch, (shop) => aBatch(shop, [anItem(), anItem({ amount: 700 })])],
  [contract.initiateRefund, async (shop) => aRefund(await paid(shop, 5_000))],
  [
    contract.vendBill,
    () => ({ productCode: 'MTN-AIRTIME', customerId: '08142223149', amount: 100, reference: randomUUID() }),
  ],
  [
    contract.createPaycode,
    (shop) => ({
      beneficiaryName: 'Bola Ige',
      amount: 1_000,
      paycodeReference: randomUUID(),
      expiryDate: daysAfter(shop.core.clock.now(), 1),
      clientId: shop.credentials.apiKey,
    }),
  ],
  [contract.createMandate, (shop) => aMandate(shop)],
  [
    contract.debitMandate,
    async (shop) => ({
      mandateCode: (await anActiveMandate(shop)).mandateCode,
      paymentReference: randomUUID(),
      debitAmount: 500,
      narration: 'Rent',
      customerEmail: 'ada@example.com',
    }),
  ],
  [
    contract.createWallet,
    () => ({
      walletReference: randomUUID(),
      walletName: 'Ada',
      customerName: 'Ada Obi',
      customerEmail: 'ada@example.com',
      bvnDetails: { bvn: BVN, bvnDateOfBirth: '1994-09-07' },
    }),
  ],
  [contract.createInvoice, (shop) => anInvoice(shop, shop.core.clock.now())],
  [contract.createPaymentLink, (shop) => aPaymentLink(shop)],
  [contract.reserveAccount, (shop) => aReservedAccount(shop)],
  [contract.reserveInvoiceAccount, (shop) => aReservedAccount(shop)],
]

async function aTokenCharge(shop: Shop): Promise<object> {
  const reference = await openTransaction(shop, { customerEmail: 'ada@example.com' })
  await charge(shop, reference, CARDS.success)
  return {
    cardToken: (await statusOf(shop, reference)).cardDetails?.cardToken,
    amount: 1_500,
    customerName: 'Ada Obi',
    customerEmail: 'ada@example.com',
    paymentReference: randomUUID(),
    paymentDescription: 'March',
    currencyCode: 'NGN',
    contractCode: shop.credentials.contractCode,
    apiKey: shop.credentials.apiKey,
  }
}

/** The names of an effect in a response, whatever its status is now. */
const namesOf = ({ body }: ApiResponse): string =>
  JSON.stringify(body.responseBody, (key, value) =>
    /status|message|completed|paidOn|amountPaid|comment/i.test(key) ? undefined : value,
  )

for (const [route, bodyOf] of REQUESTS)
  test(`POST ${route.path}: if the first attempt died before it responded, the next one returns the same result`, async () => {
    const shop = await aShop()
    await shop.call(contract.changeSettings, { body: { otpEnabled: false, permissions: { bills: true } } })
    const { key, send } = keyed(shop, route, await bodyOf(shop))
    const first = await send()
    assert.equal(first.status, 200, first.text)
    await forgetResponse(shop, key)
    const second = await send()
    assert.deepEqual([second.status, isReplayed(second)], [200, false], second.text)
    assert.equal(namesOf(second), namesOf(first))
    const third = await send()
    assert.deepEqual([third.text, isReplayed(third)], [second.text, true])
  })

test('a rejected request is rejected again if the first attempt died: a declined card, and a reference already used', async () => {
  const shop = await aShop()
  const transactionReference = await openTransaction(shop)
  const declined = keyed(shop, contract.chargeCard, { transactionReference, card: aCard(CARDS.insufficientFunds) })
  const first = await declined.send()
  assert.equal(first.status, 400)
  await forgetResponse(shop, declined.key)
  assert.equal((await declined.send()).text, first.text)

  const theirs = aTransaction(shop)
  await shop.call(contract.initTransaction, { body: theirs })
  const ours = keyed(shop, contract.initTransaction, theirs)
  assert.equal((await ours.send()).body.responseMessage, 'Duplicate payment reference')
  await forgetResponse(shop, ours.key)
  assert.equal((await ours.send()).body.responseMessage, 'Duplicate payment reference')
})

test('a request that failed on our side can be retried: its effect is returned, and made once', async (t) => {
  const shop = await gateway(t)
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  const { send } = keyed(shop, contract.initiateTransfer, await aTransfer(shop))
  // The transfer is accepted and sent, and its outcome cannot be stored.
  const { databaseUrl } = shop
  const broken = 'create trigger broken before update on transfer for each row execute function refuse_change()'
  await asOwner(databaseUrl, broken)
  assert.equal((await send()).status, 500)
  await asOwner(databaseUrl, 'drop trigger broken on transfer')
  const again = await send()
  assert.deepEqual([again.status, again.body.responseMessage], [200, 'success'], again.text)
  assert.equal((await shop.db`select from transfer`).count, 1)
})

test('a process that was wrongly taken for dead returns what its successor returned', async () => {
  const { core, merchantId, db } = await aShop()
  const once = openOnce(core)
  const request = { merchantId, path: '/', key: randomUUID(), body: {} }
  const slow = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const answered = (text: string) => ({ status: 200, text, refusal: null })
  const first = once(request, async (since) => {
    assert.equal(since, undefined)
    begun.resolve()
    await slow.promise
    return answered('first')
  })
  await begun.promise
  await db`update idempotency_key set leased_until = 'epoch' where key = ${request.key}`
  const second = await once(request, async (since) => {
    assert.ok(since !== undefined, 'it finds the earlier attempt')
    return answered('second')
  })
  slow.resolve()
  assert.deepEqual([second.text, second.replayed], ['second', false])
  assert.deepEqual(await first, { ...answered('second'), replayed: true })
})

/** The partners behind an adapter, with a bank that makes a transfer at once and responds when `answer` is called. */
async function aSlowBank(t: TestContext, clock: Clock) {
  const { url, drop } = await ownDatabase()
  const db = openDatabase(url, 3)
  t.after(async () => {
    await db.end()
    await drop()
  })
  const rails = simulatedRails({ clock, book: simulatedBook(db) })
  const answering = Promise.withResolvers<void>()
  let sent = 0
  const transfer: Rails['transfer'] = {
    ...rails.transfer,
    send: async (order) => {
      const outcome = await rails.transfer.send(order)
      sent++
      await answering.promise
      return outcome
    },
  }
  const adapter = await railAdapter(t, { ...rails, transfer }, clock)
  const env = { KOBO_RAILS_URL: adapter.url, KOBO_RAILS_SECRET: RAILS_SECRET }
  return { env, sent: () => sent, respond: () => answering.resolve() }
}

test('a request that takes longer than its lease keeps its key: a duplicate waits, and both get one response', async (t) => {
  const bank = await aSlowBank(t, testWall)
  const shop = await gateway(t, { env: bank.env, requestLeaseSeconds: 3 })
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  const { key, send } = keyed(shop, contract.initiateTransfer, await aTransfer(shop))
  const first = send()
  await until('the bank has it', () => bank.sent() === 1)
  const leasedUntil = async (): Promise<Date> => {
    const [row] = await shop.db<{ leasedUntil: Date }[]>`select leased_until from idempotency_key where key = ${key}`
    return row?.leasedUntil ?? assert.fail('the key is leased')
  }
  const taken = await leasedUntil()
  await until('the lease is renewed', async () => (await leasedUntil()) > taken)
  const twin = send()
  bank.respond()
  const [one, other] = await Promise.all([first, twin])
  assert.deepEqual([one.status, other.status], [200, 200])
  assert.equal(one.text, other.text)
  assert.equal([one, other].filter(isReplayed).length, 1)
  assert.equal((await shop.db`select from transfer`).count, 1)
})

long(
  'if a process is killed while the bank works, a retry returns the one transfer, and never a duplicate error',
  async (t) => {
    // The program runs on the real clock, so the bank and the other node do too.
    const bank = await aSlowBank(t, wallClock)
    const { url: databaseUrl, drop } = await ownDatabase()
    t.after(drop)
    const shop = await gateway(t, { databaseUrl, env: bank.env, wall: wallClock })
    await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
    const program = startProgram(t, 'gateway/src/main.ts', [], {
      ...bank.env,
      DATABASE_URL: databaseUrl,
      KOBO_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      PORT: '0',
    })
    const url = await program.says(/^Kobo is ready at (\S+)/m)
    const dying = await client(url, (await readCredentials(shop.core, url)) ?? assert.fail('there is a merchant'))
    const body = await aTransfer(shop)
    const headers = { 'idempotency-key': randomUUID() }
    const unanswered = dying.send('POST', contract.initiateTransfer.path, { headers, body }).catch(() => 'no response')
    await until('the bank has it', () => bank.sent() === 1)
    program.child.kill('SIGKILL')
    assert.equal(await unanswered, 'no response')
    bank.respond()
    // The test ends the dead program's leases instead of waiting for them.
    await shop.db`update idempotency_key set leased_until = 'epoch'`

    const send = () => shop.send('POST', contract.initiateTransfer.path, { headers, body })
    const taken = await send()
    assert.deepEqual([taken.status, isReplayed(taken)], [200, false], taken.text)
    assert.equal((taken.body.responseBody as { reference: string }).reference, body.reference)
    await shop.db`update rail_order set leased_until = 'epoch'`
    await shop.advance(61)
    const transfer = () => shop.call(contract.getTransfer, { query: { reference: body.reference } })
    await until('the transfer is concluded', async () => (await transfer()).status === 'SUCCESS')
    assert.equal(bank.sent(), 1)
    const again = await send()
    assert.deepEqual([again.text, isReplayed(again)], [taken.text, true])
  },
)
