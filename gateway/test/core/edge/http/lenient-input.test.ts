import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { Input } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { type LENIENT_FORMS, OTHER_NAMES, type UNSUPPORTED_FORMS } from '@kobo/contract'
import { aShop, basic, type Shop } from '../../../harness/gateway.ts'
import { aMandate } from '../../../harness/mandate-samples.ts'
import type { ApiResponse } from '../../../harness/responses.ts'
import {
  aBatch,
  aCard,
  anAccount,
  anInvoice,
  anItem,
  aReservedAccount,
  aTransaction,
  aTransfer,
  BVN,
  CARDS,
  charge,
  openTransaction,
  pay,
  reserveAccount,
} from '../../../harness/samples.ts'
import { webhookEndpoint } from '../../../harness/webhook-endpoint.ts'

const post = (shop: Shop, { method, path }: contract.Route, body: object): Promise<ApiResponse> =>
  shop.send(method, path, { body })

const replyTo = ({ status, body, text }: ApiResponse): Record<string, unknown> => {
  assert.equal(status, 200, text)
  return body.responseBody as Record<string, unknown>
}

/** The same request with fields under other names. */
const renamed = (body: object, names: Readonly<Record<string, string>>): object =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [names[name] ?? name, value]))

/** Sends a request with every other name of a route, and checks that it was understood. */
const BY_OTHER_NAMES: {
  readonly [Name in keyof typeof OTHER_NAMES]: (shop: Shop, names: (typeof OTHER_NAMES)[Name]) => Promise<void>
} = {
  initiateTransfer: async (shop, names) => {
    const body = await aTransfer(shop)
    const reply = replyTo(await post(shop, contract.initiateTransfer, renamed(body, names)))
    assert.equal(reply['destinationAccountNumber'], body.destinationAccountNumber)
  },
  initiateBatch: async (shop, names) => {
    const reply = replyTo(await post(shop, contract.initiateBatch, renamed(aBatch(shop, [anItem()]), names)))
    assert.equal(reply['totalTransactionsCount'], 1)
  },
  batchItem: async (shop, names) => {
    const item = anItem()
    const body = { ...aBatch(shop, []), transactionList: [renamed(item, names)] }
    const { batchReference } = replyTo(await post(shop, contract.initiateBatch, body))
    const params = { batchReference: String(batchReference) }
    const { content } = await shop.call(contract.listBatchTransfers, { params, query: {} })
    assert.equal(content[0]?.destinationAccountNumber, item.destinationAccountNumber)
  },
  resendTransferCode: async (shop, names) => {
    const { reference } = replyTo(await post(shop, contract.initiateTransfer, await aTransfer(shop)))
    await shop.advance(61)
    replyTo(await post(shop, contract.resendTransferCode, renamed({ reference }, names)))
  },
  resendBatchCode: async (shop, names) => {
    const { batchReference } = replyTo(await post(shop, contract.initiateBatch, aBatch(shop, [anItem()])))
    await shop.advance(61)
    replyTo(await post(shop, contract.resendBatchCode, renamed({ batchReference }, names)))
  },
  getWalletBalance: async (shop, names) => {
    const path = `${contract.getWalletBalance.path}?${names.accountNumber}=${shop.credentials.walletAccountNumber}`
    assert.equal(typeof replyTo(await shop.send('GET', path))['availableBalance'], 'number')
  },
  vendBill: async (shop, names) => {
    await shop.call(contract.changeSettings, { body: { permissions: { bills: true } } })
    const body = { productCode: 'MTN-AIRTIME', customerId: '08142223149', amount: 1_000, reference: randomUUID() }
    const reply = replyTo(await post(shop, contract.vendBill, renamed(body, names)))
    assert.deepEqual([reply['vendReference'], reply['vendAmount']], [body.reference, 1_000])
  },
  requeryBill: async (shop, names) => {
    await shop.call(contract.changeSettings, { body: { permissions: { bills: true } } })
    const body = { productCode: 'MTN-AIRTIME', customerId: '08142223149', amount: 1_000, reference: randomUUID() }
    await shop.call(contract.vendBill, { body })
    const path = `${contract.requeryBill.path}?${names.reference}=${body.reference}`
    assert.equal(replyTo(await shop.send('GET', path))['vendReference'], body.reference)
  },
  reserveAccount: (shop, names) => reserves(shop, contract.reserveAccount, aReservedAccount(shop), names),
  reserveInvoiceAccount: (shop, names) => reserves(shop, contract.reserveInvoiceAccount, aReservedAccount(shop), names),
  reserveAccountWithLimit: async (shop, names) => {
    const limits = {
      limitProfileName: 'Small',
      singleTransactionValue: 5_000,
      dailyTransactionValue: 9_000,
      dailyTransactionVolume: 3,
    }
    const { limitProfileCode } = await shop.call(contract.createLimitProfile, { body: limits })
    await reserves(shop, contract.reserveAccountWithLimit, { ...aReservedAccount(shop), limitProfileCode }, names)
  },
  initiateRefund: async (shop, names) => {
    const account = await anAccount(shop)
    await pay(shop, account, 5_000)
    const { transactionReference } = account
    const body = {
      transactionReference,
      refundAmount: 500,
      refundReference: randomUUID(),
      refundReason: 'Size',
      customerNote: 'Sorry',
      destinationAccountNumber: '0123456789',
      destinationAccountBankCode: '058',
    }
    const reply = replyTo(await post(shop, contract.initiateRefund, renamed(body, names)))
    assert.equal(reply['refundAmount'], 500)
  },
}

