import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { hidden } from '../../../gateway/src/kernel/hidden.ts'
import { signatureOf } from '../../src/partners/providus/index.ts'
import {
  aTransfer,
  connected,
  findsTransferAfterLostResponse,
  logsNoSecrets,
  passesAdapterTest,
  survivesLostResponses,
} from '../conformance.ts'
import { CLIENT, POSTING, providus } from '../simulators/providus.ts'

async function world(t: TestContext, more: Record<string, string> = {}) {
  const bank = await providus(t)
  const connector = await connected(t, 'providus', {
    URL: bank.url,
    CLIENT_ID: CLIENT.id,
    CLIENT_SECRET: CLIENT.secret,
    TRANSFER_URL: `${bank.url}/posting`,
    TRANSFER_USER: POSTING.user,
    TRANSFER_PASSWORD: POSTING.password,
    TRIAL_ACCOUNT: '058/0123456789',
    ...more,
  })
  return { bank, connector, notice: `${connector.callbackUrl}/notice` }
}

const anOpening = (more: object = {}) => ({
  reference: 'KFVA1',
  bankCode: '101',
  kind: 'DYNAMIC',
  accountName: 'Two pairs of shoes',
  expiresAt: null,
  customer: null,
  ...more,
})

test('the signature matches the one that the bank published for its test client', () => {
  assert.equal(signatureOf(CLIENT.id, hidden(CLIENT.secret)), CLIENT.signature)
})

test('the connector to Providus passes the adapter test; transfers without a response are found', async (t) => {
  const { bank, connector } = await world(t)
  assert.deepEqual(await passesAdapterTest(connector), ['unknown', 'limits', 'amount', 'one return'])
  await findsTransferAfterLostResponse(connector, bank, /NIPFundTransfer$/, bank.sent)
  assert.deepEqual(await connector.ask('transfer/send', aTransfer('0000000051')), {
    kind: 'failed',
    reason: 'No sufficient funds',
  })
  assert.equal((await connector.ask('transfer/send', aTransfer('0123456789', '101')))['kind'], 'not sent')
  const named = (accountNumber: string) => connector.ask('transfer/name-enquiry', { bankCode: '058', accountNumber })
  assert.deepEqual(await named('0123456789'), { kind: 'found', accountName: 'ADA OBI' })
  assert.deepEqual(await named('0000000000'), { kind: 'not found' })
  logsNoSecrets(connector, CLIENT.secret, CLIENT.signature, POSTING.password)
})

test('without a URL for transfers none are offered', async (t) => {
  const { connector } = await world(t, { TRANSFER_URL: '' })
  assert.deepEqual(await connector.ask('transfer/send', aTransfer()), { kind: 'unsupported' })
})

test('account numbers are opened and looked up, and abandoned if the response is lost', async (t) => {
  const { bank, connector } = await world(t)
  const before = Date.now()
  const opened = await connector.ask('account/open', anOpening())
  const accountNumber = String(opened['accountNumber'])
  assert.deepEqual(
    [opened['kind'], opened['accountName'], bank.names.get(accountNumber)],
    ['opened', 'MERCHANT(Two pairs of shoes)', 'Two pairs of shoes'],
  )
  const lifeMilliseconds = Date.parse(String(opened['closesAt'])) - before
  assert.ok(lifeMilliseconds >= 600_000, 'ten minutes from the request')
  const fixed = anOpening({ kind: 'STATIC', customer: { name: null, email: null, bvn: '22222222222', nin: null } })
  assert.equal((await connector.ask('account/open', fixed))['closesAt'], null)
  assert.deepEqual(await connector.ask('account/open', anOpening({ kind: 'STATIC' })), {
    kind: 'refused',
    reason: 'BVN is required',
  })
  await survivesLostResponses(connector, bank, /PiPCreateDynamic/, 'account/open', anOpening, {
    kind: 'refused',
    reason: 'The bank did not say which number it has opened',
  })
  const issued = { reference: 'KFVA1', bankCode: '101', accountNumber }
  assert.deepEqual(await connector.ask('account/rename', { ...issued, accountName: 'Boots' }), { kind: 'done' })
  assert.equal(bank.names.get(accountNumber), 'Boots')
  assert.deepEqual(await connector.ask('account/close', issued), { kind: 'unsupported' })
  logsNoSecrets(connector, CLIENT.secret, CLIENT.signature, '22222222222')
})

test('a notification is accepted if the bank confirms it, whatever its signature', async (t) => {
  const { bank, connector, notice } = await world(t)
  const paid = await bank.pay(notice, '9920000001')
  assert.deepEqual([paid.status, paid.code], [200, '00'])
  assert.deepEqual(connector.notifications, [
    {
      operation: 'credits',
      notice: {
        railReference: paid.sessionId,
        bankCode: '101',
        accountNumber: '9920000001',
        amount: 100_50,
        payer: { name: 'ADA OBI', accountNumber: '0123456789', bankCode: null, bvn: null },
        narration: 'FROM ADA OBI TO SHOP',
        fee: 1_00,
        vat: 7,
        arrivedAt: '2026-03-01T10:30:52.000Z',
      },
    },
  ])
  for (const [otherwise, status, code] of [
    [{ signature: 'A'.repeat(128) }, 401, '02'],
    [{ isUnknown: true }, 200, '03'],
    [{ altered: { transactionAmount: '100500' } }, 200, '03'],
    [{ altered: { accountNumber: '9920000009' } }, 200, '03'],
    [{ altered: { settlementId: '1' } }, 200, '03'],
    [{ altered: { transactionAmount: '1e9' } }, 200, '02'],
  ] as const) {
    const response = await bank.pay(notice, '9920000001', otherwise)
    assert.deepEqual([response.status, response.code], [status, code], JSON.stringify(otherwise))
  }
  assert.equal(connector.notifications.length, 1)
  logsNoSecrets(connector, CLIENT.secret, CLIENT.signature)
})
