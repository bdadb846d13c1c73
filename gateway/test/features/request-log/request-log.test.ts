import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { aShop, type Client, gateway } from '../../harness/gateway.ts'
import { anAccount, aTransaction, CARDS, charge, openTransaction } from '../../harness/samples.ts'
import { slow } from '../../harness/slow.ts'
import { until } from '../../harness/until.ts'
import { aTeamMember } from '../../harness/users.ts'

type Noted = contract.Reply<typeof contract.getMerchantRequest>

const list = async (client: Client, query: object = {}): Promise<readonly Noted[]> =>
  (await client.call(contract.listMerchantRequests, { query })).content

/** The newest logged request of a route, once it is stored. */
async function noted(client: Client, route: contract.Route, outcome = 'SUCCEEDED'): Promise<Noted> {
  const find = async () => (await list(client, { route: route.path, outcome, size: 1 }))[0]
  await until(`a request of ${route.path} is noted`, async () => (await find()) !== undefined)
  return (await find()) ?? assert.fail()
}

test('requests and responses are logged with bodies in the sandbox, and found by outcome, route and reference', async () => {
  const shop = await aShop()
  const body = aTransaction(shop)
  const { transactionReference } = await shop.call(contract.initTransaction, { body })
  const wrong = { ...body, amount: -1, paymentReference: 'order-wrong' }
  const { code } = await shop.rejected(400, contract.initTransaction, { body: wrong })
  await shop.call(contract.getTransaction, { params: { transactionReference } })

  const request = await noted(shop, contract.initTransaction)
  assert.deepEqual(
    [
      request.method,
      request.route,
      request.status,
      request.refusal,
      request.reference,
      request.address,
      request.leftOut,
    ],
    ['POST', contract.initTransaction.path, 200, null, body.paymentReference, '127.0.0.1', 0],
  )
  assert.deepEqual(JSON.parse(request.requestBody ?? ''), body)
  assert.equal(JSON.parse(request.answerBody ?? '').responseBody.transactionReference, transactionReference)
  assert.ok(request.milliseconds > 0 && request.requestId !== '')

  const rejected = await noted(shop, contract.initTransaction, 'REFUSED')
  assert.deepEqual([rejected.status, rejected.refusal, rejected.reference], [400, code, 'order-wrong'])
  const read = await noted(shop, contract.getTransaction)
  assert.equal(read.reference, transactionReference)
  assert.equal(
    read.url,
    contract.getTransaction.path.replace(':transactionReference', encodeURIComponent(transactionReference)),
  )
  assert.equal(read.requestBody, null)

  assert.deepEqual(
    (await list(shop, { reference: transactionReference })).map(({ id }) => id),
    [read.id],
  )
  assert.deepEqual(await shop.call(contract.getMerchantRequest, { params: { id: read.id } }), read)
  const first = await shop.call(contract.listMerchantRequests, { query: { size: 2 } })
  assert.equal(first.content.length, 2)
  const rest = await list(shop, { before: first.next, size: 100 })
  const all = await list(shop, { size: 1_000 })
  assert.deepEqual([...first.content, ...rest], all)
  assert.ok(!all.some(({ route }) => route.startsWith('/sandbox') || route.includes('merchant/requests')))

  const developer = await aTeamMember(shop, 'developer')
  const seen = await developer.call(contract.browseRequests, {
    query: { outcome: 'REFUSED', route: 'init-transaction' },
  })
  assert.deepEqual(
    seen.items.map(({ id, leftOut }) => [id, leftOut]),
    [[rejected.id, 0]],
  )
  await (await aTeamMember(shop, 'finance')).rejected(403, contract.browseRequests, { query: {} })

  const other = await shop.anotherMerchant()
  await other.rejected(404, contract.getMerchantRequest, { params: { id: read.id } })
  await shop.rejected(404, contract.getMerchantRequest, { params: { id: '9'.repeat(19) } })
  await shop.rejected(400, contract.getMerchantRequest, { params: { id: 'x' } })
  for (const query of [{ outcome: 'LOST' }, { before: 'x' }, { size: 0 }])
    await shop.rejected(400, contract.listMerchantRequests, { query })
})

test('texts that PostgreSQL cannot store do not break the log', async () => {
  const [shop, neighbour] = [await aShop(), await aShop()]
  const body = { ...aTransaction(shop), amount: -1 }
  await shop.rejected(400, contract.getTransaction, { params: { transactionReference: 'a zero \0 within' } })
  // With any length of the text before them, one is cut in the middle.
  for (const shift of ['', '.'])
    await shop.rejected(400, contract.initTransaction, {
      body: { ...body, paymentReference: shift + '👍'.repeat(100), paymentDescription: '👍'.repeat(5_000) },
    })
  await neighbour.call(contract.initTransaction, { body: aTransaction(neighbour) })
  await noted(neighbour, contract.initTransaction)
  await until('all three are noted', async () => (await list(shop, { outcome: 'REFUSED' })).length === 3)
  const references = (await list(shop, { outcome: 'REFUSED' })).map(({ reference }) => reference)
  assert.deepEqual(references, [`.${'👍'.repeat(63)}\uFFFD`, '👍'.repeat(64), 'a zero  within'])
})