async function reserves(shop: Shop, route: contract.Route, body: object, names: Readonly<Record<string, string>>) {
  assert.equal(replyTo(await post(shop, route, renamed(body, names)))['bvn'], BVN)
}

for (const [name, check] of Object.entries(BY_OTHER_NAMES))
  test(`${name}: every other name of a field is read`, async () => {
    const names = OTHER_NAMES[name as keyof typeof OTHER_NAMES]
    await (check as (shop: Shop, names: object) => Promise<void>)(await aShop(), names)
  })

test('the documented name wins over another one', async () => {
  const shop = await aShop()
  const { walletAccountNumber } = shop.credentials
  const body = { ...(await aTransfer(shop)), walletId: '9999999999' }
  const { reference } = replyTo(await post(shop, contract.initiateTransfer, body))
  const transfer = await shop.call(contract.getTransfer, { query: { reference: String(reference) } })
  assert.equal(transfer.sourceAccountNumber, walletAccountNumber)
})

type Init = Input<typeof contract.initTransaction>['body']
const init = (shop: Shop, changes: object): Promise<ApiResponse> =>
  post(shop, contract.initTransaction, { ...aTransaction(shop), ...changes } as Init)

const DAY_SECONDS = 86_400
const dayAfter = (shop: Shop, days: number): string =>
  new Date(shop.core.clock.now().getTime() + days * DAY_SECONDS * 1_000).toISOString().slice(0, 10)

