import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { DASHBOARD_ROUTES, PERMISSIONS, ROUTES, type Route } from '@kobo/contract'
import { coverApi } from '../../../harness/approval-samples.ts'
import { openDispute } from '../../../harness/dispute-samples.ts'
import { type Client, gateway, type TestGateway } from '../../../harness/gateway.ts'
import { anActiveMandate, daysAfter } from '../../../harness/mandate-samples.ts'
import { paid, refund } from '../../../harness/refund-samples.ts'
import {
  aBatch,
  advanceToHour,
  anAccount,
  anInvoice,
  anItem,
  aPaymentLink,
  aTransfer,
  BVN,
  pay,
  reserveAccount,
} from '../../../harness/samples.ts'
import { aTeamMember, type TestUser } from '../../../harness/users.ts'

/** Routes that return the same to every merchant. */
const SAME_FOR_ALL: ReadonlySet<Route> = new Set<Route>([
  contract.validateAccount,
  contract.listBillerCategories,
  contract.listBillers,
  contract.listBillerProducts,
  contract.listBanks,
  contract.readClock,
  contract.getTransferFee,
])

const PDF = Buffer.from('%PDF-1.4 a receipt').toString('base64')

/** Routes that require one of several filters. */
const NEEDS_A_FILTER: ReadonlySet<Route> = new Set<Route>([
  contract.queryTransaction,
  contract.getCustomerWalletBalance,
  contract.listWalletTransactions,
])

/** A customer of the first merchant, whom no other merchant may see. */
const NAME = `Zubaida ${randomUUID().slice(0, 8)}`
const EMAIL = `zubaida-${randomUUID().slice(0, 8)}@example.com`

