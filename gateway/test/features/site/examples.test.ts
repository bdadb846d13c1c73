import assert from 'node:assert/strict'
import * as contract from '@kobo/contract'
import { type Call, callsOf, documentOf, type Parameter } from '../../../src/features/site/docs/document.ts'
import { startOfDay } from '../../../src/kernel/dates.ts'
import { gateway, type TestGateway } from '../../harness/gateway.ts'
import { checkoutReferenceOf } from '../../harness/samples.ts'
import { slow } from '../../harness/slow.ts'

// Sends every example of the reference in an order that a reader could follow. Only the merchant's own values, or
// values from earlier responses, are replaced.

/** Values of this merchant or of a response, by field name. */
type Known = Record<string, string>
// biome-ignore lint/suspicious/noExplicitAny: any envelope's body
type ResponseBody = any

interface Step {
  readonly name: string
  /** Values that replace the example's, by field name. */
  readonly but?: Known | ((known: Known) => Known)
  /** Optional fields that the example leaves out. */
  readonly also?: Known
  /** Values of the response that later requests send. */
  readonly gives?: (response: ResponseBody) => Known
}

const THREE_D_SECURE = { number: '4000000000000002' }
const WITH_OTP = { number: '5060995994247093' }
let orders = 0
/** An open transaction with its own order number. */
const open = (): Step => ({
  name: 'initTransaction',
  but: { paymentReference: `order-${++orders}` },
  gives: ({ transactionReference, checkoutUrl }) => ({
    transactionReference,
    checkoutReference: checkoutReferenceOf(checkoutUrl),
  }),
})
const openApp = (paymentReference: string): Step => ({
  name: 'sdkInit',
  but: { paymentReference },
  gives: ({ transactionReference }) => ({ transactionReference }),
})
const toPay = {
  name: 'initBankTransfer',
  but: { bankCode: '035' },
  gives: ({ accountNumber }: ResponseBody) => ({ toPay: accountNumber }),
}
const intoIt = ({ toPay = '' }: Known): Known => ({ accountNumber: toPay })
const plain = (...names: readonly string[]): Step[] => names.map((name) => ({ name }))
const code = {
  name: 'readInbox',
  gives: (mails: ResponseBody) => ({ authorizationCode: /(\d{6}) is your code/.exec(mails[0].text)?.[1] ?? '' }),
}

const aDispute: Step = {
  name: 'openSandboxDispute',
  gives: ({ disputeReference }) => ({ disputeReference }),
}

const COLLECT: readonly Step[] = [
  ...plain('login', 'listBanks', 'listUssdBanks', 'readClock', 'getSettings'),
  open(),
  toPay,
  { name: 'initUssd' },
  { name: 'enquireName', but: intoIt },
  { name: 'payIntoAccount', but: intoIt },
  { name: 'queryTransaction', but: ({ transactionReference = '' }) => ({ transactionReference }) },
  ...plain('getTransaction', 'searchTransactions'),
  ...plain('initiateRefund', 'getRefund', 'listRefunds'),
  open(),
  toPay,
  { name: 'payIntoAccount', but: intoIt },
  aDispute,
  ...plain('listDisputes', 'getDispute'),
  { name: 'submitEvidence', gives: ({ evidence }) => ({ fileId: evidence.files[0].fileId }) },
  ...plain('getDisputeFile', 'decideSandboxDispute'),
  aDispute,
  ...plain('acceptDispute'),
  open(),
  ...plain('getCheckout', 'checkoutTransfer', 'checkoutUssd', 'cancelTransaction'),
  open(),
  ...plain('checkoutCard', 'mailReceipt'),
  open(),
  { name: 'checkoutCard', but: WITH_OTP, gives: ({ otp }) => ({ tokenId: otp.tokenId }) },
  ...plain('checkoutOtp'),
  { name: 'inlineCheckout', but: { reference: 'order-inline' } },
  openApp('app-1'),
  ...plain('sdkQuery', 'sdkTransfer', 'sdkUssd', 'sdkInitCard', 'sdkCardRequirements', 'sdkListBanks', 'sdkCharge'),
  openApp('app-2'),
  { name: 'sdkCharge', but: WITH_OTP, gives: ({ otpData }) => ({ tokenId: otpData.id }) },
  ...plain('sdkOtp'),
  open(),
  { name: 'chargeCard', but: WITH_OTP, gives: ({ otpData }) => ({ tokenId: otpData.id }) },
  ...plain('authorizeOtp'),
  open(),
  { name: 'chargeCard', but: THREE_D_SECURE },
  { name: 'authorizeSecure3d', but: THREE_D_SECURE },
  open(),
  ...plain('chargeCard'),
  { name: 'getTransaction', gives: ({ cardDetails }) => ({ cardToken: cardDetails.cardToken }) },
  { name: 'chargeCardToken', but: { paymentReference: 'order-by-token' } },
]