/** Sends every lenient form, and what is still rejected next to it. */
const BY_FORM: { readonly [Name in keyof typeof LENIENT_FORMS]: (shop: Shop) => Promise<void> } = {
  unknownMethod: async (shop) => {
    const paymentMethods = ['PHONE_NUMBER', 'CARD', 'CASH', 'QR', 'ACCOUNT_TRANSFER']
    assert.deepEqual(replyTo(await init(shop, { paymentMethods }))['enabledPaymentMethod'], [
      'CARD',
      'ACCOUNT_TRANSFER',
    ])
    const invoice = { ...anInvoice(shop, shop.core.clock.now()), paymentMethods }
    replyTo(await post(shop, contract.createInvoice, invoice))
    assert.equal((await init(shop, { paymentMethods: ['PHONE_NUMBER'] })).status, 400, 'nothing known remains')
    assert.equal((await init(shop, { paymentMethods: ['CARD', 7] })).status, 400, 'not a text')
  },
  emptyText: async (shop) => {
    const reply = replyTo(await init(shop, { redirectUrl: '', paymentMethods: null, incomeSplitConfig: null }))
    assert.equal('redirectUrl' in reply, false)
    const account = replyTo(await post(shop, contract.reserveAccount, { ...aReservedAccount(shop), nin: '' }))
    assert.equal(account['bvn'], BVN)
    const unnamed = await post(shop, contract.reserveAccount, { ...aReservedAccount(shop), bvn: '', nin: '' })
    assert.equal(unnamed.headers.get(contract.REFUSAL_HEADER), 'IDENTITY_REQUIRED', 'an empty identity is none')
    assert.equal((await init(shop, { customerEmail: '' })).status, 400, 'a required field is still required')
  },
  numberAsText: async (shop) => {
    const body = aBatch(shop, [anItem()])
    replyTo(await post(shop, contract.initiateBatch, { ...body, notificationInterval: '25' }))
    for (const notificationInterval of ['1e1', '25 ', 'many', '', '101']) {
      const response = await post(shop, contract.initiateBatch, { ...aBatch(shop, [anItem()]), notificationInterval })
      assert.equal(
        response.status,
        notificationInterval === '' ? 200 : 400,
        `${notificationInterval}: ${response.text}`,
      )
    }
  },
  flag: async (shop) => {
    const renews = async (autoRenew: unknown): Promise<unknown> => {
      const body = { ...aMandate(shop), autoRenew }
      replyTo(await post(shop, contract.createMandate, body))
      const query = { mandateReferences: body.mandateReference }
      return (await shop.call(contract.getMandates, { query }))[0]?.autoRenew
    }
    for (const yes of [1, '1', 'true']) assert.equal(await renews(yes), true)
    for (const no of [0, '0', 'false']) assert.equal(await renews(no), false)
    assert.equal((await post(shop, contract.createMandate, { ...aMandate(shop), autoRenew: 'yes' })).status, 400)
    const banks = await post(shop, contract.reserveAccount, { ...aReservedAccount(shop), getAllAvailableBanks: 1 })
    assert.equal((replyTo(banks)['accounts'] as readonly unknown[]).length, 3)
  },
  day: async (shop) => {
    const expiryDate = dayAfter(shop, 3)
    const invoice = replyTo(
      await post(shop, contract.createInvoice, { ...anInvoice(shop, shop.core.clock.now()), expiryDate }),
    )
    assert.equal(invoice['expiryDate'], `${expiryDate} 23:59:59`)
    const dates = { mandateStartDate: dayAfter(shop, 2), mandateEndDate: dayAfter(shop, 40) }
    const body = { ...aMandate(shop), ...dates }
    replyTo(await post(shop, contract.createMandate, body))
    const query = { mandateReferences: body.mandateReference }
    const [mandate] = await shop.call(contract.getMandates, { query })
    const start = new Date(`${dates.mandateStartDate}T00:00:00+01:00`)
    assert.equal(new Date(mandate?.startDate.replace('+0000', 'Z') ?? 0).getTime(), start.getTime())
    const impossible = { ...anInvoice(shop, shop.core.clock.now()), expiryDate: '2031-02-30' }
    assert.equal((await post(shop, contract.createInvoice, impossible)).status, 400)
  },
  expiryAsNumber: async (shop) => {
    const card = { ...aCard(CARDS.success), expiryMonth: 9, expiryYear: 2031 }
    const body = { transactionReference: await openTransaction(shop), card }
    assert.equal(replyTo(await post(shop, contract.chargeCard, body))['status'], 'SUCCESS')
    const wrong = { transactionReference: await openTransaction(shop), card: { ...card, expiryMonth: 13 } }
    assert.equal((await post(shop, contract.chargeCard, wrong)).status, 400)
  },
  bodyOfLogin: async (shop) => {
    const { method, path } = contract.login
    const authorization = basic(shop.credentials)
    for (const [type, body] of [
      ['application/x-www-form-urlencoded', '0=a&1=b'],
      ['"application/json"', '[]'],
      ['application/json', '{'],
      ['text/plain', 'hello'],
    ] as const) {
      const response = await shop.send(method, path, { headers: { authorization, 'content-type': type }, body })
      assert.equal(typeof replyTo(response)['accessToken'], 'string', type)
    }
    const unknown = await shop.send(method, path, {
      headers: { authorization: '', 'content-type': 'text/plain' },
      body: '{',
    })
    assert.equal(unknown.status, 401)
  },
  cardOf3dSecure: async (shop) => {
    const { apiKey } = shop.credentials
    const transactionReference = await openTransaction(shop)
    const early = await post(shop, contract.authorizeSecure3d, { transactionReference, apiKey })
    assert.equal(early.status, 422, 'no charge has a card yet')
    await charge(shop, transactionReference, CARDS.secure3d)
    const reply = replyTo(await post(shop, contract.authorizeSecure3d, { transactionReference, apiKey }))
    assert.equal(reply['status'], 'BANK_AUTHORIZATION_REQUIRED')
  },
  accountByNumber: async (shop) => {
    const { accountNumber, accountReference } = await reserveAccount(shop)
    const path = '/api/v1/bank-transfer/reserved-accounts'
    const other = await shop.anotherMerchant()
    assert.equal((await other.send('DELETE', `${path}/${accountNumber}`)).status, 400, 'of another merchant')
    const reply = replyTo(await shop.send('DELETE', `${path}/${accountNumber}`))
    assert.equal(reply['accountReference'], accountReference)
    assert.equal((await shop.send('DELETE', `${path}/reference/${accountNumber}`)).status, 400, 'only once')
  },
}