/** One of everything that a merchant can have: values for the parameters of routes, by name or by route and name. */
async function oneOfEverything(shop: TestGateway, owner: TestUser): Promise<Readonly<Record<string, string>>> {
  const checked = { scenario: NAME, isPassed: true, problem: null, guide: '/docs/guides/webhooks' }
  await shop.call(contract.saveReport, { body: { score: 100, seed: 1, results: [checked] } })
  const customer = { customerName: NAME, customerEmail: EMAIL }
  // No server listens there.
  await shop.call(contract.changeSettings, { body: { webhookUrl: 'http://127.0.0.1:1/' } })
  const account = await anAccount(shop, customer)
  await pay(shop, account, 5_000, { senderName: NAME })
  const { transactionReference } = account
  const { paymentReference } = await shop.call(contract.getTransaction, { params: { transactionReference } })
  const { refundReference } = await refund(shop, transactionReference, { refundReason: NAME })
  const { disputeReference } = await openDispute(shop, await paid(shop, 5_000), { disputeReason: NAME })
  const contested = await shop.call(contract.submitEvidence, {
    params: { disputeReference },
    body: { text: NAME, files: [{ name: `${NAME}.pdf`, type: 'application/pdf', content: PDF }] },
  })
  const reserved = await reserveAccount(shop, { ...customer, accountName: NAME })
  await pay(shop, reserved, 2_500, { senderName: NAME })
  const { tillReference } = await owner.call(contract.createTill, { body: { name: NAME, bvn: BVN } })
  const invoice = await shop.call(contract.createInvoice, { body: anInvoice(shop, shop.core.clock.now(), customer) })
  const link = await shop.call(contract.createPaymentLink, { body: aPaymentLink(shop, { title: NAME }) })
  const mandate = await anActiveMandate(shop, { customerName: NAME, customerEmailAddress: EMAIL })
  const debit = await shop.call(contract.debitMandate, {
    body: {
      paymentReference: `debit-${randomUUID()}`,
      mandateCode: mandate.mandateCode,
      debitAmount: '5000',
      narration: NAME,
      customerEmail: EMAIL,
    },
  })
  await shop.call(contract.createSubAccounts, {
    body: [
      {
        currencyCode: 'NGN',
        accountNumber: '0123456789',
        bankCode: '058',
        email: EMAIL,
        defaultSplitPercentage: 20,
      },
    ],
  })
  const { endpoint } = await shop.call(contract.createWebhookEndpoint, {
    body: { url: 'https://shop.example/more', description: NAME },
  })
  await shop.call(contract.createLimitProfile, {
    body: {
      limitProfileName: NAME,
      singleTransactionValue: 1_000,
      dailyTransactionValue: 2_500,
      dailyTransactionVolume: 4,
    },
  })
  const spent = await spend(shop)
  await owner.call(contract.changeReports, { body: { dailySettlement: true } })
  await owner.call(contract.chooseNotifications, {
    params: { topic: 'WEBHOOKS' },
    body: { isOnScreen: false, isByMail: true },
  })
  await advanceToHour(shop, 23, 0)
  const waiting = await aTransfer(shop, { narration: NAME })
  await (await aTeamMember(shop, 'finance')).call(contract.initiateTransfer, { body: waiting })
  await coverApi(shop)
  const [settlement] = (await shop.call(contract.listSettlements, { query: {} })).content
  const [event] = (await shop.call(contract.listMerchantEvents, { query: {} })).content
  const [request] = (await shop.call(contract.listMerchantRequests, { query: {} })).content
  return {
    ...spent,
    endpointId: endpoint.id,
    transactionReference,
    paymentReference,
    refundReference,
    disputeReference,
    fileId: contested.evidence?.files[0]?.fileId ?? '',
    accountReference: reserved.accountReference,
    reservedAccountReference: reserved.accountReference,
    tillReference,
    invoiceReference: invoice.invoiceReference,
    linkReference: link.linkReference,
    mandateReferences: mandate.mandateReference,
    'getDebitStatus paymentReference': debit.paymentReference,
    customerEmail: EMAIL,
    customer: EMAIL,
    accountNumber: shop.credentials.walletAccountNumber,
    sourceAccountNumber: shop.credentials.walletAccountNumber,
    'validateAccount accountNumber': '0123456789',
    bankCode: '058',
    amount: '5000',
    'findSettledTransactions reference': settlement?.settlementReference ?? '',
    'getMerchantEvent id': event?.id ?? '',
    'getMerchantRequest id': request?.id ?? '',
    text: transactionReference,
    'getTotals from': daysAfter(shop.core.clock.now(), -30),
    list: 'transactions',
  }
}

/** Sends money in every way. */
async function spend(shop: TestGateway): Promise<Readonly<Record<string, string>>> {
  const transfer = await aTransfer(shop, { narration: NAME })
  await shop.call(contract.initiateTransfer, { body: transfer })
  const batch = aBatch(shop, [anItem({ narration: NAME })], { title: NAME })
  await shop.call(contract.initiateBatch, { body: batch })
  const wallet = await shop.call(contract.createWallet, {
    body: {
      walletReference: `wallet-${randomUUID()}`,
      walletName: NAME,
      customerName: NAME,
      customerEmail: EMAIL,
      bvnDetails: { bvn: '22222222226', bvnDateOfBirth: '1994-09-07' },
    },
  })
  const paycode = await shop.call(contract.createPaycode, {
    body: {
      beneficiaryName: NAME,
      amount: 5_000,
      paycodeReference: `cash-${randomUUID()}`,
      expiryDate: daysAfter(shop.core.clock.now(), 20),
      clientId: shop.credentials.apiKey,
    },
  })
  const bill = `bill-${randomUUID()}`
  await shop.call(contract.vendBill, {
    body: {
      productCode: 'MTN-AIRTIME',
      customerId: '08142223149',
      amount: 1_000,
      reference: bill,
      emailAddress: EMAIL,
    },
  })
  return {
    'getTransfer reference': transfer.reference,
    'findRecipients text': transfer.destinationAccountNumber,
    'getBatch reference': batch.batchReference,
    'requeryBill reference': bill,
    batchReference: batch.batchReference,
    walletReference: wallet.walletReference,
    paycodeReference: paycode.paycodeReference,
    'listPaycodes transactionReference': paycode.transactionReference,
  }
}

