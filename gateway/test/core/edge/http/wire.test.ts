import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { BODY_SIZES, type Reply, ROUTES } from '@kobo/contract'
import { startGateway } from '../../../../src/app/compose.ts'
import { secondsAfter } from '../../../../src/kernel/clock.ts'
import { readConfig } from '../../../../src/platform/config/config.ts'
import { openLog } from '../../../../src/platform/observability/log.ts'
import { aShop, basic, type Client, gateway } from '../../../harness/gateway.ts'
import { asOwner } from '../../../harness/postgres.ts'
import { checkFailure, checkReply } from '../../../harness/responses.ts'
import { aBatch, anAccount, anItem, aTransaction, checkoutReferenceOf } from '../../../harness/samples.ts'
import { head, sendBytes } from '../../../harness/socket.ts'

const JSON_TYPES = [
  'application/json',
  'application/json;charset=utf-8',
  'application/json; charset=UTF-8',
  'Application/JSON',
]
const INIT = contract.initTransaction.path

const bearer = ({ token }: Client): Record<string, string> => ({ authorization: `Bearer ${token}` })
const transactionsOf = async (client: Client): Promise<number> =>
  (await client.call(contract.searchTransactions, { query: {} })).totalElements

test('a request that needs no body may have a JSON type without a body, length 0, or {}', async () => {
  const shop = await aShop()
  const opened = async (): Promise<string> =>
    (await shop.call(contract.initTransaction, { body: aTransaction(shop) })).transactionReference
  const routes = [
    { route: contract.login, path: async () => contract.login.path, authorization: basic(shop.credentials) },
    {
      route: contract.searchTransactions,
      path: async () => contract.searchTransactions.path,
      authorization: `Bearer ${shop.token}`,
    },
    {
      route: contract.cancelTransaction,
      path: async () => `/api/v1/merchant/transactions/${await opened()}`,
      authorization: `Bearer ${shop.token}`,
    },
  ]
  for (const { route, path, authorization } of routes)
    for (const type of JSON_TYPES)
      for (const [length, body] of [
        [{}, ''],
        [{ 'content-length': 0 }, ''],
        [{ 'content-length': 2 }, '{}'],
      ] as const) {
        const response = await sendBytes(
          shop.url,
          head(route.method, await path(), { authorization, 'content-type': type, ...length }),
          body,
        )
        assert.equal(response.status, 200, `${route.path} ${type} ${body}: ${response.text}`)
        checkReply(route, response)
      }
})

