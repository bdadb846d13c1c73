// Every call of the API, in an order in which each one succeeds. The Postman collection contains these calls, and a
// test makes them.

/** A call of the story. Its request is the example, with some values replaced. `{{name}}` is a variable. */
export interface Step {
  readonly name: string
  /** Values that replace the example's, by field or parameter name. */
  readonly but?: Readonly<Record<string, string>>
  /** Fields that are added to the example, or replace its fields. `#{{name}}#` is a variable without quotes. */
  readonly also?: Readonly<Record<string, unknown>>
  /** Variables for later calls. Their values are JavaScript expressions; `body` is the response's `responseBody`. */
  readonly gives?: Readonly<Record<string, string>>
}

const plain = (...names: readonly string[]): readonly Step[] => names.map((name) => ({ name }))
const variable = (...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, `body.${name}`]))

/** The days of the examples, counted from the day on which the story begins. */
const DAYS = [0, 1, 31, 365]
const LAGOS_AHEAD_MILLISECONDS = 3_600_000
const DAY_MILLISECONDS = 86_400_000
const dayAfter = (days: number): string =>
  `new Date(body.epochMilliseconds + ${LAGOS_AHEAD_MILLISECONDS + days * DAY_MILLISECONDS}).toISOString().slice(0, 10)`

const THREE_D_SECURE = { number: '4000000000000002' }
const WITH_OTP = { number: '5060995994247093' }

/** An open transaction with its own order number. */
const open = (order: number): Step => ({
  name: 'initTransaction',
  but: { paymentReference: `order-${order}` },
  gives: {
    ...variable('transactionReference'),
    checkoutReference: "decodeURIComponent(body.checkoutUrl.split('/').pop())",
  },
})
const openApp = (order: number): Step => ({
  name: 'sdkInit',
  but: { paymentReference: `app-${order}` },
  gives: variable('transactionReference'),
})
const toPay: Step = { name: 'initBankTransfer', but: { bankCode: '035' }, gives: { toPay: 'body.accountNumber' } }
const intoIt = { accountNumber: '{{toPay}}' }
const code: Step = {
  name: 'readInbox',
  gives: { authorizationCode: String.raw`/(\d{6}) is your code/.exec(body[0].text)[1]` },
}
const aDispute: Step = { name: 'openSandboxDispute', gives: variable('disputeReference') }
const aSubAccount = (accountNumber: string): Step => ({
  name: 'createSubAccounts',
  but: { accountNumber },
  gives: { subAccountCode: 'body[0].subAccountCode' },
})

const BEGIN: readonly Step[] = [
  ...plain('login'),
  { name: 'readClock', gives: { untilTomorrow: '86400 - (Math.floor(body.epochMilliseconds / 1000) + 3600) % 86400' } },
  // Moves the clock to the start of a day, so that the day does not end during the story.
  { name: 'advanceClock', but: { seconds: '{{untilTomorrow}}' } },
  ...plain('login'),
  {
    name: 'readClock',
    // Each run has its own name, so the story can run again.
    gives: {
      run: 'body.epochMilliseconds.toString(36)',
      ...Object.fromEntries(DAYS.map((days) => [`day${days}`, dayAfter(days)])),
    },
  },
  { name: 'changeSettings', also: { webhookUrl: undefined, permissions: { bills: true } } },
  ...plain('getSettings', 'listBanks', 'listUssdBanks'),
]

const COLLECT: readonly Step[] = [
  open(1001), // the sample of queryTransaction reads it
  toPay,
  { name: 'initUssd' },
  { name: 'enquireName', but: intoIt },
  { name: 'payIntoAccount', but: intoIt },
  { name: 'queryTransaction', but: { transactionReference: '{{transactionReference}}' } },
  ...plain('getTransaction', 'searchTransactions'),
  ...plain('initiateRefund', 'getRefund', 'listRefunds'),
  open(2),
  toPay,
  { name: 'payIntoAccount', but: intoIt },
  aDispute,
  ...plain('listDisputes', 'getDispute'),
  { name: 'submitEvidence', gives: { fileId: 'body.evidence.files[0].fileId' } },
  ...plain('getDisputeFile', 'decideSandboxDispute'),
  aDispute,
  ...plain('acceptDispute'),
  open(3),
  ...plain('getCheckout', 'checkoutTransfer', 'checkoutUssd', 'cancelTransaction'),
  open(4),
  ...plain('checkoutCard', 'mailReceipt'),
  { name: 'getCheckout', gives: { receipt: "body.receiptProof.split('#')[1]" } },
  ...plain('checkReceipt'),
  open(5),
  { name: 'checkoutCard', but: WITH_OTP, gives: { tokenId: 'body.otp.tokenId' } },
  ...plain('checkoutOtp'),
  { name: 'inlineCheckout', but: { reference: 'order-6' } },
  openApp(1),
  ...plain('sdkQuery', 'sdkTransfer', 'sdkUssd', 'sdkInitCard', 'sdkCardRequirements', 'sdkListBanks', 'sdkCharge'),
  openApp(2),
  { name: 'sdkCharge', but: WITH_OTP, gives: { tokenId: 'body.otpData.id' } },
  ...plain('sdkOtp'),
  open(7),
  { name: 'chargeCard', but: WITH_OTP, gives: { tokenId: 'body.otpData.id' } },
  ...plain('authorizeOtp'),
  open(8),
  { name: 'chargeCard', but: THREE_D_SECURE },
  { name: 'authorizeSecure3d', but: THREE_D_SECURE },
  open(9),
  ...plain('chargeCard'),
  { name: 'getTransaction', gives: { cardToken: 'body.cardDetails.cardToken' } },
  { name: 'chargeCardToken', but: { paymentReference: 'order-10' } },
]

