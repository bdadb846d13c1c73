import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { meaningOf, NIP_CODES, nipId } from '../../src/kit/index.ts'
import {
  aTransfer,
  connected,
  findsTransferAfterLostResponse,
  logsNoSecrets,
  passesAdapterTest,
} from '../conformance.ts'
import { BVN, CLIENT, easyPay, MANDATE } from '../simulators/easypay.ts'

async function world(t: TestContext, more: Record<string, string> = {}) {
  const nibss = await easyPay(t)
  const connector = await connected(t, 'easypay', {
    URL: nibss.url,
    CLIENT_ID: CLIENT.id,
    CLIENT_SECRET: CLIENT.secret,
    SCOPE: CLIENT.scope,
    INSTITUTION: '090999',
    SOURCE_INSTITUTION: '000023',
    ORIGINATOR_NAME: 'KOBO SETTLEMENT',
    ORIGINATOR_ACCOUNT: '0112345678',
    ORIGINATOR_BVN: BVN,
    MANDATE,
    BILLER_ID: '362',
    TRIAL_ACCOUNT: '058/0123456789',
    ...more,
  })
  return { nibss, connector }
}

test('the connector to EasyPay passes the adapter test; transfers without a response are found by their query', async (t) => {
  const { nibss, connector } = await world(t)
  assert.deepEqual(await passesAdapterTest(connector), ['unknown', 'amount', 'one return'])
  nibss.expireTokens()
  await findsTransferAfterLostResponse(connector, nibss, /fundstransfer$/, nibss.sent)
  for (const id of nibss.ids()) assert.match(id, /^090999\d{24}$/)
  logsNoSecrets(connector, CLIENT.secret, MANDATE, BVN)
})

test('a transfer that was never requested fails or is not sent; one that was is decided by its code alone', async (t) => {
  const { nibss, connector } = await world(t, { CODES: '58=unknown' })
  const kindOf = async (transfer: object) => (await connector.ask('transfer/send', transfer))['kind']
  assert.equal(await kindOf(aTransfer('0000000000')), 'failed', 'no such account')
  assert.equal(await kindOf(aTransfer('0000000091')), 'not sent', 'its bank is down')
  assert.equal(await kindOf(aTransfer('0123456789', '999')), 'not sent', 'an unknown bank')
  assert.equal(await kindOf(aTransfer('0123456789', '058', 1_000_000_001)), 'not sent', 'above the limit')
  const { sequence: _, ...without } = aTransfer()
  assert.equal(await kindOf(without), 'not sent', 'it could not be queried')
  assert.equal(nibss.ids().length, 0)
  for (const [code, kind] of [
    ['51', 'failed'],
    ['34', 'unknown'],
    ['09', 'unknown'],
    ['Q7', 'unknown'],
    ['58', 'unknown'],
    ['57', 'failed'],
  ] as const) {
    nibss.respondWith(code)
    const transfer = aTransfer()
    assert.equal(await kindOf(transfer), kind, code)
    assert.equal((await connector.ask('transfer/find', transfer))['kind'], kind, `${code} when queried`)
  }
  const named = (accountNumber: string) => connector.ask('transfer/name-enquiry', { bankCode: '058', accountNumber })
  assert.deepEqual(await named('0123456789'), { kind: 'found', accountName: 'ADA OBI' })
  assert.deepEqual(await named('0000000000'), { kind: 'not found' })
  assert.deepEqual(await named('0000000091'), { kind: 'unavailable' })
})

test('an unlisted code is unknown', () => {
  fc.assert(
    fc.property(fc.string(), (code) => {
      if (!Object.hasOwn(NIP_CODES, code)) assert.equal(meaningOf(NIP_CODES, code), 'unknown')
    }),
  )
})

test('NIP ids are 30 digits, the same each time, and unique over orders and attempts, even when their digits wrap', () => {
  const placedAt = '2026-03-01T09:30:00.000Z'
  const seen = new Set<string>()
  // Orders of one second, with ids around the point at which their last ten digits wrap.
  for (let n = 0n; n < 2_000n; n++)
    for (const reference of ['KFDS1', 'KFDS1~2', 'KFDS1~10']) {
      const order = { reference, sequence: String(379_999_999_998_000n + n * 2_097_151n), placedAt }
      const id = nipId('090999', order) ?? ''
      assert.match(id, /^090999260301103000\d{12}$/)
      assert.equal(nipId('090999', { ...order }), id)
      seen.add(id)
    }
  assert.equal(seen.size, 6_000)
})
