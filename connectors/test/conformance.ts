import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { wallClock } from '../../gateway/src/kernel/clock.ts'
import { hidden } from '../../gateway/src/kernel/hidden.ts'
import { openPost } from '../../gateway/src/platform/http/post-json.ts'
import { openLog } from '../../gateway/src/platform/observability/log.ts'
import { requestSigned } from '../../gateway/src/rails/http/index.ts'
import { openNonces, readSignedRequest, signResponse } from '../../gateway/src/rails/protocol/index.ts'
import { checkAdapter } from '../src/conformance/index.ts'
import { orderOf } from '../src/conformance/sends.ts'
import type { Kinds } from '../src/connector.ts'
import { CONNECTORS } from '../src/partners/index.ts'
import { readSettings } from '../src/settings.ts'
import { startConnectors } from '../src/start.ts'
import { SECRET } from './connectors.ts'
import { LOST_RESPONSES, type Partner } from './simulators/partner.ts'

const KEYS = { secret: hidden(SECRET) }
const PATIENT = 120_000

export type ResponseBody = Readonly<Record<string, unknown>>

/** A connector in a connector process on a real socket, with a fake gateway that receives its notifications. */
export interface Connected {
  readonly url: string
  /** The URL that the partner calls. */
  readonly callbackUrl: string
  readonly ask: (operation: string, request: object) => Promise<ResponseBody>
  /** The notifications that the gateway received, in order. */
  readonly notifications: { readonly operation: string; readonly notice: ResponseBody }[]
  /** The gateway's response from now on. */
  readonly respondWith: (response: ResponseBody | undefined) => void
  readonly logged: () => string
}

/** The gateway's default responses. */
const USUAL: Readonly<Record<string, ResponseBody>> = {
  credits: { kind: 'accepted' },
  outcomes: { kind: 'asking' },
  'name-enquiry': { kind: 'not found' },
}

async function fakeGateway(
  t: TestContext,
  notifications: Connected['notifications'],
  reply: () => ResponseBody | undefined,
) {
  const nonces = openNonces(wallClock)
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const operation = (request.url ?? '').replace('/rails/', '')
    const requested = readSignedRequest(KEYS, wallClock, nonces, { operation, body }, request.headers)
    if (requested === undefined) return void response.writeHead(401).end()
    notifications.push({ operation, notice: JSON.parse(body) })
    const text = JSON.stringify(reply() ?? USUAL[operation])
    const signed = signResponse(requested.secret, wallClock, {
      operation,
      nonce: requested.nonce,
      status: 200,
      body: text,
    })
    response.writeHead(200, signed).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Starts a connector with its settings, without their prefix: `URL` for `KOBO_9PSB_URL`. */
export async function connected(
  t: TestContext,
  code: string,
  settings: Record<string, string>,
  kinds: Kinds = CONNECTORS,
): Promise<Connected> {
  const notifications: Connected['notifications'] = []
  let response: ResponseBody | undefined
  const gatewayUrl = await fakeGateway(t, notifications, () => response)
  const lines: string[] = []
  const named = Object.entries(settings).map(([name, text]) => [`KOBO_${code.toUpperCase()}_${name}`, text])
  const rails = await startConnectors(
    readSettings(
      {
        ...Object.fromEntries(named),
        PORT: '0',
        KOBO_RAILS_SECRET: SECRET,
        KOBO_GATEWAY_URL: gatewayUrl,
        KOBO_CONNECTORS: `${code}?test`,
      },
      kinds,
    ),
    openLog('trace', { write: (line: string) => void lines.push(line) }),
    wallClock,
    kinds,
  )
  t.after(rails.close)
  const { post, close } = openPost({ allowPrivate: true, timeoutMilliseconds: PATIENT, excerptLengthMax: 1_000_000 })
  t.after(close)
  const url = `${rails.url}/${code}`
  return {
    url,
    callbackUrl: `${rails.url}/callbacks/${code}`,
    ask: async (operation, request) => {
      const options = { url, keys: KEYS, wall: wallClock, post }
      const { text, reason, status } = await requestSigned(options, operation, JSON.stringify(request))
      return JSON.parse(text ?? assert.fail(`${operation} is answered ${status}: ${reason}`))
    },
    notifications,
    respondWith: (other) => {
      response = other
    },
    logged: () => lines.join(''),
  }
}

/** The checks that are skipped for a connector that sends no transfers. */
export const CHECKS_OF_TRANSFERS = ['unknown', 'not sent', 'limits', 'amount', 'names', 'one return']

/** Runs the conformance test on a connector, which must pass; returns the checks that were skipped. */
export async function passesAdapterTest({ url }: Connected): Promise<readonly string[]> {
  const { verdicts } = await checkAdapter({ url, secret: KEYS.secret, wall: wallClock, timeoutMilliseconds: PATIENT })
  assert.deepEqual(
    verdicts.filter(({ result }) => result === 'failed'),
    [],
  )
  return verdicts.flatMap(({ name, result }) => (result === 'skipped' ? name : []))
}

/**
 * Tests that the connector returns this response whenever the partner's response is lost after an effect, and that
 * nothing is done twice.
 */
export async function survivesLostResponses(
  { ask }: Connected,
  partner: Partner,
  path: RegExp,
  operation: string,
  request: () => object,
  expected: ResponseBody,
): Promise<void> {
  for (const how of LOST_RESPONSES) {
    partner.loseResponse(how, path)
    assert.deepEqual(await ask(operation, request()), expected, `${operation}: ${how}`)
  }
  partner.replaceResponse(path, { code: 'ZZ', responseCode: 'ZZ', message: 'not in any list' })
  const odd = await ask(operation, request())
  assert.equal(odd['kind'], expected['kind'], `${operation}: an unlisted code`)
}

/** Tests that the log contains none of the operator's secrets. */
export function logsNoSecrets({ logged }: Connected, ...secrets: readonly string[]): void {
  for (const secret of [SECRET, ...secrets]) assert.ok(!logged().includes(secret), 'a secret is in the log')
}

/** A transfer with a new reference. */
export const aTransfer = (accountNumber = '0123456789', bankCode = '058', amount = 10_000) => ({
  ...orderOf(`KFDS${randomUUID()}`),
  amount,
  destination: { bankCode, accountNumber, accountName: 'ADA OBI' },
  narration: 'Shoes — 2 pairs',
  sender: { name: 'Demo Shop', accountNumber: null, bankCode: null, bvn: null },
})

/**
 * Tests that a transfer whose response is lost is unknown, that a query finds its success, and that it was sent once.
 */
export async function findsTransferAfterLostResponse(
  connector: Connected,
  partner: Partner,
  path: RegExp,
  sent: () => number,
): Promise<void> {
  const before = sent()
  const requests: ReturnType<typeof aTransfer>[] = []
  const next = (): object => {
    const transfer = aTransfer()
    requests.push(transfer)
    return transfer
  }
  await survivesLostResponses(connector, partner, path, 'transfer/send', next, { kind: 'unknown' })
  for (const { reference, sequence, placedAt } of requests) {
    const found = await connector.ask('transfer/find', { reference, sequence, placedAt })
    assert.equal(found['kind'], 'succeeded')
  }
  assert.equal(sent(), before + requests.length, 'each left once')
}