for (const [name, check] of Object.entries(BY_FORM))
  test(`lenient input, ${name}: it is read, and mistakes next to it are rejected`, async () => check(await aShop()))

/** Sends what older clients expect and Kobo does not have. */
const UNSUPPORTED: {
  readonly [Name in keyof typeof UNSUPPORTED_FORMS]: (shop: Shop, t: TestContext) => Promise<void>
} = {
  transactionHash: async (shop, t) => {
    const endpoint = await webhookEndpoint(t)
    await shop.call(contract.changeSettings, { body: { webhookUrl: endpoint.url } })
    await pay(shop, await anAccount(shop), 5_000)
    const [received] = await endpoint.count(1)
    assert.doesNotMatch(received?.body ?? 'nothing received: transactionHash', /transactionHash/)
  },
  noAuthorization: async (shop) => {
    const path = `${contract.validateAccount.path}?accountNumber=0123456789&bankCode=058`
    assert.equal((await shop.send('GET', path, { headers: { authorization: '' } })).status, 401)
  },
  restrictedToNoSource: async (shop) => {
    for (const sources of [{}, { allowedPaymentSources: {} }, { allowedPaymentSources: { bvns: [] } }]) {
      const body = { ...aReservedAccount(shop), restrictPaymentSource: true, ...sources }
      assert.equal((await post(shop, contract.reserveAccount, body)).status, 400, JSON.stringify(sources))
    }
  },
  directDebitOnly: async (shop) => {
    assert.equal((await init(shop, { paymentMethods: ['DIRECT_DEBIT'] })).status, 422)
  },
  pageWithoutOrigin: async (shop) => {
    const { apiKey, contractCode } = shop.credentials
    const customer = { customerFullName: 'Ada Obi', customerEmail: 'ada@example.com' }
    const body = { ...customer, apiKey, contractCode, amount: 7_500, currency: 'NGN', reference: randomUUID() }
    const { method, path } = contract.inlineCheckout
    const response = await shop.send(method, path, { headers: { authorization: '', origin: 'null' }, body })
    assert.equal(response.headers.get(contract.REFUSAL_HEADER), 'INVALID_ORIGIN')
  },
  amountAsText: async (shop) => {
    await pay(shop, await anAccount(shop), 5_000)
    const { content } = await shop.call(contract.searchTransactions, { query: {} })
    assert.equal(content[0]?.amountPaid, 5_000)
  },
}

for (const [name, check] of Object.entries(UNSUPPORTED))
  test(`older clients, ${name}: it is not supported`, async (t) => check(await aShop(), t))

test('settings are read as they are sent: an empty text is an error, and null resets', async () => {
  const shop = await aShop()
  const wrong = await post(shop, contract.changeMerchantSettings, { webhookUrl: '' })
  assert.equal(wrong.status, 400)
})