test('a chunked body is read like any other, however it is split', async () => {
  const shop = await aShop()
  const body = Buffer.from(JSON.stringify(aTransaction(shop, { customerName: 'Adéọlá 🛍️' })))
  const chunks = [...body].flatMap((byte) => ['1\r\n', Buffer.from([byte]), '\r\n'])
  const headers = { ...bearer(shop), 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
  const response = await sendBytes(shop.url, head('POST', INIT, headers), ...chunks, '0\r\n\r\n')
  assert.equal(response.status, 200, response.text)
  const [listed] = (await shop.call(contract.searchTransactions, { query: {} })).content
  assert.equal(listed?.customerDTO.name, 'Adéọlá 🛍️')
})

test('a body without a type is read as JSON; one of another type is rejected with 415', async () => {
  const shop = await aShop()
  const body = (): Buffer => Buffer.from(JSON.stringify(aTransaction(shop)))
  const untyped = body()
  const response = await sendBytes(
    shop.url,
    head('POST', INIT, { ...bearer(shop), 'content-length': untyped.length }),
    untyped,
  )
  assert.equal(response.status, 200, response.text)
  for (const type of [
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'json',
    'multipart/form-data; boundary=x',
  ]) {
    const rejected = await shop.send('POST', INIT, { headers: { 'content-type': type }, body: body().toString() })
    assert.equal(rejected.status, 415, type)
    checkFailure(rejected)
  }
  assert.equal(await transactionsOf(shop), 1)
})

test('a trailing slash changes nothing on any path', async () => {
  const shop = await aShop()
  for (const { route } of ROUTES)
    for (const path of [route.path, ...((route.deprecatedPaths ?? []) as readonly string[])].map((one) =>
      one.replace(/:\w+/g, '1').replace(/\/$/, ''),
    )) {
      const headers = { authorization: 'Bearer none' }
      const [plain, slashed] = await Promise.all([
        shop.send(route.method, path, { headers }),
        shop.send(route.method, `${path}/`, { headers }),
      ])
      // An open route with a reference looks it up: not found does not mean an unknown path.
      const expected = route.access === 'open' ? [200, 400, 404, 422] : [400, 401, 404]
      assert.ok(expected.includes(plain.status), `${path}: ${plain.text}`)
      assert.doesNotMatch(plain.text, /Unknown path/, path)
      assert.equal(slashed.text, plain.text, path)
    }
})

test('a reference in a path may hold a raw | or its escape', async () => {
  const shop = await aShop()
  const { transactionReference } = await shop.call(contract.initTransaction, { body: aTransaction(shop) })
  assert.match(transactionReference, /^KOBO\|\d\d\|\d{14}\|\d{6}$/)
  const escaped = transactionReference.replaceAll('|', '%7C')
  for (const reference of [transactionReference, escaped, escaped.toLowerCase().replace('kobo', 'KOBO')]) {
    const found = await sendBytes(shop.url, head('GET', `/api/v2/transactions/${reference}`, bearer(shop)))
    assert.equal(
      (found.body.responseBody as Reply<typeof contract.getTransaction>).transactionReference,
      transactionReference,
    )
    const queried = await sendBytes(
      shop.url,
      head('GET', `/api/v2/merchant/transactions/query?transactionReference=${reference}`, bearer(shop)),
    )
    assert.equal(queried.status, 200, queried.text)
  }
})

test('an amount may be decimal text, and is returned as a number', async () => {
  const shop = await aShop()
  for (const [sent, shown] of [
    ['5000', 5000],
    ['5000.5', 5000.5],
    ['20.00', 20],
    ['0020', 20],
    [1e3, 1000],
    ['9999999999999.99', 9999999999999.99],
  ] as const) {
    const account = await anAccount(shop, { amount: sent })
    assert.deepEqual([account.amount, account.totalPayable, account.fee], [shown, shown, 0])
    assert.equal(
      (await shop.call(contract.searchTransactions, { query: { amount: sent, size: 1 } })).content[0]?.amount,
      shown,
    )
  }
})

test('unknown fields are ignored; metadata is metaData; an empty list is as if omitted', async () => {
  const shop = await aShop()
  const shown = async (changes: object): Promise<object> => {
    const { transactionReference } = await shop.call(contract.initTransaction, {
      body: { ...aTransaction(shop), ...changes },
    })
    return (await shop.call(contract.getTransaction, { params: { transactionReference } })).metaData
  }
  assert.deepEqual(await shown({ metadata: { a: 1 }, surprise: [1, { x: null }] }), { a: 1 })
  assert.deepEqual(await shown({ metaData: { b: 2 } }), { b: 2 })
  assert.deepEqual(await shown({}), {})
  assert.deepEqual(await shown({ metaData: null, metadata: null }), {})
  const opened = await shop.call(contract.initTransaction, {
    body: aTransaction(shop, { paymentMethods: [], incomeSplitConfig: [] }),
  })
  assert.deepEqual(opened.enabledPaymentMethod, [...contract.PAYMENT_METHODS])
  assert.equal('incomeSplitConfig' in opened || 'redirectUrl' in opened, false)
})

test('a date filter is Unix milliseconds or any date text that JavaScript reads, else 400', async () => {
  const shop = await aShop()
  await shop.call(contract.initTransaction, { body: aTransaction(shop) })
  const yesterday = secondsAfter(shop.core.clock.now(), -86_400)
  for (const from of [
    yesterday.getTime(),
    yesterday.toISOString(),
    yesterday.toUTCString(),
    yesterday.toISOString().slice(0, 10),
    yesterday.toString(),
  ]) {
    assert.equal(
      (await shop.call(contract.searchTransactions, { query: { from: String(from) } })).totalElements,
      1,
      String(from),
    )
    assert.equal(
      (await shop.call(contract.searchTransactions, { query: { to: String(from) } })).totalElements,
      0,
      String(from),
    )
  }
  for (const from of ['soon', '2026-13-45', '', '9'.repeat(16), '0000-01-01'])
    assert.match((await shop.rejected(400, contract.searchTransactions, { query: { from } })).message, /^from /, from)
})

test('a status query finds a payment reference under either name', async () => {
  const shop = await aShop()
  const { transactionReference, paymentReference } = await shop.call(contract.initTransaction, {
    body: aTransaction(shop),
  })
  for (const query of [
    { transactionReference },
    { paymentReference },
    { transactionReference: paymentReference },
    { transactionReference: 'other', paymentReference },
  ])
    assert.equal((await shop.call(contract.queryTransaction, { query })).transactionReference, transactionReference)
  const older = await shop.send('GET', `/api/v1/merchant/transactions/query?paymentReference=${paymentReference}`)
  assert.equal(older.status, 200)
  assert.equal(older.headers.get('deprecation'), '@1777593600')
  assert.ok(Date.parse(older.headers.get('sunset') ?? '') > Date.now(), 'a served path is not past its end')
  assert.equal(older.headers.get('link'), `<${contract.queryTransaction.path}>; rel="successor-version"`)
})

test('several access tokens are valid at once: a new login revokes none', async () => {
  const shop = await aShop()
  const tokens = [shop.token]
  for (let n = 0; n < 3; n++) {
    const { body } = await shop.send('POST', contract.login.path, {
      headers: { authorization: basic(shop.credentials) },
    })
    tokens.push((body.responseBody as Reply<typeof contract.login>).accessToken)
  }
  assert.equal(new Set(tokens).size, 4)
  for (const token of tokens)
    assert.equal(
      (await shop.send('GET', contract.listBanks.path, { headers: { authorization: `Bearer ${token}` } })).status,
      200,
    )
})

test('an unknown path is 404 and a known one with another method is 405 with Allow, for any caller', async () => {
  const shop = await aShop()
  const nobody = { authorization: '' }
  for (const path of [
    '/api',
    '/api/v1',
    '/api/v3/banks',
    '/API/V1/BANKS',
    '/api/v1/banks/044',
    '/sandbox',
    '/%E2%82%AC',
  ])
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const response = await shop.send(method, path, { headers: nobody })
      assert.equal(response.status, 404, `${method} ${path}`)
      checkFailure(response)
    }
  for (const { route } of ROUTES) {
    const path = route.path.replace(/:\w+/g, '1')
    const request = await shop.send('OPTIONS', path, { headers: nobody })
    const allowed = request.headers.get('allow')?.split(', ') ?? []
    assert.ok(allowed.includes(route.method), path)
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const response = await shop.send(method, path, {
        headers: { ...nobody, ...(method === 'HEAD' ? {} : { 'content-type': 'text/plain' }) },
      })
      assert.equal(response.status === 405, !allowed.includes(method), `${method} ${path}: ${response.status}`)
      if (response.status === 405 && method !== 'HEAD') checkFailure(response)
    }
  }
  const exotic = await sendBytes(shop.url, head('PROPFIND', contract.listBanks.path))
  assert.deepEqual([exotic.status, exotic.headers.get('allow')], [405, 'GET, HEAD'])
})

