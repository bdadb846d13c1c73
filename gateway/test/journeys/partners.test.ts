import assert from 'node:assert/strict'
import * as contract from '@kobo/contract'
import { CREDENTIALS, ninePsb } from '../../../connectors/test/simulators/9psb.ts'
import { BVN, CLIENT, easyPay, MANDATE } from '../../../connectors/test/simulators/easypay.ts'
import { verifyLedger } from '../../src/app/ledger.ts'
import { addSource } from '../../src/core/account-numbers/index.ts'
import { updateMerchant } from '../../src/core/merchants/index.ts'
import { isClean } from '../../src/core/money/ledger/index.ts'
import { unitOfWork } from '../../src/core/unit-of-work.ts'
import { wallClock } from '../../src/kernel/clock.ts'
import { hidden } from '../../src/kernel/hidden.ts'
import { openPost } from '../../src/platform/http/post-json.ts'
import { requestSigned } from '../../src/rails/http/index.ts'
import { gateway } from '../harness/gateway.ts'
import { startProgram } from '../harness/processes.ts'
import { proxyFor } from '../harness/proxy-for.ts'
import { balancesOf, openTransaction, statusOf, transferTo } from '../harness/samples.ts'
import { slow } from '../harness/slow.ts'
import { until } from '../harness/until.ts'

const CODES = ['sandbox', 'easypay', '9psb'] as const
const secretOf = (code: string): string => `a-secret-between-the-gateway-and-${code}`
const SECRETS = CODES.map((code) => `${code}=${secretOf(code)}`).join(',')

slow(
  'live with two real banks’ protocols: transfers over NIP, account numbers issued by 9PSB, and returned money',
  async (t) => {
    const [nibss, bank, door] = [await easyPay(t), await ninePsb(t), await proxyFor(t)]
    const shop = await gateway(t, {
      hasCheckedBooks: true,
      wall: wallClock,
      env: {
        KOBO_ENVIRONMENT: 'live',
        KOBO_RAILS_URL: CODES.map((code) => `${code}=${door.url}/${code}`).join(','),
        KOBO_RAILS_SECRET: SECRETS,
        KOBO_RAILS_PROTOCOL: '2',
      },
    })
    const program = startProgram(t, 'connectors/src/main.ts', [], {
      PORT: '0',
      KOBO_CONNECTORS: 'easypay?test,9psb?test,sandbox?capabilities=credits',
      KOBO_RAILS_SECRET: SECRETS,
      KOBO_GATEWAY_URL: shop.url,
      LOG_LEVEL: 'warn',
      ...{ KOBO_EASYPAY_URL: nibss.url, KOBO_EASYPAY_CLIENT_ID: CLIENT.id, KOBO_EASYPAY_CLIENT_SECRET: CLIENT.secret },
      ...{
        KOBO_EASYPAY_SCOPE: CLIENT.scope,
        KOBO_EASYPAY_INSTITUTION: '090999',
        KOBO_EASYPAY_SOURCE_INSTITUTION: '000023',
      },
      ...{
        KOBO_EASYPAY_ORIGINATOR_NAME: 'KOBO',
        KOBO_EASYPAY_ORIGINATOR_ACCOUNT: '0112345678',
        KOBO_EASYPAY_BILLER_ID: '362',
      },
      ...{ KOBO_EASYPAY_ORIGINATOR_BVN: BVN, KOBO_EASYPAY_MANDATE: MANDATE },
      ...{
        KOBO_9PSB_URL: bank.url,
        KOBO_9PSB_PUBLIC_KEY: CREDENTIALS.publickey,
        KOBO_9PSB_PRIVATE_KEY: CREDENTIALS.privatekey,
      },
      ...{ KOBO_9PSB_NOTICE_USER: CREDENTIALS.user, KOBO_9PSB_NOTICE_PASSWORD: CREDENTIALS.password },
    })
    const url = await program.says(/ready at (\S+)/)
    door.forwardTo(Number(new URL(url).port))
    const { post, close } = openPost({ allowPrivate: true, timeoutMilliseconds: 120_000, excerptLengthMax: 1_000_000 })
    t.after(close)
    const control = async (name: string, body: object) => {
      const options = { url: `${url}/sandbox`, keys: { secret: hidden(secretOf('sandbox')) }, wall: wallClock, post }
      const { text, reason } = await requestSigned(options, `control/${name}`, JSON.stringify(body))
      return JSON.parse(text ?? assert.fail(`${name}: ${reason}`))
    }
    const merchant = await shop.anotherMerchant(['transfers'])
    const { id } =
      (await shop.core.directory.byApiKey(merchant.credentials.apiKey)) ?? assert.fail('there is a merchant')
    await shop.core.directory.change(id, ({ tx }) => updateMerchant(tx, id, { otpEnabled: false }))

    // Money to send, reported by another partner.
    const { walletAccountNumber: accountNumber } = merchant.credentials
    await control('credit', { credit: { railReference: 'c', bankCode: '50515', accountNumber, amount: 100_000_00 } })
    assert.equal((await balancesOf(merchant)).availableBalance, 100_000)

    // Transfers over NIP: a query derives the same id as the send.
    assert.equal((await transferTo(merchant, '789')).status, 'SUCCESS')
    nibss.loseResponse('lost', /fundstransfer$/)
    const { reference, status } = await transferTo(merchant, '789', { amount: 1_500 })
    assert.equal(status, 'PENDING')
    await control('tell', { reference: 'only its own partner reports an order' })
    await shop.db`update rail_order set due_at = ${shop.core.clock.now()} where state = 'SENT'`
    await until(
      'it is found',
      async () => (await merchant.call(contract.getTransfer, { query: { reference } })).status === 'SUCCESS',
    )
    assert.equal(nibss.sent(), 2)
    assert.equal(new Set(nibss.ids()).size, 2)

    // A number that the bank issues, for a payment that it then reports.
    await unitOfWork(shop.core, (unit) =>
      addSource(
        unit,
        {
          ...{ kind: 'issued', code: 'nine', partner: '9psb', bankCode: '120001', forWallets: false },
          ...{ prefix: null, checkDigit: null, restDays: null, settlementAccount: null },
        },
        false,
      ),
    )
    const transactionReference = await openTransaction(merchant)
    const body = { transactionReference, bankCode: '120001' }
    let number = ''
    await until('the bank has issued a number', async () => {
      const response = await merchant.send('POST', contract.initBankTransfer.path, { body })
      const { accountNumber: issued, amount } = JSON.parse(response.text).responseBody ?? {}
      if (response.status === 200) number = `${issued} ${amount}`
      return response.status === 200
    })
    const [issued = '', amount = ''] = number.split(' ')
    assert.ok(bank.accounts.has(issued))
    const pay = (): ReturnType<typeof bank.pay> =>
      bank.pay(`${url}/callbacks/9psb/notice`, issued, Number(amount).toFixed(2))
    assert.equal((await pay()).code, '00')
    assert.equal((await statusOf(merchant, transactionReference)).paymentStatus, 'PAID')

    // Paid twice: the second payment is owed to its payer, and is returned by the bank's own refund.
    assert.equal((await pay()).code, '00')
    await until('the payment is returned', async () => {
      const [row] = await shop.db<{ state: string }[]>`select state from credit_return`
      return row?.state === 'RETURNED'
    })
    assert.equal(bank.refunds(), 1)
    const verdict = await verifyLedger(shop.db)
    assert.ok(isClean(verdict), JSON.stringify(verdict))
  },
)