const SEND: readonly Step[] = [
  ...plain('fundWallet', 'validateAccount', 'initiateTransfer', 'advanceClock', 'resendTransferCode'),
  code,
  ...plain('authorizeTransfer', 'getTransfer', 'listTransfers', 'initiateBatch', 'advanceClock', 'resendBatchCode'),
  code,
  ...plain('authorizeBatch', 'getBatch', 'listBatchTransfers', 'listBatches', 'searchTransfers'),
  { name: 'getWalletBalance', but: { accountNumber: '{{walletAccountNumber}}' } },
  ...plain('login', 'createWallet', 'listWallets'),
  { name: 'getCustomerWalletBalance', but: { walletReference: 'wallet-1001' } },
  { name: 'listWalletTransactions', but: { walletReference: 'wallet-1001' } },
  ...plain('matchBvnDetails', 'matchBvnAccount', 'getNinDetails'),
  ...plain('listBillerCategories', 'listBillers', 'listBillerProducts', 'validateBillCustomer', 'vendBill'),
  ...plain('requeryBill'),
  ...plain('createPaycode', 'listPaycodes', 'getPaycode', 'revealPaycode', 'redeemPaycode'),
  { name: 'createPaycode', but: { paycodeReference: 'cash-1002' } },
  { name: 'cancelPaycode', but: { paycodeReference: 'cash-1002' } },
]

const RESERVE: readonly Step[] = [
  aSubAccount('3000000003'),
  ...plain('listSubAccounts', 'changeSubAccount'),
  { name: 'createLimitProfile', but: { limitProfileName: 'Small shops {{run}}' }, gives: variable('limitProfileCode') },
  { name: 'updateLimitProfile', but: { limitProfileName: 'Small shops {{run}}' } },
  ...plain('listLimitProfiles', 'reserveAccount', 'getReservedAccount', 'addLinkedAccounts'),
  ...plain('updateCustomerBvn', 'updateKycInfo', 'updatePaymentSourceFilter', 'updateIncomeSplitConfig'),
  ...plain('setLimitProfile', 'listReservedAccountTransactions', 'deallocateReservedAccount'),
  { name: 'reserveInvoiceAccount', but: { accountReference: 'customer-1002' } },
  { name: 'reserveAccountWithLimit', but: { accountReference: 'customer-1003' } },
  ...plain('createInvoice', 'getInvoice', 'listInvoices', 'mailInvoice', 'cancelInvoice', 'deleteSubAccountByQuery'),
  aSubAccount('3000000010'),
  ...plain('deleteSubAccount'),
  ...plain('createPaymentLink', 'getPaymentLink', 'listPaymentLinks', 'mailPaymentLink', 'disablePaymentLink'),
  { name: 'createMandate', gives: variable('mandateCode') },
  { name: 'getMandates', but: { mandateReferences: 'rent-1001' } },
  ...plain('listMandates', 'authorizeMandate'),
  { name: 'debitMandate', but: { paymentReference: 'order-11' } },
  { name: 'getDebitStatus', but: { paymentReference: 'order-11' } },
  ...plain('cancelMandate', 'collectCash'),
]

const LOOK_BACK: readonly Step[] = [
  { name: 'createWebhookEndpoint', gives: { id: 'body.endpoint.id', endpointId: 'body.endpoint.id' } },
  { name: 'changeWebhookEndpoint', also: { description: 'Accounting', isPaused: true } },
  ...plain('listWebhookEndpoints', 'rotateWebhookSecret'),
  open(12),
  toPay,
  { name: 'payIntoAccount', but: intoIt },
  { name: 'advanceClock', but: { seconds: '86400' } },
  ...plain('login'),
  { name: 'listSettlements', gives: { settlementReference: 'body.content[0].settlementReference' } },
  { name: 'findSettledTransactions', but: { reference: '{{settlementReference}}' } },
  ...plain('getSettlementDetail'),
  { name: 'listMerchantEvents', gives: { id: 'body.content[0].id' } },
  ...plain('getMerchantEvent', 'resendMerchantEvent', 'resendMerchantEvents', 'resendMerchantEventTo'),
  { name: 'getMerchantSettings', gives: { formerUrl: 'JSON.stringify(body.webhookUrl)' } },
  ...plain('changeMerchantSettings', 'sendTestEvent'),
  { name: 'changeSettings', also: { webhookUrl: '#{{formerUrl}}#' } },
  ...plain('listCustomers'),
  { name: 'removeWebhookEndpoint', but: { id: '{{endpointId}}' } },
  ...plain('listEvents', 'resendEvent', 'resendEvents', 'readInbox'),
  ...plain('saveReport', 'getReport'),
  { name: 'listMerchantRequests', gives: { id: 'body.content[0].id' } },
  ...plain('getMerchantRequest'),
]

/** The chapters in their order. */
export const STORY: Readonly<Record<string, readonly Step[]>> = {
  'Log in': BEGIN,
  'Collect by transfer and card': COLLECT,
  'Pay out': SEND,
  'Reserve accounts, send invoices, debit mandates': RESERVE,
  'Settlements, events and logs': LOOK_BACK,
}

/** Calls that the story leaves out: they are not a single request and response, or no partner offers them. */
export const NOT_IN_STORY: readonly string[] = ['listenToEvents', 'sdkOtherMethod']
