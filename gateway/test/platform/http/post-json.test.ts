import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { type TestContext, test } from 'node:test'
import { openPost, type Post, type PostOptions } from '../../../src/platform/http/post-json.ts'
import { loseRoute } from '../../harness/lost-route.ts'

const PRIVATE = 'the address is not on the public internet'

async function listening(t: TestContext, server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`
}

async function testServer(t: TestContext, response: RequestListener): Promise<string> {
  const server = createHttpServer(response)
  t.after(() => server.closeAllConnections())
  return listening(t, server)
}

/** A server that responds with exactly these bytes, then closes the connection or leaves it open. */
function rawServer(t: TestContext, bytes: string, ends = true): Promise<string> {
  return listening(
    t,
    createServer((socket) => {
      t.after(() => socket.destroy())
      socket.on('error', () => {})
      socket.once('data', () => (ends ? socket.end(bytes) : socket.write(bytes)))
    }),
  )
}

/** A server that accepts connections and never completes the TLS handshake. */
const withoutHandshake = async (t: TestContext): Promise<string> =>
  (await rawServer(t, '', false)).replace('http:', 'https:')

/** The port of a service that no one runs; a port that was free a moment ago may be another test's now. */
const NOBODY_LISTENS = 'http://127.0.0.1:1/events'

/** A client that is closed when the test ends. */
function posting(t: TestContext, options: PostOptions = { allowPrivate: true }): Post {
  const { post, close } = openPost(options)
  t.after(close)
  return post
}

test('a body arrives to the byte, and the response comes back', async (t) => {
  let arrived: unknown
  const url = await testServer(t, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    arrived = {
      method: request.method,
      url: request.url,
      type: request.headers['content-type'],
      own: request.headers['x-own'],
      body,
    }
    response.writeHead(503, { 'retry-after': '30' }).end('later, please')
  })
  const { milliseconds, headers, mayHaveLeft, ...outcome } = await posting(t)(`${url}?a=1`, '{"memo":"₦5"}', {
    'x-own': 'yes',
  })
  assert.deepEqual(arrived, {
    method: 'POST',
    url: '/events?a=1',
    type: 'application/json',
    own: 'yes',
    body: '{"memo":"₦5"}',
  })
  assert.deepEqual(outcome, { status: 503, retryAfterSeconds: 30, bodyExcerpt: 'later, please', error: null })
  assert.equal(headers?.['retry-after'], '30')
  assert.ok(Number.isInteger(milliseconds) && milliseconds >= 0)
})

for (const [header, seconds] of [
  ['0', 0],
  ['86400', 86_400],
  ['999999999', 86_400],
  ['9999999999', null],
  ['-5', null],
  ['1.5', null],
  ['soon', null],
] as const) {
  test(`Retry-After: ${header} is read as ${seconds}`, async (t) => {
    const url = await testServer(t, (_, response) => void response.writeHead(429, { 'retry-after': header }).end())
    assert.equal((await posting(t)(url, '{}', {})).retryAfterSeconds, seconds)
  })
}

test('a redirect is a response and is not followed', async (t) => {
  let calls = 0
  const url = await testServer(t, (_, response) => {
    calls++
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  assert.equal((await posting(t)(url, '{}', {})).status, 302)
  assert.equal(calls, 1)
})

test('of a long response a short excerpt is kept, without NUL or half a character', async (t) => {
  const url = await testServer(t, (_, response) => void response.end(`a\0${'b'.repeat(498)}😀${'c'.repeat(5_000)}`))
  const { status, bodyExcerpt } = await posting(t)(url, '{}', {})
  assert.equal(status, 200)
  assert.equal(bodyExcerpt, `a${'b'.repeat(498)}\ufffd`)
})

test('an endless response is read up to a limit, and counts by its status', async (t) => {
  const url = await testServer(t, (_, response) => {
    const more = (): void => {
      if (!response.destroyed) response.write('x'.repeat(16_384), more)
    }
    more()
  })
  const { status, error, bodyExcerpt } = await posting(t)(url, '{}', {})
  assert.deepEqual({ status, error, length: bodyExcerpt?.length }, { status: 200, error: null, length: 500 })
})

test('a server that does not respond in time times out', async (t) => {
  const url = await testServer(t, () => {})
  const { status, error } = await posting(t, { allowPrivate: true, timeoutMilliseconds: 50 })(url, '{}', {})
  assert.deepEqual({ status, error }, { status: null, error: 'no response within 0.05 s' })
})

test('a server that starts to respond in time and never ends times out too: a response counts when it is complete', async (t) => {
  const url = await testServer(t, (_, response) => void response.writeHead(200).write('so far'))
  const { status, error } = await posting(t, { allowPrivate: true, timeoutMilliseconds: 100 })(url, '{}', {})
  assert.deepEqual({ status, error }, { status: null, error: 'no response within 0.1 s' })
})

test('many posts to one endpoint run at once: none spends its time in a queue', async (t) => {
  const waiting: (() => void)[] = []
  const url = await testServer(t, (_, response) => {
    waiting.push(() => response.end())
    if (waiting.length === 100) for (const response of waiting) response()
  })
  const post = posting(t)
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => post(url, '{}', {})))
  assert.ok(outcomes.every(({ status }) => status === 200))
})

for (const [what, bytes, ends] of [
  ['is no HTTP', 'hello\r\n\r\n', true],
  ['has headers that are too long', `HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(100_000)}\r\n\r\n`, true],
  ['has endless headers', 'HTTP/1.1 200 OK\r\nx: y', true],
  ['is empty', '', true],
  ['is only 100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n', true],
  [
    'is an upgrade that was not requested',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
    false,
  ],
  ['has two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok!', true],
  [
    'has a length and chunks',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    true,
  ],
] as const) {
  test(`a response that ${what} is a failed attempt, not an internal error`, async (t) => {
    const { status, error } = await posting(t)(await rawServer(t, bytes, ends), '{}', {})
    assert.equal(status, null)
    assert.match(error ?? '', /./)
  })
}

test('a truncated response reports its status and the error', async (t) => {
  const url = await rawServer(t, 'HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nok')
  const { status, error } = await posting(t)(url, '{}', {})
  assert.deepEqual({ status, error }, { status: 200, error: 'ECONNRESET' })
})

test('an endpoint that is unreachable or does not speak TLS is a failed attempt', async (t) => {
  assert.equal((await posting(t)(NOBODY_LISTENS, '{}', {})).error, 'ECONNREFUSED')
  const plain = await rawServer(t, 'HTTP/1.1 400 Bad Request\r\n\r\n')
  const { status, error } = await posting(t)(plain.replace('http:', 'https:'), '{}', {})
  assert.equal(status, null)
  assert.match(error ?? '', /./)
})

for (const url of [
  '',
  'events',
  'http://',
  'http://a b/',
  'http://[::1',
  'ftp://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
]) {
  test(`${JSON.stringify(url)} is not a valid URL to post to`, async (t) => {
    const { status, error } = await posting(t)(url, '{}', {})
    assert.deepEqual({ status, error }, { status: null, error: 'the address is malformed' })
  })
}

for (const host of [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  '10.0.0.1',
  '169.254.169.254',
  'localhost',
  'LOCALHOST',
]) {
  test(`in live mode nothing is posted to ${host}`, async (t) => {
    let calls = 0
    const { port } = new URL(await testServer(t, (_, response) => void response.end(String(++calls))))
    const post = posting(t, { allowPrivate: false })
    for (const scheme of ['http', 'https']) {
      const { status, error } = await post(`${scheme}://${host}:${port}/`, '{}', {})
      assert.deepEqual({ status, error }, { status: null, error: PRIVATE })
    }
    assert.equal(calls, 0)
  })
}

