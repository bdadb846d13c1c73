import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { BODY_SIZES } from '@kobo/contract'
import { aShop, type Shop } from '../../../harness/gateway.ts'
import { checkFailure } from '../../../harness/responses.ts'
import { aBatch, aReservedAccount, aTransaction } from '../../../harness/samples.ts'
import { sendRequest } from '../../../harness/send-request.ts'
import { head } from '../../../harness/socket.ts'

const MEGABYTES_6 = 6_200_000

/** A JSON object with this many short fields. */
const manyFields = (count: number): string =>
  `{${Array.from({ length: count }, (_, nth) => `"${nth.toString(36)}":0`).join(',')}}`

const inline = (shop: Shop, changes: object = {}): object => ({
  apiKey: shop.credentials.apiKey,
  contractCode: shop.credentials.contractCode,
  amount: 5_000,
  currency: 'NGN',
  reference: `inline-${randomUUID()}`,
  customerEmail: 'ada@example.com',
  ...changes,
})

/** Sends a request and returns the response, even if the server did not read all of it. */
function attack(shop: Shop, path: string, body: string, length: 'declared' | 'chunked'): Promise<string> {
  const { hostname, port } = new URL(shop.url)
  const bytes = Buffer.from(body)
  const framing = length === 'declared' ? { 'content-length': bytes.length } : { 'transfer-encoding': 'chunked' }
  const headers = { authorization: `Bearer ${shop.token}`, 'content-type': 'application/json', ...framing }
  return new Promise((resolve) => {
    let response = ''
    const socket = connect(Number(port), hostname, () => {
      socket.write(head('POST', path, headers))
      if (length === 'declared') socket.write(bytes)
      else
        socket.write(
          Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n0\r\n\r\n')]),
        )
    })
    socket.setEncoding('utf8').on('data', (text) => {
      response += text
    })
    socket.on('error', () => {}) // the server hangs up on a caller that keeps sending
    socket.on('close', () => resolve(response))
  })
}

/** The longest that another caller waited for a small response meanwhile. */
async function longestWait(url: string, meanwhile: Promise<unknown>, roundsMin = 10): Promise<number> {
  let isOver = false
  void meanwhile.finally(() => {
    isOver = true
  })
  let longest = 0
  for (let round = 0; round < roundsMin || !isOver; round++) {
    const startedAt = performance.now()
    await sendRequest({ method: 'GET', url: `${url}/health/live`, headers: {} })
    longest = Math.max(longest, performance.now() - startedAt)
  }
  return longest
}

const median = (figures: readonly number[]): number =>
  figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)] ?? 0

/** An unprotected server would delay other callers some thousand times longer than normal. */
const RATIO_MAX = 60
const ROUNDS = 5

test('a hostile request is rejected and delays no other caller', async () => {
  const shop = await aShop()
  const { path: batch } = contract.initiateBatch
  const { path: open } = contract.inlineCheckout
  const { path: init } = contract.initTransaction
  const many = manyFields(700_000)
  const attacks: Record<string, readonly [status: number, path: string, body: string, length: 'declared' | 'chunked']> =
    {
      'many fields, with content-length': [413, open, many, 'declared'],
      'many fields, chunked': [413, open, many, 'chunked'],
      'as many fields as allowed': [400, open, manyFields(3_500), 'declared'],
      'as many fields as allowed for a merchant': [400, init, manyFields(7_000), 'declared'],
      'many fields in a batch': [400, batch, many, 'declared'],
      'many lists in a batch': [400, batch, `[${'[],'.repeat(2_000_000)}[]]`, 'declared'],
      'endless metaData': [
        413,
        open,
        JSON.stringify(inline(shop, { metaData: { a: 'x'.repeat(MEGABYTES_6) } })),
        'declared',
      ],
    }
  for (const [what, [status, path, body, length]] of Object.entries(attacks)) {
    const alone: number[] = []
    const beside: number[] = []
    const responses: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      alone.push(await longestWait(shop.url, Promise.resolve()))
      const attacked = attack(shop, path, body, length)
      beside.push(await longestWait(shop.url, attacked))
      responses.push(await attacked)
    }
    const ratio = median(beside) / median(alone)
    assert.ok(ratio < RATIO_MAX, `${what}: another caller waits ${ratio.toFixed(0)} times as long`)
    // A caller that is disconnected while it still sends may miss the response.
    for (const response of responses.filter((text) => text !== ''))
      assert.match(response, new RegExp(`^HTTP/1\\.1 ${status} `), what)
  }
})

