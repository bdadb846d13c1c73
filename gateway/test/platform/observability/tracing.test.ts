import assert from 'node:assert/strict'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { lane } from '../../../src/platform/lanes/lane.ts'
import { openLog } from '../../../src/platform/observability/log.ts'
import { openTracing, spanning, type Tracing } from '../../../src/platform/observability/tracing.ts'
import { findName } from '../../../src/platform/postgres/query-tracing.ts'
import { basic, gateway } from '../../harness/gateway.ts'
import {
  aCard,
  anAccount,
  aTransaction,
  aTransfer,
  CARDS,
  charge,
  openTransaction,
  pay,
} from '../../harness/samples.ts'
import { slow } from '../../harness/slow.ts'
import { until } from '../../harness/until.ts'
import { webhookEndpoint } from '../../harness/webhook-endpoint.ts'

/** The parts of an OTLP span in JSON that the tests read. */
interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: { stringValue?: string; intValue?: string } }[]
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
}

interface Collector {
  readonly url: string
  readonly texts: string[]
  readonly spans: () => readonly Span[]
  status: number
}

/** A collector on a free port, closed when the test ends. */
async function collector(t: TestContext, status = 200): Promise<Collector> {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      assert.deepEqual([request.method, request.url], ['POST', '/v1/traces'])
      if (made.status === 200) made.texts.push(body)
      response.writeHead(made.status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const made: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    texts: [],
    spans: () =>
      made.texts.flatMap((text) =>
        JSON.parse(text).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) =>
          scopeSpans.flatMap(({ spans }) => spans),
        ),
      ),
    status,
  }
  return made
}

const factsOf = ({ attributes }: Span): Record<string, string | undefined> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))

/** The names of a span and its ancestors, as far as they were reported here. */
function wayUp(spans: readonly Span[], span: Span | undefined): readonly string[] {
  if (span === undefined) return []
  return [
    span.name,
    ...wayUp(
      spans,
      spans.find(({ spanId }) => spanId === span.parentSpanId),
    ),
  ]
}

/** Posts JSON whose body is sent only after the server has read the headers and sent 100 Continue. */
const postLate = (url: string, headers: Record<string, string>, body: object): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const text = JSON.stringify(body)
    const sent = { ...headers, expect: '100-continue', 'content-length': String(Buffer.byteLength(text)) }
    const request = httpRequest(url, { method: 'POST', headers: sent }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    request.on('continue', () => request.end(text)).on('error', reject)
    request.flushHeaders()
  })