test('in the sandbox an endpoint on this machine gets its events, by address and by name', async (t) => {
  const url = await testServer(t, (_, response) => void response.end())
  const post = posting(t)
  assert.equal((await post(url, '{}', {})).status, 200)
  assert.equal((await post(url.replace('127.0.0.1', 'localhost'), '{}', {})).status, 200)
})

test('nothing is posted to a port that is not allowed, also if the URL names none', async (t) => {
  let calls = 0
  const url = await testServer(t, (_, response) => void response.end(String(++calls)))
  const port = Number(new URL(url).port)
  const rejected = async (address: string, ports: readonly number[]): Promise<string | null> =>
    (await posting(t, { allowPrivate: true, ports })(address, '{}', {})).error
  assert.equal(await rejected(url, [443]), `port ${port} is not allowed`)
  assert.equal(await rejected('http://127.0.0.1/', [443]), 'port 80 is not allowed')
  assert.equal(await rejected('https://127.0.0.1/', [8_443]), 'port 443 is not allowed')
  assert.equal(calls, 0)
  assert.equal(await rejected(url, [443, port]), null)
  assert.equal(calls, 1)
})

test('a chunked response is read to its end, and connections are reused', async (t) => {
  const ports = new Set<number | undefined>()
  const url = await testServer(t, ({ socket }, response) => {
    ports.add(socket.remotePort)
    response.write('o')
    response.end('k')
  })
  const post = posting(t)
  for (let n = 0; n < 10; n++) {
    const { status, bodyExcerpt, error } = await post(url, '{}', {})
    assert.deepEqual({ status, bodyExcerpt, error }, { status: 200, bodyExcerpt: 'ok', error: null })
  }
  // A connection may rest for a moment before it is reused, so another may be opened meanwhile.
  assert.ok(ports.size <= 2, `${ports.size} connections`)
})

