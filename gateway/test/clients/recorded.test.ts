import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CLIENT_PROFILES, type ClientName } from '@kobo/contract'
import { changeSettings } from '../../src/features/settings/index.ts'
import { aShop, basic, type Shop } from '../harness/gateway.ts'
import { holderOf } from '../harness/samples.ts'

/** One call of a client: what it sends, and the fields of the response that it reads. */
interface RecordedCall {
  readonly call: string
  readonly request: string
  /** `token` by default; `keys` sends API key and secret key; `page` is a browser and `app` a phone, without any. */
  readonly auth?: 'keys' | 'page' | 'app'
  readonly type?: string
  readonly body?: unknown
  /** Values of the response that later calls send, by name. */
  readonly keeps?: Readonly<Record<string, string>>
  readonly text?: string
  readonly reads: readonly string[]
}

const RECORDED: Readonly<Record<string, readonly RecordedCall[]>> = JSON.parse(
  readFileSync(new URL('./recorded.json', import.meta.url), 'utf8'),
)

/** The value at a dotted path; undefined if there is none. */
const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined | null)?.[step], value)

/** Replaces `{name}` in texts of a request. Each call has its own `{id}` and `{account}`. */
function filled<T>(sent: T, known: ReadonlyMap<string, string>, now: Date): T {
  const id = randomUUID()
  const account = `01234${String(Math.floor(Math.random() * 100_000)).padStart(5, '0')}`
  const text = JSON.stringify(sent).replace(/\{([a-zA-Z]+)(?:\+(\d+))?\}/g, (whole, name: string, days: string) => {
    if (name === 'id') return id
    if (name === 'account') return account
    if (name === 'day') return new Date(now.getTime() + Number(days) * 86_400_000).toISOString().slice(0, 10)
    return known.get(name) ?? whole
  })
  return JSON.parse(text)
}

/** A merchant with a client's settings, and everything the client knows of it. */
async function merchantOf(client: ClientName): Promise<{ shop: Shop; known: Map<string, string> }> {
  const shop = await aShop()
  const { core, merchantId, credentials } = shop
  const rules = { environment: 'sandbox', allowed: [], receiverPorts: undefined } as const
  const change = { compat: [...CLIENT_PROFILES[client].needs], permissions: { bills: true } }
  await changeSettings({ core, rules }, { id: merchantId }, change, { actor: 'command line' })
  const known = new Map(Object.entries({ ...credentials, wallet: credentials.walletAccountNumber }))
  return { shop, known }
}

for (const [client, calls] of Object.entries(RECORDED))
  test(`${client}: every recorded call works, with every field that the client reads`, async () => {
    assert.ok(client in CLIENT_PROFILES, 'it has a profile')
    const { shop, known } = await merchantOf(client as ClientName)
    for (const recorded of calls) {
      const { request, body } = filled(
        { request: recorded.request, body: recorded.body ?? null },
        known,
        shop.core.clock.now(),
      )
      const [method = '', path = ''] = request.split(' ')
      const fields = body as { destinationAccountName?: string; destinationAccountNumber?: string } | null
      if (fields?.destinationAccountName === '{holder}')
        fields.destinationAccountName = await holderOf(shop, fields.destinationAccountNumber ?? '')
      const authorization =
        recorded.auth === 'keys' ? basic(shop.credentials) : recorded.auth !== undefined ? '' : `Bearer ${shop.token}`
      const response = await shop.send(method, path, {
        headers: {
          authorization,
          ...(recorded.auth === 'page' ? { origin: 'https://shop.example' } : {}),
          'content-type': recorded.type ?? 'application/json',
        },
        ...(body === null ? {} : { body: body as object }),
      })
      assert.equal(response.status, 200, `${recorded.call}: ${response.text}`)
      if (recorded.text !== undefined) assert.ok(response.text.includes(recorded.text), recorded.call)
      else assert.equal(response.body.responseMessage, 'success')
      for (const field of recorded.reads)
        assert.notEqual(valueAt(response.body.responseBody, field), undefined, `${recorded.call} reads ${field}`)
      for (const [name, field] of Object.entries(recorded.keeps ?? {}))
        known.set(name, String(valueAt(response.body.responseBody, field)))
    }
  })

test('every client with a profile has recorded calls', () => {
  assert.deepEqual(Object.keys(RECORDED).toSorted(), Object.keys(CLIENT_PROFILES).toSorted())
})