const SEND: readonly Step[] = [
  ...plain('fundWallet', 'validateAccount', 'initiateTransfer', 'advanceClock', 'resendTransferCode'),
  code,
  ...plain('authorizeTransfer', 'getTransfer', 'listTransfers', 'initiateBatch', 'advanceClock', 'resendBatchCode'),
  code,
  ...plain('authorizeBatch', 'getBatch', 'listBatchTransfers', 'listBatches', 'searchTransfers'),
  { name: 'getWalletBalance', but: ({ sourceAccountNumber = '' }) => ({ accountNumber: sourceAccountNumber }) },
  ...plain('createWallet', 'listWallets'),
  { name: 'getCustomerWalletBalance', but: { walletReference: 'wallet-1001' } },
  { name: 'listWalletTransactions', but: { walletReference: 'wallet-1001' } },
  ...plain('matchBvnDetails', 'matchBvnAccount', 'getNinDetails'),
  ...plain('listBillerCategories', 'listBillers', 'listBillerProducts', 'validateBillCustomer', 'vendBill'),
  { name: 'requeryBill', but: { reference: 'bill-1001' } },
  ...plain('createPaycode', 'listPaycodes', 'getPaycode', 'revealPaycode', 'redeemPaycode'),
  { name: 'createPaycode', but: { paycodeReference: 'cash-1002' } },
  { name: 'cancelPaycode', but: { paycodeReference: 'cash-1002' } },
]

const RESERVE: readonly Step[] = [
  { name: 'createSubAccounts', gives: ([{ subAccountCode }]) => ({ subAccountCode }) },
  ...plain('listSubAccounts', 'changeSubAccount'),
  { name: 'createLimitProfile', gives: ({ limitProfileCode }) => ({ limitProfileCode }) },
  ...plain('listLimitProfiles', 'updateLimitProfile', 'reserveAccount', 'getReservedAccount', 'addLinkedAccounts'),
  ...plain('updateCustomerBvn', 'updateKycInfo', 'updatePaymentSourceFilter', 'updateIncomeSplitConfig'),
  ...plain('setLimitProfile', 'listReservedAccountTransactions', 'deallocateReservedAccount'),
  { name: 'reserveInvoiceAccount', but: { accountReference: 'customer-1002' } },
  { name: 'reserveAccountWithLimit', but: { accountReference: 'customer-1003' } },
  ...plain('createInvoice', 'getInvoice', 'listInvoices', 'mailInvoice', 'cancelInvoice', 'deleteSubAccountByQuery'),
  {
    name: 'createSubAccounts',
    but: { accountNumber: '3000000010' },
    gives: ([{ subAccountCode }]) => ({ subAccountCode }),
  },
  ...plain('deleteSubAccount'),
  ...plain('createPaymentLink', 'getPaymentLink', 'listPaymentLinks', 'mailPaymentLink', 'disablePaymentLink'),
  { name: 'createMandate', gives: ({ mandateCode }) => ({ mandateCode }) },
  ...plain('getMandates', 'listMandates', 'authorizeMandate'),
  { name: 'debitMandate', but: { paymentReference: 'order-debit' } },
  { name: 'getDebitStatus', but: { paymentReference: 'order-debit' } },
  ...plain('cancelMandate', 'collectCash'),
]