type Values = Readonly<Record<string, string>>

interface Read {
  readonly name: string
  readonly route: Route
  readonly input: { readonly params: Values; readonly query: Values }
}

const fieldsOf = (schema: unknown): { readonly properties?: object; readonly required?: readonly string[] } =>
  (schema ?? {}) as object

/** Requests to a route: one with its required values, and one for each filter that could name another merchant's data. */
function requestsOf(values: Values, name: string, route: Route): readonly Read[] {
  const known = (key: string): string | undefined => values[`${name} ${key}`] ?? values[key]
  const filled = (keys: readonly string[]): Values =>
    Object.fromEntries(
      keys.map((key) => [key, known(key) ?? assert.fail(`${name} needs a value for ${key} in oneOfEverything`)]),
    )
  const params = filled(Object.keys(fieldsOf(route.params).properties ?? {}))
  const { properties = {}, required = [] } = fieldsOf(route.query)
  const filters = Object.keys(properties).filter((key) => !required.includes(key) && known(key) !== undefined)
  const queries = [...(NEEDS_A_FILTER.has(route) ? [] : [required]), ...filters.map((key) => [...required, key])]
  return queries.map((keys) => ({ name, route, input: { params, query: filled(keys) } }))
}

const readsOwn = ({ route }: { readonly route: Route }): boolean =>
  route.method === 'GET' &&
  route.access !== 'open' &&
  route.sends !== 'events' &&
  !SAME_FOR_ALL.has(route) &&
  !(typeof route.person === 'string' && route.person.startsWith('operator.'))

/** The times of a response differ in any case. */
const withoutTimes = (text: string): string => text.replace(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+\d{4})/g, '')

test('no route returns anything of another merchant, to its servers or to its users', async (t) => {
  const shop = await gateway(t)
  const other = await shop.anotherMerchant(PERMISSIONS)
  const merchantId = (await shop.core.directory.byApiKey(other.credentials.apiKey))?.id ?? assert.fail()
  await shop.call(contract.changeSettings, { body: { otpEnabled: false, permissions: { bills: true } } })
  const owner = await aTeamMember(shop, 'owner', { secondFactor: 'fresh', approves: true })
  const stranger = await aTeamMember({ ...shop, merchantId }, 'owner', { secondFactor: 'fresh', approves: true })
  const values = await oneOfEverything(shop, owner)
  const asServer = ({ route, input }: Read, client: Client) =>
    client.send('GET', contract.pathOf(route.path, input.params, input.query))
  const asUser = ({ route, input }: Read, user: TestUser) => user.send(route, input)
  const requests = [
    ...ROUTES.filter(readsOwn).flatMap(({ name, route }) => requestsOf(values, name, route)),
    ...DASHBOARD_ROUTES.filter(readsOwn).flatMap(({ name, route }) => requestsOf(values, name, route)),
  ]
  const faults: string[] = []
  for (const request of requests) {
    const { name, route, input } = request
    const isForUsers = route.access === 'person'
    const own = await (isForUsers ? asUser(request, owner) : asServer(request, shop))
    const theirs = await (isForUsers ? asUser(request, stranger) : asServer(request, other))
    const sent = `${name} ${JSON.stringify(input)}`
    if (own.status !== 200) faults.push(`${sent} returns nothing to the merchant itself: ${own.text}`)
    else if (withoutTimes(theirs.text) === withoutTimes(own.text)) faults.push(`${sent} is the same: ${theirs.text}`)
    if (theirs.text.includes(NAME) || (theirs.text.includes(EMAIL) && !sent.includes(EMAIL)))
      faults.push(`${sent} returns another merchant’s: ${theirs.text}`)
  }
  assert.deepEqual(faults, [])
  const { days, successRate } = await stranger.call(contract.getHome, {})
  assert.deepEqual([days, successRate.ended], [[], 0])
})