slow(
  'a payment is one trace from its request through lane and query to the rail, without secrets; its event is another',
  async (t) => {
    const traces = await collector(t)
    const events = await webhookEndpoint(t)
    const shop = await gateway(t, { env: { KOBO_OTLP_URL: traces.url } })
    await shop.call(contract.changeSettings, {
      body: { otpEnabled: false, webhookUrls: { collection: `${events.url}?key=a-secret-of-the-receiver` } },
    })
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
    const headers = { traceparent, authorization: `Bearer ${shop.token}`, 'content-type': 'application/json' }
    assert.equal(await postLate(shop.url + contract.initTransaction.path, headers, aTransaction(shop)), 200)
    await pay(shop, await anAccount(shop), 5_000)
    await charge(shop, await openTransaction(shop), CARDS.success)
    const transfer = await aTransfer(shop)
    await shop.call(contract.initiateTransfer, { body: transfer })
    const wrong = { ...aTransaction(shop), amount: -1 }
    await shop.send('POST', contract.initTransaction.path, { body: wrong })
    await shop.send('GET', `/nowhere/${shop.credentials.secretKey}?secret=${shop.credentials.secretKey}`)
    await shop.send('POST', contract.login.path, { headers: { authorization: basic(shop.credentials) } })
    await events.count(2)

    const countOf = (name: string): number => traces.spans().filter((span) => span.name === name).length
    const init = `POST ${contract.initTransaction.path}`
    await until('the last request is reported', () => countOf(`POST ${contract.login.path}`) === 2)
    await until('the deliveries are reported', () => countOf('deliver event') === 2)
    const spans = traces.spans()

    // The caller's trace is continued, down to the queries.
    const request = spans.find((span) => span.traceId === traceId && span.name === init)
    assert.equal(request?.parentSpanId, '00f067aa0ba902b7')
    assert.deepEqual(factsOf(request ?? assert.fail()), {
      'http.request.method': 'POST',
      'http.route': contract.initTransaction.path,
      'http.response.status_code': '200',
      'kobo.merchant_id': String(shop.merchantId),
    })
    const insert = spans.find((span) => span.traceId === traceId && span.name.startsWith('insert '))
    assert.deepEqual(wayUp(spans, insert).slice(1), ['set of init-transaction', 'lane init-transaction', init])

    const named = (name: string): Span => spans.find((span) => span.name === name) ?? assert.fail(`${name} is reported`)
    const charged = named('rail card/charge')
    assert.deepEqual(wayUp(spans, charged).slice(1), ['order card-charge', `POST ${contract.chargeCard.path}`])
    assert.deepEqual(factsOf(charged), {
      'kobo.partner': 'simulated',
      'kobo.operation': 'card/charge',
      'kobo.outcome': 'approved',
    })
    assert.equal(wayUp(spans, named('rail transfer/send')).at(-1), `POST ${contract.initiateTransfer.path}`)

    // An error has its code; an event has its own trace, links to its origin, and names only the host.
    const refusals = spans.flatMap((span) => (span.name === init ? (factsOf(span)['kobo.refusal'] ?? []) : []))
    assert.deepEqual(refusals, ['MALFORMED_FIELD'])
    const delivery = named('deliver event')
    assert.equal(delivery.parentSpanId, undefined)
    const origins = spans
      .flatMap(({ name, links }) => (name === 'deliver event' ? links : []))
      .map((link) =>
        wayUp(
          spans,
          spans.find(({ spanId }) => spanId === link.spanId),
        ).at(-1),
      )
    assert.deepEqual(
      origins.sort(),
      [contract.chargeCard, contract.payIntoAccount].map(({ path }) => `POST ${path}`).sort(),
    )
    assert.deepEqual(factsOf(delivery), {
      'kobo.merchant_id': String(shop.merchantId),
      'kobo.event_kind': 'collection',
      'kobo.attempt': '1',
      'server.address': '127.0.0.1',
      'kobo.outcome': 'delivered',
      'http.response.status_code': '200',
    })
    assert.ok(
      spans.some(
        (span) => wayUp(spans, span).join() === 'commit,set of delivery outcome,lane delivery outcome,deliver event',
      ),
    )

    for (const { traceId, spanId, parentSpanId = spanId, startTimeUnixNano, endTimeUnixNano } of spans) {
      assert.match(`${traceId} ${spanId} ${parentSpanId}`, /^[0-9a-f]{32} [0-9a-f]{16} [0-9a-f]{16}$/)
      assert.ok(BigInt(startTimeUnixNano) <= BigInt(endTimeUnixNano))
    }
    assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, spans.length)
    const text = traces.texts.join('\n')
    const { secretKey, apiKey } = shop.credentials
    const card = aCard(CARDS.success)
    const secrets = [secretKey, apiKey, shop.token, card.number, transfer.destinationAccountNumber, transfer.reference]
    for (const secret of [...secrets, basic(shop.credentials), 'a-secret-of', '@', 'Ada', 'nowhere', 'order-'])
      assert.ok(!text.includes(secret), `${secret} was exported`)
  },
)