test('errors are reported in order: path, method, token, address, size and type, fields, business', async () => {
  const shop = await aShop()
  const huge = ' '.repeat(BODY_SIZES.usual.bytes + 1)
  const nobody = { authorization: 'Bearer none', 'content-type': 'text/plain' }
  const typed = { 'content-type': 'text/plain' }
  const elsewhere = (ipWhitelist: string[] | null) => shop.call(contract.changeSettings, { body: { ipWhitelist } })
  const status = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body: string,
  ): Promise<number> => {
    const response = await shop.send(method, path, { headers, body })
    checkFailure(response)
    return response.status
  }
  await elsewhere(['192.0.2.1'])
  assert.equal(await status('POST', '/api/v1/merchant/nowhere', nobody, huge), 404)
  assert.equal(await status('PUT', INIT, nobody, huge), 405)
  assert.equal(await status('POST', INIT, nobody, huge), 401)
  assert.equal(await status('POST', contract.login.path, nobody, '{'), 401)
  assert.equal(await status('POST', INIT, typed, huge), 403)
  assert.equal(
    await status('POST', contract.login.path, { ...typed, authorization: basic(shop.credentials) }, '{'),
    403,
  )
  await elsewhere(null)
  assert.equal(await status('POST', INIT, typed, huge), 413)
  assert.equal(await status('POST', INIT, typed, '{'), 415)
  assert.equal(await status('POST', INIT, {}, '{'), 400)
  const wrong = { ...aTransaction(shop), contractCode: '000000000000' }
  assert.equal(await status('POST', INIT, {}, JSON.stringify({ ...wrong, customerEmail: 'nobody' })), 400)
  assert.equal(await status('POST', INIT, {}, JSON.stringify(wrong)), 422)
})

