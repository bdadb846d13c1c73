import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { wallClock } from '../../gateway/src/kernel/clock.ts'
import { hidden } from '../../gateway/src/kernel/hidden.ts'
import { openLog } from '../../gateway/src/platform/log.ts'
import { openPost } from '../../gateway/src/platform/post.ts'
import { askSigned } from '../../gateway/src/rails/http/index.ts'
import { openNonces, readQuestion, signAnswer } from '../../gateway/src/rails/protocol/index.ts'
import type { Kinds } from '../src/connector.ts'
import { CONNECTORS } from '../src/connectors/index.ts'
import { readSettings } from '../src/settings.ts'
import { startRails } from '../src/start.ts'
import { tryAdapter } from '../src/trial/index.ts'
import { orderOf } from '../src/trial/sends.ts'
import { SECRET } from './connectors.ts'
import { type Partner, SILENCES } from './simulators/partner.ts'

const KEYS = { secret: hidden(SECRET) }
const PATIENT = 120_000

export type Answer = Readonly<Record<string, unknown>>

/** A connector in a process of connectors on a real socket, and somebody in the gateway's place who hears what it tells. */
export interface Connected {
  readonly url: string
  /** Where the partner calls. */
  readonly callbackUrl: string
  readonly ask: (operation: string, request: object) => Promise<Answer>
  /** What the gateway was told, in its order. */
  readonly told: { readonly operation: string; readonly notice: Answer }[]
  /** What the gateway answers from now on. */
  readonly answerTold: (answer: Answer | undefined) => void
  readonly logged: () => string
}

/** What the gateway answers where nobody says otherwise. */
const USUAL: Readonly<Record<string, Answer>> = {
  credits: { kind: 'accepted' },
  outcomes: { kind: 'asking' },
  'name-enquiry': { kind: 'not found' },
}

async function gatewayInPlace(t: TestContext, told: Connected['told'], answer: () => Answer | undefined) {
  const nonces = openNonces(wallClock)
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const operation = (request.url ?? '').replace('/rails/', '')
    const asked = readQuestion(KEYS, wallClock, nonces, { operation, body }, request.headers)
    if (asked === undefined) return void response.writeHead(401).end()
    told.push({ operation, notice: JSON.parse(body) })
    const text = JSON.stringify(answer() ?? USUAL[operation])
    const signed = signAnswer(asked.secret, wallClock, { operation, nonce: asked.nonce, status: 200, body: text })
    response.writeHead(200, signed).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Starts a connector with its settings, without their first words: `URL` for `KOBO_9PSB_URL`. */
export async function connected(
  t: TestContext,
  code: string,
  settings: Record<string, string>,
  kinds: Kinds = CONNECTORS,
): Promise<Connected> {
  const told: Connected['told'] = []
  let answer: Answer | undefined
  const gatewayUrl = await gatewayInPlace(t, told, () => answer)
  const lines: string[] = []
  const named = Object.entries(settings).map(([name, text]) => [`KOBO_${code.toUpperCase()}_${name}`, text])
  const rails = await startRails(
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
      const { text, reason, status } = await askSigned(options, operation, JSON.stringify(request))
      return JSON.parse(text ?? assert.fail(`${operation} is answered ${status}: ${reason}`))
    },
    told,
    answerTold: (other) => {
      answer = other
    },
    logged: () => lines.join(''),
  }
}

/** Puts a connector to the trial that every adapter is put to: nothing fails; answers what could not be tried. */
export async function passesTrial({ url }: Connected): Promise<readonly string[]> {
  const { verdicts } = await tryAdapter({ url, secret: KEYS.secret, wall: wallClock, timeoutMilliseconds: PATIENT })
  assert.deepEqual(
    verdicts.filter(({ result }) => result === 'failed'),
    [],
  )
  return verdicts.flatMap(({ name, result }) => (result === 'skipped' ? name : []))
}

/** However its partner falls silent after it has done something, the connector answers just this, and nothing is done twice. */
export async function isCarefulWhenSilent(
  { ask }: Connected,
  partner: Partner,
  path: RegExp,
  operation: string,
  request: () => object,
  expected: Answer,
): Promise<void> {
  for (const how of SILENCES) {
    partner.silence(how, path)
    assert.deepEqual(await ask(operation, request()), expected, `${operation}: ${how}`)
  }
  partner.answerInstead(path, { code: 'ZZ', responseCode: 'ZZ', message: 'no list has this' })
  const odd = await ask(operation, request())
  assert.equal(odd['kind'], expected['kind'], `${operation}: a code that no list has`)
}

/** Nothing that the operator keeps to itself stands in the log. */
export function keepsSecrets({ logged }: Connected, ...secrets: readonly string[]): void {
  for (const secret of [SECRET, ...secrets]) assert.ok(!logged().includes(secret), 'a secret stands in the log')
}

/** A transfer that nobody has asked for yet. */
export const aTransfer = (accountNumber = '0123456789', bankCode = '058', amount = 10_000) => ({
  ...orderOf(`KFDS${randomUUID()}`),
  amount,
  destination: { bankCode, accountNumber, accountName: 'ADA OBI' },
  narration: 'Shoes — 2 pairs',
  sender: { name: 'Demo Shop', accountNumber: null, bankCode: null, bvn: null },
})

/** However the partner falls silent after a transfer, it is unknown; asked about, it has succeeded, and left once. */
export async function isFoundAfterSilence(
  connector: Connected,
  partner: Partner,
  path: RegExp,
  sent: () => number,
): Promise<void> {
  const before = sent()
  const asked: ReturnType<typeof aTransfer>[] = []
  const next = (): object => {
    const transfer = aTransfer()
    asked.push(transfer)
    return transfer
  }
  await isCarefulWhenSilent(connector, partner, path, 'transfer/send', next, { kind: 'unknown' })
  for (const { reference, sequence, placedAt } of asked) {
    const found = await connector.ask('transfer/find', { reference, sequence, placedAt })
    assert.equal(found['kind'], 'succeeded')
  }
  assert.equal(sent(), before + asked.length, 'each left once')
}