test('a body with more values than its route allows is rejected before it is parsed, and one at the limit is read', async () => {
  const shop = await aShop()
  const { values } = BODY_SIZES.open
  const list = (count: number): string => `{"list":[${Array.from({ length: count }, () => 1).join(',')}]}`
  const path = `${contract.payIntoAccount.path}`
  const rejected = await shop.send('POST', path, { body: list(values) })
  assert.equal(rejected.status, 400)
  assert.equal(checkFailure(rejected).message, `body must have at most ${values} values`)
  const read = await shop.send('POST', path, { body: list(values - 10) })
  assert.equal(checkFailure(read).message, 'bankCode is required')
})

test('metaData has at most 50 keys and 8 kB on every route, and nothing larger is stored', async () => {
  const shop = await aShop()
  const text = (bytes: number): object => ({ a: 'x'.repeat(bytes - 8) })
  const keys = (count: number): object => JSON.parse(manyFields(count)) as object
  const places: readonly (readonly [contract.Route, (map: object) => object])[] = [
    [contract.initTransaction, (metaData) => ({ ...aTransaction(shop), metaData })],
    [contract.initTransaction, (metadata) => ({ ...aTransaction(shop), metadata })],
    [contract.inlineCheckout, (metaData) => inline(shop, { metaData })],
    [contract.reserveAccount, (metaData) => ({ ...aReservedAccount(shop), metaData })],
  ]
  for (const [route, bodyWith] of places) {
    const refusal = async (map: object): Promise<string> =>
      (await shop.rejected(400, route, { body: bodyWith(map) })).message
    assert.match(await refusal(text(8_193)), /^meta[dD]ata must be at most 8192 bytes of JSON$/, route.path)
    assert.match(await refusal(keys(51)), /^meta[dD]ata must have at most 50 properties$/, route.path)
    for (const map of [text(8_192), keys(50)])
      assert.equal((await shop.send('POST', route.path, { body: bodyWith(map) })).status, 200, route.path)
  }
})

test('a card number in metaData is rejected with the name of its field, and other long numbers are not', async () => {
  const shop = await aShop()
  const send = (metaData: object) =>
    shop.send('POST', contract.initTransaction.path, { body: { ...aTransaction(shop), metaData } })
  for (const [metaData, field] of [
    [{ card: '4111111111111111' }, 'metaData.card'],
    [{ card: 4111111111111111 }, 'metaData.card'],
    [{ note: 'pay with 4111 1111 1111 1111 please' }, 'metaData.note'],
    [{ order: [{ pan: '5060-9959-9424-7093' }] }, 'metaData.order[0].pan'],
    [{ amex: '3782 822463 10005' }, 'metaData.amex'],
    [{ '4111111111111111': true }, 'metaData'],
  ] as const) {
    const response = await send(metaData)
    assert.equal(response.status, 400)
    assert.equal(checkFailure(response).message, `${field} must not contain a card number`)
  }
  for (const metaData of [
    { order: '4111111111111112' }, // wrong check digit
    { order: 'ORD4111111111111111' },
    { stamp: 1772357400000, phone: '+234 803 555 1234 567' },
    { session: '000013260301093000000000000001' },
    { account: '0123456789', bvn: '22212345678' },
  ])
    assert.equal((await send(metaData)).status, 200, JSON.stringify(metaData))
  // Elsewhere digits are references, and a merchant names its payments freely.
  const paymentReference = `4111111111111111`
  assert.equal(
    (await shop.send('POST', contract.initTransaction.path, { body: aTransaction(shop, { paymentReference }) })).status,
    200,
  )
  assert.deepEqual(
    await shop.rejected(400, contract.initiateBatch, { body: aBatch(shop, []) }).then(({ code }) => code),
    'MALFORMED_FIELD',
  )
})

test('a redirectUrl with a user name or a password is rejected', async () => {
  const shop = await aShop()
  for (const redirectUrl of [
    'https://ada@shop.example/',
    'https://ada:secret@shop.example/',
    'https://:secret@shop.example/',
  ])
    assert.match(
      (await shop.rejected(400, contract.initTransaction, { body: { ...aTransaction(shop), redirectUrl } })).message,
      /^redirectUrl must not contain a user name or password$/,
    )
})