const LOOK_BACK: readonly Step[] = [
  open(),
  toPay,
  { name: 'payIntoAccount', but: intoIt },
  { name: 'advanceClock', but: { seconds: '86400' } },
  { name: 'listSettlements', gives: ({ content }) => ({ settlementReference: content[0].settlementReference }) },
  { name: 'findSettledTransactions', but: ({ settlementReference = '' }) => ({ reference: settlementReference }) },
  ...plain('getSettlementDetail', 'getMerchantSettings', 'changeMerchantSettings', 'changeSettings'),
  { name: 'listMerchantEvents', gives: ({ content }) => ({ id: content[0].id }) },
  ...plain('getMerchantEvent', 'resendMerchantEvent', 'resendMerchantEvents'),
  ...plain('listEvents', 'resendEvent', 'resendEvents', 'readInbox'),
  { name: 'listMerchantRequests', gives: ({ content }) => ({ id: content[0].id }) },
  ...plain('getMerchantRequest'),
]

const DAY_MILLISECONDS = 86_400_000

/** Operations that are not a single request and response, or that no partner offers. */
const NOT_SENT = ['listenToEvents', 'sdkOtherMethod']

slow('every example of the reference can be sent and succeeds', async (t) => {
  const shop = await gateway(t)
  await shop.call(contract.changeSettings, { body: { permissions: { bills: true } } })
  const { apiKey, contractCode, walletAccountNumber } = shop.credentials
  const known: Known = { apiKey, clientId: apiKey, contractCode, sourceAccountNumber: walletAccountNumber }
  const steps = [...COLLECT, ...SEND, ...RESERVE, ...LOOK_BACK]
  // Starts in the morning, so that the day does not end in between.
  const { clock } = shop.core
  const seconds = Math.ceil((startOfDay(clock.now()).getTime() + DAY_MILLISECONDS - clock.now().getTime()) / 1_000)
  await shop.call(contract.advanceClock, { body: { seconds } })
  const calls = exampleCalls(clock.now())
  for (const step of steps) {
    const response = await send(shop, calls.get(step.name) ?? assert.fail(`there is no ${step.name}`), known, step)
    Object.assign(known, step.gives?.(response))
  }
  const sent = new Set([...steps.map(({ name }) => name), ...NOT_SENT])
  assert.deepEqual(
    contract.ROUTES.map(({ name }) => name).filter((name) => !sent.has(name)),
    [],
    'every call stands in the story',
  )
})

function exampleCalls(today: Date): Map<string, Call> {
  const document = documentOf('sandbox', today)
  const calls = document.tags.flatMap(({ name }) => callsOf(document, name))
  return new Map(calls.map((call) => [call.operation.operationId, call]))
}

/** Sends the example, and returns the envelope's body. */
async function send(
  shop: TestGateway,
  { method, path, operation }: Call,
  known: Known,
  step: Step,
): Promise<ResponseBody> {
  const but = typeof step.but === 'function' ? step.but(known) : (step.but ?? {})
  const own: Known = { ...known, ...but }
  const parameters = (operation.parameters ?? []).filter((one): one is Parameter => 'name' in one)
  const url = parameters
    .filter(({ in: place }) => place === 'path')
    .reduce(
      (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(own[name] ?? String(example))),
      path,
    )
  const query = parameters
    .filter(({ in: place, name, required }) => place === 'query' && (required || but[name] !== undefined))
    .map(({ name, example }): [string, string] => [name, own[name] ?? String(example)])
  const body = operation.requestBody?.content['application/json'].example
  const filled = withOwn(body ?? {}, own) as object
  const headers = operation.operationId === 'login' ? keysOf(shop) : {}
  const response = await shop.send(method, `${url}${query.length === 0 ? '' : `?${new URLSearchParams(query)}`}`, {
    headers,
    ...(body === undefined ? {} : { body: step.also === undefined ? filled : { ...filled, ...step.also } }),
  })
  assert.equal(response.status, 200, `${step.name}: ${JSON.stringify(response.body)}`)
  return (response.body as { responseBody?: ResponseBody }).responseBody
}

const keysOf = ({ credentials: { apiKey, secretKey } }: TestGateway): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`,
})

/** The example with this merchant's values in their fields. */
const withOwn = (example: unknown, own: Known): unknown =>
  JSON.parse(JSON.stringify(example), (name, value: unknown) => {
    const instead = own[name]
    if (instead === undefined || typeof value === 'object') return value
    return typeof value === 'number' ? Number(instead) : instead
  })
