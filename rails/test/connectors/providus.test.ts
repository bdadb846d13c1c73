import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { hidden } from '../../../gateway/src/kernel/hidden.ts'
import { signatureOf } from '../../src/connectors/providus/index.ts'
import {
  aTransfer,
  connected,
  isCarefulWhenSilent,
  isFoundAfterSilence,
  keepsSecrets,
  passesTrial,
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

test('the signature is the one that the bank has published for its test client', () => {
  assert.equal(signatureOf(CLIENT.id, hidden(CLIENT.secret)), CLIENT.signature)
})

test('the connector to Providus passes the trial; transfers whose answers are lost are found', async (t) => {
  const { bank, connector } = await world(t)
  assert.deepEqual(await passesTrial(connector), ['unknown', 'amount', 'one return'])
  await isFoundAfterSilence(connector, bank, /NIPFundTransfer$/, bank.sent)
  assert.deepEqual(await connector.ask('transfer/send', aTransfer('0000000051')), {
    kind: 'failed',
    reason: 'No sufficient funds',
  })
  assert.equal((await connector.ask('transfer/send', aTransfer('0123456789', '101')))['kind'], 'not sent')
  const named = (accountNumber: string) => connector.ask('transfer/name-enquiry', { bankCode: '058', accountNumber })
  assert.deepEqual(await named('0123456789'), { kind: 'found', accountName: 'ADA OBI' })
  assert.deepEqual(await named('0000000000'), { kind: 'not found' })
  keepsSecrets(connector, CLIENT.secret, CLIENT.signature, POSTING.password)
})

test('without an address for transfers none are offered', async (t) => {
  const { connector } = await world(t, { TRANSFER_URL: '' })
  assert.deepEqual(await connector.ask('transfer/send', aTransfer()), { kind: 'unsupported' })
})

test('numbers are opened, named, and given up where the answer is lost', async (t) => {
  const { bank, connector } = await world(t)
  const before = Date.now()
  const opened = await connector.ask('account/open', anOpening())
  const accountNumber = String(opened['accountNumber'])
  assert.deepEqual(
    [opened['kind'], opened['accountName'], bank.names.get(accountNumber)],
    ['opened', 'MERCHANT(Two pairs of shoes)', 'Two pairs of shoes'],
  )
  const lifeMilliseconds = Date.parse(String(opened['closesAt'])) - before
  assert.ok(lifeMilliseconds >= 600_000, 'ten minutes from when it was asked for')
  const fixed = anOpening({ kind: 'STATIC', customer: { name: null, email: null, bvn: '22222222222', nin: null } })
  assert.equal((await connector.ask('account/open', fixed))['closesAt'], null)
  assert.deepEqual(await connector.ask('account/open', anOpening({ kind: 'STATIC' })), {
    kind: 'refused',
    reason: 'BVN is required',
  })
  await isCarefulWhenSilent(connector, bank, /PiPCreateDynamic/, 'account/open', anOpening, {
    kind: 'refused',
    reason: 'The bank did not say which number it has opened',
  })
  const issued = { reference: 'KFVA1', bankCode: '101', accountNumber }
  assert.deepEqual(await connector.ask('account/rename', { ...issued, accountName: 'Boots' }), { kind: 'done' })
  assert.equal(bank.names.get(accountNumber), 'Boots')
  assert.deepEqual(await connector.ask('account/close', issued), { kind: 'unsupported' })
  keepsSecrets(connector, CLIENT.secret, CLIENT.signature, '22222222222')
})

test('a notice is believed when the bank says the same, whatever is signed', async (t) => {
  const { bank, connector, notice } = await world(t)
  const paid = await bank.pay(notice, '9920000001')
  assert.deepEqual([paid.status, paid.code], [200, '00'])
  assert.deepEqual(connector.told, [
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
      },
    },
  ])
  for (const [otherwise, status, code] of [
    [{ signature: 'A'.repeat(128) }, 401, '02'],
    [{ isUnknown: true }, 200, '03'],
    [{ told: { transactionAmount: '100500' } }, 200, '03'],
    [{ told: { accountNumber: '9920000009' } }, 200, '03'],
    [{ told: { settlementId: '1' } }, 200, '03'],
    [{ told: { transactionAmount: '1e9' } }, 200, '02'],
  ] as const) {
    const answer = await bank.pay(notice, '9920000001', otherwise)
    assert.deepEqual([answer.status, answer.code], [status, code], JSON.stringify(otherwise))
  }
  assert.equal(connector.told.length, 1)
  keepsSecrets(connector, CLIENT.secret, CLIENT.signature)
})
