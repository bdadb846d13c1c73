import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  aTransfer,
  connected,
  findsTransferAfterLostResponse,
  logsNoSecrets,
  passesAdapterTest,
} from '../conformance.ts'
import { KEYS, SOURCE, wema } from '../simulators/wema.ts'

async function world(t: TestContext, more: Record<string, string> = {}) {
  const bank = await wema(t)
  const connector = await connected(t, 'wema', {
    URL: bank.url,
    AUTH_KEY: KEYS.auth,
    API_KEY: KEYS.api,
    STATUS_PATH: '/transfers/',
    TRANSFER_KEY: KEYS.transfer,
    SOURCE_ACCOUNT: SOURCE,
    TRIAL_ACCOUNT: '058/0123456789',
    ...more,
  })
  return { bank, connector, at: (path: string) => `${connector.callbackUrl}/${path}` }
}

test('the connector to Wema passes the adapter test; a transfer is accepted, and completes when the bank says so', async (t) => {
  const { bank, connector, at } = await world(t)
  assert.deepEqual(await passesAdapterTest(connector), ['one effect', 'unknown', 'limits', 'amount', 'one return'])
  await findsTransferAfterLostResponse(connector, bank, /^\/transfers$/, bank.sent)
  const sent = bank.sent()
  const transfer = aTransfer()
  for (let time = 0; time < 3; time++)
    assert.deepEqual(await connector.ask('transfer/send', transfer), { kind: 'unknown' })
  assert.equal(bank.sent(), sent + 1, 'a repeated send has one effect')
  for (const [status, kind] of [
    ['Failed', 'failed'],
    ['Pending', 'unknown'],
    ['Reversed', 'reversed'],
    ['Odd', 'unknown'],
  ] as const) {
    bank.settleAs(status)
    const other = aTransfer()
    assert.deepEqual(await connector.ask('transfer/send', other), { kind: 'unknown' })
    assert.equal((await connector.ask('transfer/find', other))['kind'], kind, status)
  }
  const outcome = { transactionReference: 'KFDS00020260301093000000001ABCDEF', status: 'Failed' }
  assert.equal((await bank.call(at('outcome'), outcome, 'guessed')).status, 401)
  assert.equal((await bank.call(at('outcome'), outcome)).body['status'], '00')
  assert.deepEqual(connector.notifications, [
    { operation: 'outcomes', notice: { reference: outcome.transactionReference } },
  ])
  logsNoSecrets(connector, KEYS.auth, KEYS.api, KEYS.transfer)
})

test('transfers that the bank cannot be queried about are not offered', async (t) => {
  const { connector } = await world(t, { STATUS_PATH: '' })
  assert.deepEqual(await connector.ask('transfer/send', aTransfer()), { kind: 'unsupported' })
})

test('the gateway says who owns a number; the operator configures how it is returned', async (t) => {
  const { bank, connector, at } = await world(t)
  const request = { accountnumber: '9910000003', bankcode: '035' }
  assert.equal((await bank.call(at('name-enquiry'), request, 'guessed')).status, 401)
  assert.deepEqual((await bank.call(at('name-enquiry'), request)).body, {
    accountname: '',
    status: '07',
    status_desc: 'invalid account',
  })
  connector.respondWith({ kind: 'found', accountName: 'Demo "Shop" {code}' })
  assert.deepEqual((await bank.call(at('name-enquiry'), request)).body, {
    accountname: 'Demo "Shop" {code}',
    status: '00',
    status_desc: 'success',
  })
  assert.deepEqual(connector.notifications.at(-1), {
    operation: 'name-enquiry',
    notice: { bankCode: '035', accountNumber: '9910000003' },
  })
  const other = await world(t, { ENQUIRY_REPLY: '{"responseCode":"{code}","data":{"accountName":"{name}"}}' })
  assert.deepEqual((await other.bank.call(other.at('name-enquiry'), request)).body, {
    responseCode: '07',
    data: { accountName: '' },
  })
})

test('a notification is accepted if the bank has the payment', async (t) => {
  const { bank, connector, at } = await world(t)
  const notice = bank.notice('9910000003', '76.70')
  assert.equal((await bank.call(at('notice'), notice, 'guessed')).status, 401)
  assert.equal((await bank.call(at('notice'), { ...notice, amount: '7670.00' })).body['status'], '96')
  assert.equal((await bank.call(at('notice'), { ...notice, craccount: '9910000004' })).body['status'], '96')
  assert.equal((await bank.call(at('notice'), { ...notice, amount: 'much' })).body['status'], '30')
  assert.equal((await bank.call(at('notice'), bank.notice('9910000003', '5.00', false))).body['status'], '96')
  assert.deepEqual(connector.notifications, [])
  assert.equal((await bank.call(at('notice'), notice)).body['status'], '00')
  assert.deepEqual(connector.notifications, [
    {
      operation: 'credits',
      notice: {
        railReference: notice['sessionid'],
        bankCode: '035',
        accountNumber: '9910000003',
        amount: 76_70,
        payer: { name: 'ADA OBI', accountNumber: '0123456789', bankCode: '058', bvn: null },
        narration: 'Shoes',
        arrivedAt: '2026-03-01T09:30:00.000Z',
      },
    },
  ])
  logsNoSecrets(connector, KEYS.auth, KEYS.api)
})
