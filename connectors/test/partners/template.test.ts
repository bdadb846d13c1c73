import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { slow } from '../../../gateway/test/harness/slow.ts'
import { templateKind } from '../../src/partners/template/index.ts'
import {
  aTransfer,
  connected,
  findsTransferAfterLostResponse,
  logsNoSecrets,
  passesAdapterTest,
} from '../conformance.ts'
import { BANK_SECRET, templateBank } from '../simulators/template.ts'

async function world(t: TestContext) {
  const bank = await templateBank(t)
  const settings = { URL: bank.url, SECRET: BANK_SECRET, TRIAL_ACCOUNT: '058/0123456789' }
  // A built-in connector is found by its name: omit the last argument.
  return { bank, connector: await connected(t, 'template', settings, { template: templateKind }) }
}

slow('the template passes the adapter test, and is careful when its bank does not respond', async (t) => {
  const { bank, connector } = await world(t)
  assert.deepEqual(await passesAdapterTest(connector), ['unknown', 'one return'])
  assert.deepEqual(await connector.ask('transfer/send', aTransfer('0000000051')), {
    kind: 'failed',
    reason: 'No funds',
  })
  await findsTransferAfterLostResponse(connector, bank, /^\/transfers$/, bank.sent)
  const enquiry = (accountNumber: string) => connector.ask('transfer/name-enquiry', { bankCode: '058', accountNumber })
  assert.deepEqual(await enquiry('0123456789'), { kind: 'found', accountName: 'ADA OBI' })
  assert.deepEqual(await enquiry('0000000000'), { kind: 'not found' })
  logsNoSecrets(connector, BANK_SECRET)
})

test('the template forwards a notification if it is signed', async (t) => {
  const { bank, connector } = await world(t)
  const url = `${connector.callbackUrl}/notice`
  const sender = { name: 'ADA OBI', account: '0123456789', bank: '000013' }
  const notice = {
    session: '000013260301093000000000000001',
    account: '9910000003',
    amount: '76.70',
    time: '2026-03-01 10:30:00',
    narration: 'Shoes',
    sender,
  }
  assert.deepEqual(await bank.notify(url, notice, 'another'), { status: 401, code: '63' })
  assert.deepEqual(await bank.notify(url, { ...notice, amount: '-1' }), { status: 400, code: '30' })
  assert.deepEqual(connector.notifications, [])
  assert.deepEqual(await bank.notify(url, notice), { status: 200, code: '00' })
  assert.deepEqual(connector.notifications, [
    {
      operation: 'credits',
      notice: {
        railReference: notice.session,
        bankCode: '058',
        accountNumber: notice.account,
        amount: 76_70,
        payer: { name: 'ADA OBI', accountNumber: '0123456789', bankCode: '058', bvn: null },
        narration: 'Shoes',
        arrivedAt: '2026-03-01T09:30:00.000Z',
      },
    },
  ])
})