test('a body is read up to its route’s limit, and one byte more is 413, with a declared length or chunked', async () => {
  const shop = await aShop()
  const { checkoutUrl } = await shop.call(contract.initTransaction, { body: aTransaction(shop) })
  const checkout = `/checkout/${encodeURIComponent(checkoutReferenceOf(checkoutUrl))}/transfer`
  for (const [path, body, { bytes }] of [
    [INIT, aTransaction(shop), BODY_SIZES.usual],
    [checkout, {}, BODY_SIZES.open],
    [contract.initiateBatch.path, aBatch(shop, [anItem()]), BODY_SIZES.batch],
  ] as const) {
    const start = `${JSON.stringify(body).slice(0, -1)}${Object.keys(body).length === 0 ? '' : ','}"padding":"`
    const padded = (length: number): string => `${start}${'x'.repeat(length - start.length - 2)}"}`
    assert.equal((await shop.send('POST', path, { body: padded(bytes) })).status, 200, path)
    const rejected = await shop.send('POST', path, { body: padded(bytes + 1) })
    assert.equal(rejected.status, 413)
    assert.ok(checkFailure(rejected).message.includes(String(bytes)))
    const headers = { ...bearer(shop), 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
    const chunk = `${(bytes + 1).toString(16)}\r\n`
    const chunked = await sendBytes(shop.url, head('POST', path, headers), chunk, padded(bytes + 1))
    assert.equal(chunked.status, 413)
    checkFailure(chunked)
  }
})

test('on every route with a body, null, a number, a text or a list is 400 and says what is expected', async () => {
  const shop = await (await aShop()).anotherMerchant(contract.PERMISSIONS)
  for (const { route } of ROUTES) {
    const { type } = (route.body ?? {}) as { type?: string }
    if (type === undefined) continue
    for (const body of ['null', '5', 'true', '"text"', type === 'object' ? '[]' : '{}']) {
      const response = await shop.send(route.method, route.path.replace(/:\w+/g, '1'), {
        headers: { 'content-type': 'application/json' },
        body,
      })
      const { message } = checkFailure(response)
      assert.deepEqual([response.status, message], [400, `body must be a JSON ${type}`], `${route.path} ${body}`)
    }
  }
})

test('a body that is not JSON, not text or not plain data is 400 and changes nothing', async () => {
  const shop = await aShop()
  const good = JSON.stringify(aTransaction(shop))
  const withField = (field: string): string => `${good.slice(0, -1)},${field}}`
  const nested = (depth: number): string => `"metaData":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  const bad: Record<string, string | Buffer> = {
    truncated: good.slice(0, -1),
    'followed by more': `${good}{}`,
    'single quotes': "{'amount':20}",
    'an array': `[${good}]`,
    'a text': '"text"',
    null: 'null',
    'wrong UTF-8': Buffer.concat([
      Buffer.from(good.slice(0, -1)),
      Buffer.from(',"customerName":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ]),
    'UTF-16': Buffer.from(good, 'utf16le'),
    NUL: withField('"customerName":"a\\u0000b"'),
    'NUL in a name': withField('"metaData":{"a\\u0000":1}'),
    'a lone surrogate': withField('"metaData":{"deep":[{"text":"\\ud83d"}]}'),
    'nesting above the limit': withField(nested(32)),
    'endless nesting': '['.repeat(60_000),
    'a __proto__ key': withField('"metaData":{"__proto__":{"polluted":true}}'),
    'a constructor.prototype key': withField('"metaData":{"constructor":{"prototype":{"polluted":true}}}'),
    'an endless name': withField(`"metaData":{"${'x'.repeat(60_000)}":"\\u0000"}`),
  }
  for (const [what, body] of Object.entries(bad)) {
    const headers = { ...bearer(shop), 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const response = await sendBytes(shop.url, head('POST', INIT, headers), body)
    assert.equal(response.status, 400, `${what}: ${response.text}`)
    checkFailure(response)
    assert.ok(response.text.length < 1_000, what)
  }
  assert.equal('polluted' in {}, false)
  assert.equal(await transactionsOf(shop), 0)
  assert.match(
    (await shop.send('POST', INIT, { body: withField('"metaData":{"deep":[{"text":"\\ud83d"}]}') })).body
      .responseMessage,
    /^metaData\.deep\[0\]\.text /,
  )
  assert.equal((await shop.send('POST', INIT, { body: withField(nested(31)) })).status, 200)
})

test('a path or query that is not valid text is 400', async () => {
  const shop = await aShop()
  for (const escapes of ['a%00b', '%', '%zz', '%ff', '%ED%A0%80', '%C3'])
    for (const path of [
      `/api/v2/transactions/${escapes}`,
      `/api/v2/merchant/transactions/query?paymentReference=${escapes}`,
    ]) {
      const response = await sendBytes(shop.url, head('GET', path, bearer(shop)))
      assert.equal(response.status, 400, path)
      checkFailure(response)
    }
  for (const length of [129, 512, 513, 8_000])
    await shop.rejected(400, contract.getTransaction, { params: { transactionReference: 'x'.repeat(length) } })
  await shop.rejected(404, contract.getTransaction, { params: { transactionReference: 'x'.repeat(128) } })
  await shop.rejected(400, contract.searchTransactions, { query: { paymentReference: 'x'.repeat(129) } })
  assert.equal((await shop.send('GET', `${contract.searchTransactions.path}?page=1&page=2`)).status, 400)
  assert.equal((await shop.send('GET', `${contract.searchTransactions.path}?__proto__=1&constructor=2`)).status, 200)
})

test('malformed HTTP is rejected in the envelope too', async () => {
  const shop = await aShop()
  const cases: readonly (readonly [number, string])[] = [
    [400, 'hello\r\n\r\n'],
    [400, 'GET / HTTP/9.9\r\n\r\n'],
    [400, 'GET /api/v1/banks HTTP/1.1\r\nconnection: close\r\n\r\n'],
    [400, head('POST', INIT, { 'content-length': '1\r\ncontent-length: 2' })],
    [400, head('POST', INIT, { 'content-length': '2\r\ntransfer-encoding: chunked' })],
    [400, head('POST', INIT, { 'transfer-encoding': 'chunked' }).replace('host', 'bad name')],
    [431, head('GET', contract.listBanks.path, { 'x-long': 'x'.repeat(20_000) })],
    [431, head('GET', `/${'x'.repeat(20_000)}`)],
    [404, head('GET', '/nowhere', { expect: 'the unexpected' })],
    [404, head('GET', '/nowhere', { connection: 'upgrade', upgrade: 'websocket' }).replace('upgrade', 'close')],
  ]
  for (const [status, bytes] of cases) {
    const response = await sendBytes(shop.url, bytes)
    assert.equal(response.status, status, bytes.slice(0, 80))
    checkFailure(response)
  }
  assert.equal((await sendBytes(shop.url, `GET /health/live HTTP/1.0\r\n\r\n`)).status, 200)
})

test('HEAD returns what GET does, without the body', async () => {
  const shop = await aShop()
  const [got, headed] = await Promise.all([
    shop.send('GET', contract.listBanks.path),
    shop.send('HEAD', contract.listBanks.path),
  ])
  assert.deepEqual(
    [headed.status, headed.text, headed.headers.get('content-length')],
    [200, '', got.headers.get('content-length')],
  )
  assert.equal((await shop.send('HEAD', contract.listBanks.path, { headers: { authorization: '' } })).status, 401)
})

test('an internal error is 500 in the envelope and shows nothing of its cause', async (t) => {
  const shop = await gateway(t)
  await asOwner(shop.databaseUrl, 'alter table transaction rename to gone')
  const response = await shop.send('POST', INIT, { body: aTransaction(shop) })
  assert.equal(response.status, 500)
  assert.deepEqual(checkFailure(response), {
    message: 'Something went wrong on our side',
    responseCode: '99',
    code: 'INTERNAL_ERROR',
  })
})

test('a request that arrives during shutdown still gets a response in the envelope', async (t) => {
  const shop = await gateway(t)
  const stopping = await startGateway(shop.core, readConfig({ PORT: '0' }), openLog('silent'), {
    serves: true,
    works: false,
  })
  const { hostname, port } = new URL(stopping.url)
  const socket = connect(Number(port), hostname).setEncoding('utf8')
  const ended = new Promise((resolve) => socket.on('close', resolve))
  let received = ''
  socket.on('data', (text: string) => {
    received += text
  })
  const body = { ...bearer(shop), 'content-length': 2, expect: '100-continue', connection: 'keep-alive' }
  socket.write(head('POST', contract.initBankTransfer.path, body))
  await new Promise((resolve) => socket.once('data', resolve)) // 100 Continue: the request is in progress

  const stopped = stopping.close()
  const isListening = (): Promise<boolean> =>
    new Promise((resolve) => {
      const probe = connect(Number(port), hostname, () => resolve(probe.destroy().destroyed))
      probe.on('error', () => resolve(false))
    })
  while (await isListening());
  socket.write(`{}${head('GET', '/nowhere')}`)
  await Promise.all([ended, stopped])
  assert.deepEqual(received.match(/(?<=HTTP\/1\.1 )\d+/g), ['100', '400', '404'])
  assert.equal(received.split('"requestSuccessful":false').length, 3)
})