slow('while the collector is down everything continues, and lost spans are counted', async (t) => {
  const traces = await collector(t, 503)
  const lines: string[] = []
  const log = openLog('info', { write: (line) => lines.push(line) })
  const shop = await gateway(t, { env: { KOBO_OTLP_URL: traces.url }, log })
  const count = async (outcome: string): Promise<number> => {
    const { text } = await shop.send('GET', '/metrics')
    return Number(new RegExp(`^kobo_trace_spans_total{outcome="${outcome}"} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
  }
  await pay(shop, await anAccount(shop), 5_000)
  await until('spans were dropped', async () => (await count('dropped')) > 0)
  assert.equal(await count('exported'), 0)
  traces.status = 200
  await pay(shop, await anAccount(shop), 5_000)
  await until('spans were exported', async () => (await count('exported')) > 0)
  const countOf = lines.map((line) => JSON.parse(line).msg).filter((text) => text.includes('trace export'))
  assert.deepEqual(countOf, ['trace export failed; traces are dropped', 'trace export recovered'])
})

/** Traces to a collector, with counts of the spans. */
function tracingTo(
  url: string,
  traceShare = 1,
): { readonly tracing: Tracing; readonly counts: Record<string, number> } {
  const counts: Record<string, number> = { exported: 0, dropped: 0 }
  const tracing = openTracing({
    otlpUrl: url,
    traceShare,
    log: openLog('silent'),
    count: (outcome, spans) => {
      counts[outcome] = (counts[outcome] ?? 0) + spans
    },
  })
  return { tracing: tracing ?? assert.fail(), counts }
}

test('a shared batch is a child of its first request and linked to the others, and the last spans are sent at shutdown', async (t) => {
  const traces = await collector(t)
  const { tracing, counts } = tracingTo(traces.url)
  const doubled = lane({ name: 'doubled', run: async (numbers: readonly number[]) => numbers.map((n) => 2 * n) })
  const askedBy = (name: string, number: number): Promise<number> =>
    spanning(tracing.root(name, 'server') ?? assert.fail(), () => doubled(number))
  // The last call belongs to no trace, and appears in none.
  assert.deepEqual(await Promise.all([askedBy('one', 1), askedBy('two', 2), doubled(3)]), [2, 4, 6])
  await tracing.close()

  const spans = traces.spans()
  assert.deepEqual(counts, { exported: spans.length, dropped: 0 })
  const set = spans.find(({ name }) => name === 'set of doubled') ?? assert.fail()
  assert.deepEqual(wayUp(spans, set), ['set of doubled', 'lane doubled', 'one'])
  assert.equal(factsOf(set)['kobo.set_size'], '3')
  const other = spans.find((span) => wayUp(spans, span).join() === 'lane doubled,two') ?? assert.fail()
  const named = ({ traceId, spanId }: Span) => ({ traceId, spanId })
  assert.deepEqual([set.links, other.links], [[named(other)], [named(set)]])
})

test('the span queue is limited, and spans of unsampled traces are not created', async (t) => {
  const traces = await collector(t, 503)
  const { tracing, counts } = tracingTo(traces.url)
  for (let nth = 0; nth < 10_000; nth++) tracing.root('one of many', 'internal')?.end()
  // None could be sent yet: at most one batch has left the queue.
  assert.ok((counts['dropped'] ?? 0) >= 10_000 - 8_192 - 256, JSON.stringify(counts))
  await tracing.close()
  assert.deepEqual(counts, { exported: 0, dropped: 10_000 })

  const some = tracingTo(traces.url, 0.25)
  const isMade = (traceId: string): boolean =>
    some.tracing.root('one', 'server', { traceId, spanId: '00f067aa0ba902b7' }) !== undefined
  assert.deepEqual(
    ['3fffffff', '40000000'].map((end) => isMade(`4bf92f3577b34da6a3ce929d${end}`)),
    [true, false],
  )
  await some.tracing.close()
})

test('a query is named by its verb and table, never by a value', () => {
  const names = {
    'select * from merchant where id = $1 for update of merchant': ['select', 'merchant'],
    '-- from the merchant: what is due\nwith due as (select id from event) update event set a = $1 from due': [
      'update',
      'event',
    ],
    'insert into "journal" select * from json_populate_recordset(null::journal, $1) on conflict do update set a = 1': [
      'insert',
      'journal',
    ],
    'with found as (select * from unnest($1) u join account a on true) select * from found': ['select', 'account'],
    'begin ': ['begin', undefined],
  }
  for (const [text, [operation, table]] of Object.entries(names))
    assert.deepEqual(findName(text), { operation, table }, text)
})
