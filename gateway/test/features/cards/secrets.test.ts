import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { openLog } from '../../../src/platform/observability/log.ts'
import type { Db } from '../../../src/platform/postgres/db.ts'
import { names } from '../../../src/platform/postgres/sql.ts'
import { gateway } from '../../harness/gateway.ts'
import type { ApiResponse } from '../../harness/responses.ts'
import { aCard, aTransaction, CARDS, openTransaction, statusOf } from '../../harness/samples.ts'
import { webhookEndpoint } from '../../harness/webhook-endpoint.ts'

const NUMBERS = Object.values(CARDS)
const SECRETS = { cvv: '7391', pin: '1234', wrongPin: '8642', otp: '123456', wrongOtp: '975318' }

/**
 * Digits that may equal a secret by chance: identifiers, times, the end of a reference, and how long a request took.
 */
const BY_CHANCE = new RegExp(
  [
    '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    String.raw`\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[.]\d+`,
    String.raw`KOBO[|]\d+[|]\d{14}[|]\d{6}`,
    String.raw`"(milliseconds|microseconds)": ?[\d.]+`,
  ].join('|'),
  'g',
)

/** Every row of every table as text. */
async function allRows(db: Db): Promise<string> {
  const tables = await db<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const found = await db<{ row: string }[]>`select to_jsonb(t)::text as row from ${names(name)} t`
      return found.map(({ row }) => `${name}: ${row}`)
    }),
  )
  assert.ok(tables.length > 20)
  return rows.flat().join('\n')
}

/** A secret in any encoding: plain, or as the bytes of a column. */
const dresses = (secret: string): readonly RegExp[] => [
  new RegExp(`(?<![0-9A-Za-z])${secret}(?![0-9A-Za-z])`),
  new RegExp(Buffer.from(secret).toString('hex'), 'i'),
  ...(secret.length > 8 ? [new RegExp(secret), new RegExp(Buffer.from(secret).toString('base64').slice(0, 12))] : []),
]

test('no number, CVV, PIN or OTP is in a debug log, a row, a response or an event', async (t) => {
  const logged: string[] = []
  const destination = new Writable({
    write: (chunk, _, done) => {
      logged.push(String(chunk))
      done()
    },
  })
  const shop = await gateway(t, { log: openLog('trace', destination) })
  const events = await webhookEndpoint(t)
  await shop.call(contract.changeSettings, { body: { webhookUrls: { collection: events.url } } })
  const responses: ApiResponse[] = []
  const send = async (path: string, body: object, headers: Record<string, string> = {}): Promise<ApiResponse> => {
    const response = await shop.send('POST', path, { body, headers })
    responses.push(response)
    return response
  }
  const result = ({ body }: ApiResponse) => body.responseBody as Record<string, Record<string, string>>

  for (const number of NUMBERS)
    for (const pin of [SECRETS.pin, SECRETS.wrongPin]) {
      const transactionReference = await openTransaction(shop)
      const card = aCard(number, { pin, cvv: SECRETS.cvv })
      const charged = await send(
        contract.chargeCard.path,
        { transactionReference, card },
        { 'idempotency-key': `${transactionReference}` },
      )
      const { otpData, secure3dData } = result(charged) ?? {}
      if (otpData !== undefined)
        for (const token of [SECRETS.wrongOtp, SECRETS.otp])
          await send(contract.authorizeOtp.path, { transactionReference, tokenId: otpData['id'], token })
      if (secure3dData !== undefined) {
        for (const otp of [SECRETS.wrongOtp, SECRETS.otp])
          await fetch(secure3dData['acsUrl'] ?? '', {
            method: 'POST',
            body: new URLSearchParams({ decision: 'approve', otp }),
            redirect: 'manual',
          })
        await send(contract.authorizeSecure3d.path, { transactionReference, card, apiKey: shop.credentials.apiKey })
      }
    }
  // Bodies that are rejected before the card is read, and one that is not even JSON.
  const card = aCard(CARDS.success, { cvv: SECRETS.cvv })
  await send(contract.chargeCard.path, { card })
  await send(contract.chargeCard.path, { transactionReference: 5, card: { ...card, expiryYear: CARDS.success } })
  responses.push(await shop.send('POST', contract.chargeCard.path, { body: `{"card":{"number":"${CARDS.success}",` }))
  // The response to an unknown path repeats the path, but it is stored nowhere.
  await shop.send('POST', `${contract.chargeCard.path}/${CARDS.success}`, { body: card })
  await shop.advance(31)

  const paid = await openTransaction(shop)
  await send(contract.chargeCard.path, { transactionReference: paid, card })
  const { cardDetails } = await statusOf(shop, paid)
  const { apiKey } = shop.credentials
  const renewal = { ...aTransaction(shop), cardToken: cardDetails?.cardToken, apiKey }
  assert.equal((await send(contract.chargeCardToken.path, renewal)).status, 200)
  const received = await events.count(6)

  const rows = await allRows(shop.db)
  assert.match(rows, /card_attempt: .*411111\*+1111/)
  const written = {
    log: logged.join(''),
    rows,
    answers: responses.map(({ text }) => text).join('\n'),
    events: received.map(({ body }) => body).join('\n'),
  }
  assert.ok(written.log.length > 5_000, 'the log was talkative')
  for (const [where, whole] of Object.entries(written)) {
    const text = whole.replaceAll(BY_CHANCE, '')
    for (const secret of [...NUMBERS, ...Object.values(SECRETS)])
      for (const dress of dresses(secret)) {
        const found = dress.exec(text)
        assert.equal(
          found,
          null,
          `${where} holds ${secret}: …${text.slice((found?.index ?? 0) - 60, (found?.index ?? 0) + 40)}…`,
        )
      }
  }
  assert.ok(!written.events.includes(cardDetails?.cardToken ?? ''), 'nor a token in an event')
  assert.ok(!written.log.includes(cardDetails?.cardToken ?? ''), 'nor one in the log')
})