test('an informational (1xx) response is not the response', async (t) => {
  const url = await rawServer(t, 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n')
  assert.equal((await posting(t)(url, '{}', {})).status, 204)
})

test('a request that timed out while connecting is not sent later', async (t) => {
  const url = await withoutHandshake(t)
  const { status, error } = await posting(t, { allowPrivate: true, timeoutMilliseconds: 100 })(url, '{}', {})
  assert.deepEqual({ status, error }, { status: null, error: 'no response within 0.1 s' })
})

test('a request counts as unsent only if it failed before its first byte, whatever the error code is', async (t) => {
  const plain = await rawServer(t, 'HTTP/1.1 400 Bad Request\r\n\r\n')
  for (const [url, timeoutMilliseconds] of [
    [NOBODY_LISTENS, 10_000],
    [plain.replace('http:', 'https:'), 10_000],
    ['http://does-not-exist.invalid/', 10_000],
    ['not a URL', 10_000],
    [await withoutHandshake(t), 100],
  ] as const)
    assert.equal((await posting(t, { allowPrivate: true, timeoutMilliseconds })(url, '{}', {})).mayHaveLeft, false, url)

  let arrived = ''
  const unreachable = await testServer(t, async (request) => {
    arrived = Buffer.concat(await request.toArray()).toString()
    loseRoute(request.socket.remotePort)
  })
  const { status, error, mayHaveLeft } = await posting(t)(unreachable, '{"pay":1}', {})
  assert.deepEqual([arrived, status, error, mayHaveLeft], ['{"pay":1}', null, 'EHOSTUNREACH', true])
  const silent = await testServer(t, () => {})
  assert.equal((await posting(t, { allowPrivate: true, timeoutMilliseconds: 200 })(silent, '{}', {})).mayHaveLeft, true)
})

test('the user name and password of a URL are sent to its server', async (t) => {
  const url = await testServer(t, ({ headers }, response) => void response.end(headers.authorization))
  const { bodyExcerpt } = await posting(t)(url.replace('//', '//ada:p%C3%A4ss@'), '{}', {})
  assert.equal(bodyExcerpt, `Basic ${Buffer.from('ada:päss').toString('base64')}`)
})

test('a name is resolved once for all requests that wait, and a failure is remembered for a moment', async (t) => {
  const lookups: { readonly hostname?: string }[] = []
  const hook = createHook({
    init: (_id, type, _trigger, resource) => void (type === 'GETADDRINFOREQWRAP' && lookups.push(resource)),
  }).enable()
  const { post, close } = openPost({ allowPrivate: true })
  t.after(() => {
    hook.disable()
    close()
  })
  const requests = () => Promise.all(Array.from({ length: 20 }, () => post('http://nowhere.invalid/events', '{}', {})))
  for (const { error, mayHaveLeft } of [...(await requests()), ...(await requests())])
    assert.deepEqual([/ENOTFOUND|EAI_AGAIN/.test(String(error)), mayHaveLeft], [true, false])
  assert.equal(lookups.filter(({ hostname }) => hostname === 'nowhere.invalid').length, 1)
})