test('logged requests contain no keys, tokens, cards, codes or identities; forbidden requests are logged', async () => {
  const shop = await aShop()
  await shop.call(contract.changeSettings, { body: { permissions: { verification: true } } })
  await charge(shop, await openTransaction(shop), CARDS.success, { cvv: '847' })
  await shop.send('POST', contract.matchBvnDetails.path, {
    body: { bvn: '22222222226', name: 'Ada', dateOfBirth: '03-Oct-1993', mobileNo: '08016857829' },
  })
  await shop.call(contract.changeSettings, { body: { permissions: { verification: false } } })
  await shop.send('POST', contract.getNinDetails.path, { body: { nin: '12345678901' } })
  const { refusal } = await noted(shop, contract.getNinDetails, 'REFUSED')
  assert.equal(refusal, 'VERIFICATION_NOT_PERMITTED')

  const login = await noted(shop, contract.login)
  assert.equal(JSON.parse(login.answerBody ?? '').responseBody.accessToken, '[masked]')
  const [stored] = await shop.db<{ text: string }[]>`
    select string_agg(r::text, ' ') as text from request_log r where merchant_id = ${shop.merchantId}`
  const { secretKey } = shop.credentials
  for (const secret of [secretKey, shop.token, CARDS.success, '847', '22222222226', '12345678901'])
    assert.ok(!stored?.text.includes(`"${secret}"`), `${secret.slice(0, 4)} is in the log of requests`)
  assert.ok(stored?.text.includes('[masked]'))
})

test('a developer sees logged requests without customers’ data: only what the route declares, and not what is personal', async () => {
  const shop = await aShop()
  const body = { ...aTransaction(shop), metaData: { note: 'Ada lives here' }, nickname: 'Ada' }
  const { transactionReference } = await shop.call(contract.initTransaction, { body })
  await shop.call(contract.getTransaction, { params: { transactionReference } })
  await shop.call(contract.searchTransactions, { query: { page: 0, customerEmail: 'ada@example.com' } })
  await shop.rejected(400, contract.initTransaction, { body: { ...body, amount: -1, customerName: { first: 'Ada' } } })
  await noted(shop, contract.initTransaction, 'REFUSED')
  await noted(shop, contract.searchTransactions)
  const developer = await aTeamMember(shop, 'developer')
  const seen = async (route: contract.Route, outcome = 'SUCCEEDED') => {
    const { id } = await noted(shop, route, outcome)
    return developer.call(contract.getMerchantRequest, { params: { id } })
  }
  const sent = await seen(contract.initTransaction)
  const { customerName, customerEmail, paymentDescription, metaData, nickname, ...plain } = JSON.parse(
    sent.requestBody ?? '',
  )
  const { amount, paymentReference, currencyCode, contractCode } = body
  assert.deepEqual(plain, { amount, paymentReference, currencyCode, contractCode })
  assert.deepEqual(
    [customerName, customerEmail, paymentDescription, metaData, nickname],
    ['A***', 'a***@example.com', 'T***', { note: 'A***' }, 'A***'],
  )
  const answered = JSON.parse(sent.answerBody ?? '')
  assert.deepEqual(
    [answered.responseMessage, answered.responseBody.transactionReference],
    ['success', transactionReference],
  )
  const read = await seen(contract.getTransaction)
  const { responseBody } = JSON.parse(read.answerBody ?? '')
  assert.deepEqual([responseBody.amountPaid, responseBody.customer.email], ['0.00', 'a***@example.com'])
  assert.equal((await seen(contract.searchTransactions)).url?.split('?')[1], 'page=0&customerEmail=***')
  const rejected = await seen(contract.initTransaction, 'REFUSED')
  assert.match(JSON.parse(rejected.answerBody ?? '').responseMessage, /customerName|amount/)
  for (const one of [sent, read, rejected]) assert.doesNotMatch(JSON.stringify(one), /Ada|ada@|shoes/)
})

slow('under load some requests are dropped and counted, and the newest thousands are kept', async (t) => {
  const before = await gateway(t)
  await before.db`
    insert into request_log (merchant_id, id, at, method, route, status, outcome, microseconds, request_id, address)
    select ${before.merchantId}, n, ${before.core.clock.now()}, 'GET', '/old', 200, 'SUCCEEDED', 1, 'x', '127.0.0.1'
      from generate_series(1, 10050) n`
  // A process counts a merchant's rows at its first request, and then only after a thousand new ones.
  const shop = await gateway(t, { databaseUrl: before.databaseUrl })
  await shop.call(contract.listBanks, {})
  const count = async (): Promise<number> =>
    (
      await shop.db<
        { count: number }[]
      >`select count(*)::int as count from request_log where merchant_id = ${shop.merchantId}`
    )[0]?.count ?? 0
  await until('the oldest have gone', async () => (await count()) <= 10_000)

  let leftOut = 0
  await until('some were left out', async () => {
    await Promise.all(Array.from({ length: 50 }, () => shop.call(contract.listBanks, {})))
    leftOut = Math.max(
      0,
      ...(await list(shop, { route: contract.listBanks.path, size: 100 })).map((one) => one.leftOut),
    )
    return leftOut > 0
  })
  // Errors have their own share, so that they are not lost among thousands of successes.
  await shop.rejected(404, contract.getMerchantEvent, { params: { id: '1' } })
  assert.equal((await noted(shop, contract.getMerchantEvent, 'REFUSED')).leftOut, 0)
})

test('in live mode, requests are logged without URL and bodies', async (t) => {
  const shop = await gateway(t, {
    env: { KOBO_ENVIRONMENT: 'live' },
  })
  await anAccount(shop)
  const { url, requestBody, answerBody, reference, status } = await noted(shop, contract.initTransaction)
  assert.deepEqual([url, requestBody, answerBody, status], [null, null, null, 200])
  assert.match(reference ?? '', /^order-/)
})
