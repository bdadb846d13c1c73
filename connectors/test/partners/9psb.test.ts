import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { wallClock } from '../../../gateway/src/kernel/clock.ts'
import { hidden } from '../../../gateway/src/kernel/hidden.ts'
import { noticeHash } from '../../src/partners/9psb/index.ts'
import { refundHash } from '../../src/partners/9psb/payments.ts'
import {
  CHECKS_OF_TRANSFERS,
  connected,
  logsNoSecrets,
  passesAdapterTest,
  survivesLostResponses,
} from '../conformance.ts'
import { CREDENTIALS, ninePsb } from '../simulators/9psb.ts'

async function world(t: TestContext) {
  const bank = await ninePsb(t, '2026-06-07T09:35:29')
  const connector = await connected(t, '9psb', {
    URL: bank.url,
    PUBLIC_KEY: CREDENTIALS.publickey,
    PRIVATE_KEY: CREDENTIALS.privatekey,
    NOTICE_USER: CREDENTIALS.user,
    NOTICE_PASSWORD: CREDENTIALS.password,
  })
  return { bank, connector, notice: `${connector.callbackUrl}/notice` }
}

const anOpening = (more: object = {}) => ({
  reference: `KFVA${randomUUID()}`,
  bankCode: '120001',
  kind: 'DYNAMIC',
  accountName: 'Two pairs of shoes',
  expiresAt: new Date(wallClock.now().getTime() + 5_400_000).toISOString(),
  customer: null,
  ...more,
})

const GIVEN_UP = { kind: 'refused', reason: 'The bank did not say which number it has opened' }

test('the hashes match the bank’s own samples', () => {
  assert.equal(
    noticeHash(hidden('hdUof9b92D0WS40HnOhgtsem'), '1003245245', '000008', '5030000013', '76.70'),
    '8938CFEF854D1953A89CFD8F77EA4E0E8B2700D67ED949D6278EEB5735066D1EC4274F430F2231CD6F324BF5A2E7A43AFCBBF9A93E9F9BD778A83D28EECAE6BC',
  )
  const key = '9IWxL3OfOC4GO6JIQan4qlx9X8wBcz8YVjd1xizN_HR4gdlsrW0Mf7EUDQt5d1tC'
  assert.equal(
    refundHash(hidden(key), '999169231016134100460496227401', '5030045748', '100.00', '20231024'),
    '9AAB82A465201CCFE0C22A047DDCF41CFFE9D686C37415FF671613EDE6B2EFB023DE6BE682E36C8D2CCB1F613EA9DA688E6028C7C5DD98CCACC985BF0965175A',
  )
})

test('the connector to 9PSB passes the adapter test; an account whose opening got no response is abandoned', async (t) => {
  const { bank, connector } = await world(t)
  assert.deepEqual(await passesAdapterTest(connector), ['one effect', 'lost answers', ...CHECKS_OF_TRANSFERS])
  bank.expireTokens()
  const opened = await connector.ask('account/open', anOpening())
  const account = bank.accounts.get(String(opened['accountNumber'])) ?? assert.fail('an account was opened')
  assert.deepEqual(opened, {
    kind: 'opened',
    bankCode: '120001',
    accountNumber: account.number,
    accountName: 'KOBO/Two pairs of shoes',
    closesAt: new Date(account.expiry?.date ?? '').toISOString(),
  })
  assert.equal(account.expiry?.hours, 2, 'an hour and a half is rounded up to two')
  const fixed = await connector.ask('account/open', anOpening({ kind: 'STATIC', expiresAt: null }))
  assert.equal(fixed['closesAt'], null)
  assert.equal((await connector.ask('account/open', anOpening({ bankCode: '058' })))['kind'], 'not sent')

  await survivesLostResponses(connector, bank, /create$/, 'account/open', anOpening, GIVEN_UP)
  const issued = { reference: 'r', bankCode: '120001', accountNumber: account.number }
  await survivesLostResponses(connector, bank, /deactivate$/, 'account/close', () => issued, { kind: 'unknown' })
  assert.deepEqual(await connector.ask('account/close', issued), { kind: 'done' })
  assert.equal(bank.accounts.get(account.number)?.isActive, false)
  assert.equal((await connector.ask('account/close', { ...issued, accountNumber: '5039999999' }))['kind'], 'refused')
  logsNoSecrets(connector, CREDENTIALS.privatekey, CREDENTIALS.password)
})

test('a credit is reported once the bank confirms it; a forged, altered or invented notification is rejected', async (t) => {
  const { bank, connector, notice } = await world(t)
  const { accountNumber } = await connector.ask('account/open', anOpening())
  const number = String(accountNumber)
  const paid = await bank.pay(notice, number, '76.70')
  assert.deepEqual([paid.status, paid.code], [200, '00'])
  assert.deepEqual(connector.notifications, [
    {
      operation: 'credits',
      notice: {
        railReference: paid.sessionid,
        bankCode: '120001',
        accountNumber: number,
        amount: 76_70,
        payer: { name: 'ADA OBI', accountNumber: '0123456789', bankCode: '058', bvn: null },
        narration: 'TRF',
        arrivedAt: '2026-06-07T08:35:29.000Z',
      },
    },
  ])
  assert.equal((await bank.pay(notice, number, '76.70', { sessionid: paid.sessionid })).code, '00', 'notified again')
  assert.equal(connector.notifications.length, 2, 'the gateway deduplicates by reference')

  for (const [otherwise, status, code] of [
    [{ password: 'guessed' }, 401, 'S1'],
    [{ hash: 'ABD12343EF5678' }, 400, '74'],
    [{ amountReported: '76000.70' }, 400, '74'],
    [{ sessionid: '999169230607093526326280000000', isUnknown: true }, 200, '99'],
  ] as const) {
    const response = await bank.pay(notice, number, '76.70', otherwise)
    assert.deepEqual([response.status, response.code], [status, code], JSON.stringify(otherwise))
  }
  bank.loseResponse('lost', /confirmpayment$/)
  assert.equal((await bank.pay(notice, number, '5.00')).code, '99', 'not confirmed: the bank must notify again')
  assert.equal(connector.notifications.length, 2)
  assert.equal((await fetch(notice)).status, 404)
  connector.respondWith({ kind: 'held', reason: 'ACCOUNT_EXPIRED' })
  assert.equal((await bank.pay(notice, number, '5.00')).code, '00', 'it is ours to return')
  logsNoSecrets(connector, CREDENTIALS.privatekey, CREDENTIALS.password)
})

test('a payment is returned once; any response but success is unknown', async (t) => {
  const { bank, connector, notice } = await world(t)
  const { accountNumber } = await connector.ask('account/open', anOpening())
  const back = (railReference: string) => ({
    reference: `RETN|${randomUUID()}`,
    amount: 76_70,
    credit: { railReference, bankCode: '120001', accountNumber },
    narration: 'Returned',
  })
  const { sessionid } = await bank.pay(notice, String(accountNumber), '76.70')
  const sent = await connector.ask('account/send-back', back(sessionid))
  assert.equal(sent['kind'], 'succeeded')
  assert.deepEqual(await connector.ask('account/send-back', back(sessionid)), { kind: 'unknown' })
  assert.equal(bank.refunds(), 1)
  const other = await bank.pay(notice, String(accountNumber), '76.70')
  const again = () => back(other.sessionid)
  await survivesLostResponses(connector, bank, /paymentrefund$/, 'account/send-back', again, { kind: 'unknown' })
  assert.equal(bank.refunds(), 2, 'however often it was requested')
  assert.deepEqual(await connector.ask('account/find-send-back', { reference: 'r' }), { kind: 'unknown' })
})
