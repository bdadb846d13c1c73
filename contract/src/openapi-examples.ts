import { type JsonSchema, typesOf } from './openapi-schema.ts'

/** Values of the example scenario (Ada buys shoes) that replace the schema's examples, by `parent.name` or name. */
const EXAMPLE_OVERRIDES: Readonly<Record<string, unknown>> = {
  'content.fee': 135,
  autoRenew: false,
  mandateStatus: 'PENDING_AUTHORIZATION',
  fee: 0,
  lowBalanceThreshold: null,
  reason: null,
  settlementAmount: '8865.00',
}

/** Values of the example scenario for fields without an example in their schema, by `parent.name` or name. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  accessToken: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  accountDurationSeconds: 2400,
  accountName: 'Ada Obi',
  'responseBody.accountName': 'Demo Shop-Two pairs of shoes',
  accountNumber: '3000000003',
  'paymentSourceInformation.accountNumber': '0123452190',
  apiKey: 'MK_TEST_AB12CD34EF',
  attempts: [
    {
      at: '2026-03-01T09:30:01.000Z',
      url: 'https://shop.example/events',
      status: 200,
      bodyExcerpt: 'ok',
      milliseconds: 41,
      error: null,
      resent: false,
      endpointId: null,
    },
  ],
  bankCode: '035',
  bankName: 'Wema bank',
  bankUssdCode: '*737#',
  baseUssdCode: '*945#',
  body: '{"eventType":"SUCCESSFUL_TRANSACTION","eventData":{"…":"…"}}',
  cardDetails: null,
  checkoutUrl: 'http://localhost:8080/checkout/KOBO%7C01%7C20260301093000%7C000001.Zk3nT8qVw1xY5bC9dE2fGh',
  code: '035',
  collectionChannel: 'API_NOTIFICATION',
  completedOn: '2026-03-01T09:30:00.000+0000',
  createdOn: '2026-03-01T09:30:00.000Z',
  currency: 'NGN',
  currencyCode: 'NGN',
  customerEmail: 'ada@example.com',
  customerName: 'Ada Obi',
  destinationAccountBankCode: '058',
  destinationAccountName: 'IFEOMA BISOLA LAWAL',
  destinationAccountNumber: '3000000003',
  destinationBankName: 'GTBank',
  empty: false,
  email: 'ada@example.com',
  enabledPaymentMethod: ['CARD', 'ACCOUNT_TRANSFER', 'USSD'],
  endpointId: '1002',
  epochMilliseconds: 1_772_357_400_000,
  eventType: 'SUCCESSFUL_TRANSACTION',
  fileId: '295147905179353088',
  flagged: false,
  from: '2026-03-01',
  id: '1001',
  ipWhitelist: ['127.0.0.0/8', '::1'],
  merchantCode: 'AB12CD34EF56',
  merchantName: 'Demo Shop',
  metaData: { order: 1001 },
  name: 'Wema bank',
  'customer.name': 'Ada Obi',
  'customerDTO.name': 'Ada Obi',
  narration: 'Two pairs of shoes',
  nextAttemptOn: null,
  nipBankCode: '000017',
  number: 0,
  offset: 0,
  offsetSeconds: 0,
  pageNumber: 0,
  pageSize: 10,
  paymentDescription: 'Two pairs of shoes',
  paymentMethod: 'ACCOUNT_TRANSFER',
  paymentMethodList: ['CARD', 'ACCOUNT_TRANSFER', 'USSD'],
  paymentReference: 'order-1001',
  paymentStatus: 'PAID',
  'permissions.bills': false,
  'product.type': 'API_NOTIFICATION',
  productInformation: null,
  redirectUrl: 'https://shop.example.com/thanks',
  reference: 'order-1001',
  refundReference: 'refund-1001',
  disputeReference: 'KDSP01KJMQ4X2R9GZ6T7V8W3Y5B1CD',
  seconds: 2400,
  senderName: 'Ada Obi',
  sessionId: '999058260301093000000000000001',
  settlement: 'DAILY',
  settlementStatus: 'COMPLETED',
  since: '2026-03-01',
  size: 10,
  status: 'DELIVERED',
  to: '2026-03-02',
  transactionReference: 'KOBO|01|20260301093000|000001',
  transactionType: 'CREDIT',
  transferUssdTemplate: '*945*AccountNumber#',
  unpaged: false,
  unsorted: false,
  url: 'https://shop.example.com/events',
  ussdTemplate: '*945*AccountNumber*Amount#',
  walletName: 'Savings of Ada',
  walletReference: 'wallet-1001',
  walletTransactionReference: '286712345678901234',
  webhookUrl: 'http://localhost:3000/events',
  webhookUrls: { collection: null, disbursement: null, refund: null, settlement: null, mandate: null, wallet: null },
}

const ACTIVE_MANDATE = { mandateStatus: 'ACTIVE', authorizationMessage: null, authorizationLink: null }
const OPEN_DISPUTE = { completedOn: null, comment: null }
const PAYCODE = { fee: 50, modifiedBy: null, cancelDate: null }

/** Route-specific values of the scenario, by route name. */
const BY_ROUTE: Readonly<Record<string, object>> = {
  advanceClock: { now: '2026-03-01T10:10:00.000Z', epochMilliseconds: 1_772_359_800_000, offsetSeconds: 2400 },
  authorizeMandate: ACTIVE_MANDATE,
  cancelMandate: {
    responseMessage: 'Cancellation of the mandate has been requested.',
    mandateStatus: 'ACTIVE',
  },
  cancelPaycode: {
    ...PAYCODE,
    transactionStatus: 'CANCELLED',
    modifiedBy: 'MK_TEST_AB12CD34EF',
    cancelDate: '2026-03-01 10:30:00',
  },
  cancelInvoice: { invoiceStatus: 'CANCELLED' },
  cancelTransaction: {
    amountPaid: '0.00',
    settlementAmount: null,
    paidOn: null,
    paymentStatus: 'CANCELLED',
    paymentMethod: null,
    accountDetails: null,
    accountPayments: [],
  },
  chargeCardToken: {
    paymentMethod: 'CARD',
    cardDetails: {
      cardType: 'VISA',
      last4: '1111',
      expMonth: '12',
      expYear: '2030',
      bin: '411111',
      bankCode: '033',
      bankName: 'United Bank For Africa Plc',
      reusable: true,
      countryCode: 'NG',
      cardToken: 'KBO_0A1B2C3D4E5F60718293A4B5C6D7E8F9',
      supportsTokenization: true,
      maskedPan: '411111******1111',
    },
    accountDetails: null,
    accountPayments: [],
  },
  collectCash: {
    settlementAmount: '8910.00',
    paymentMethod: 'CASH',
    product: { type: 'OFFLINE_PAYMENT_AGENT', reference: 'order-1001' },
    accountDetails: null,
    accountPayments: [],
  },
  createMandate: { mandateStatus: 'INITIATED' },
  acceptDispute: { disputeStatus: 'ACCEPTED', comment: null },
  decideSandboxDispute: { disputeStatus: 'WON', comment: null },
  openSandboxDispute: OPEN_DISPUTE,
  submitEvidence: { ...OPEN_DISPUTE, disputeStatus: 'EVIDENCE_SUBMITTED' },
  createPaycode: { ...PAYCODE, paycode: '48210546' },
  createWallet: { accountName: 'Ada Obi' },
  getRefund: { refundStatus: 'COMPLETED', comment: 'Refund completed' },
  initiateRefund: { completedOn: null },
  getDebitStatus: { transactionStatus: 'PAID', responseMessage: null },
  getPaycode: PAYCODE,
  redeemPaycode: { ...PAYCODE, transactionStatus: 'SUCCESS' },
  revealPaycode: { ...PAYCODE, paycode: '48210546' },
}

/** Fields whose value is the merchant's own, and the name of that value in `./kobo credentials`. */
export const OWN_FIELDS: Readonly<Record<string, string>> = {
  apiKey: 'apiKey',
  clientId: 'apiKey',
  contractCode: 'contractCode',
  sourceAccountNumber: 'walletAccountNumber',
}

/** Fields whose value is in the response of an earlier call, and the name of that call. */
export const GIVEN_FIELDS: Readonly<Record<string, string>> = {
  accountNumber: 'initBankTransfer',
  authorizationCode: 'readInbox',
  cardToken: 'getTransaction',
  checkoutReference: 'initTransaction',
  disputeReference: 'listDisputes',
  endpointId: 'createWebhookEndpoint',
  fileId: 'submitEvidence',
  id: 'listMerchantEvents',
  limitProfileCode: 'createLimitProfile',
  mandateCode: 'createMandate',
  receipt: 'getCheckout',
  settlementReference: 'listSettlements',
  subAccountCode: 'createSubAccounts',
  tokenId: 'chargeCard',
  transactionReference: 'initTransaction',
}

/** Optional fields that example requests contain. */
const WORTH_SENDING = new Set([
  'amount',
  'bankCode',
  'bvn',
  'customerName',
  'files',
  'metaData',
  'narration',
  'paymentDescription',
  'redirectUrl',
  'reservedAccountType',
  'senderName',
  'webhookUrl',
])

/** Optional fields that example responses do not contain. */
const OMITTED_FIELDS = new Set([
  'allowedPaymentSources',
  'incomeSplitConfig',
  'invoiceReference',
  'splitAmount',
  'offlineProductInformation',
])

/** The day of the example scenario. */
export const EXAMPLE_DAY = new Date('2026-03-01T00:00:00.000Z')

/** A valid example request for the given day: the required fields and the most useful optional ones. */
export const exampleRequest = (schema: JsonSchema, today: Date = EXAMPLE_DAY): unknown =>
  onDay(
    example(schema, [], (name) => WORTH_SENDING.has(name)),
    today,
  )

const DAY_MILLISECONDS = 86_400_000
/** The scenario uses Lagos time, an hour ahead of UTC. */
const LAGOS_AHEAD_MILLISECONDS = 3_600_000

/** Moves the scenario's dates to another day, so that future dates stay in the future. */
function onDay(value: unknown, today: Date): unknown {
  const lagosTime = today.getTime() + LAGOS_AHEAD_MILLISECONDS
  const days = Math.floor((lagosTime - EXAMPLE_DAY.getTime()) / DAY_MILLISECONDS)
  const later = (text: string): string => {
    const [day = '', time = ''] = text.split(' ')
    return `${new Date(Date.parse(day) + days * DAY_MILLISECONDS).toISOString().slice(0, 10)} ${time}`
  }
  if (days === 0) return value
  return JSON.parse(JSON.stringify(value), (_, one: unknown) =>
    typeof one === 'string' && /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(one) ? later(one) : one,
  )
}

export const exampleEvent = (schema: JsonSchema): unknown => example(schema, [], (name) => !OMITTED_FIELDS.has(name))

/** A valid example of a route's `responseBody`. */
export function exampleResponse(schema: JsonSchema, routeName: string): unknown {
  const response = example(schema, ['responseBody'], (name) => !OMITTED_FIELDS.has(name))
  const changes = BY_ROUTE[routeName]
  return changes === undefined ? response : { ...(response as object), ...changes }
}

/** An example value of a parameter, if there is a useful one. */
export const exampleParameter = (schema: JsonSchema, name: string): unknown => chosen(schema, [name])

type Path = readonly string[]

function example(schema: JsonSchema, path: Path, isIncluded: (optionalName: string) => boolean): unknown {
  const value = chosen(schema, path)
  if (value !== undefined) return value
  if (schema.anyOf?.[0] !== undefined) return example(schema.anyOf[0], path, isIncluded)
  if (schema.enum !== undefined) return schema.enum[0]
  const [type = 'null'] = typesOf(schema)
  if (type === 'array') return schema.items === undefined ? [] : [example(schema.items, path, isIncluded)]
  if (type !== 'object') return PLAIN[type]
  const shown = Object.entries(schema.properties ?? {}).filter(
    ([name]) => schema.required?.includes(name) === true || isIncluded(name),
  )
  return Object.fromEntries(shown.map(([name, part]) => [name, example(part, [...path, name], isIncluded)]))
}

const PLAIN: Readonly<Record<string, unknown>> = { string: 'text', integer: 1, number: 1, boolean: true, null: null }

function chosen(schema: JsonSchema, path: Path): unknown {
  const names = [path.slice(-2).join('.'), path.at(-1) ?? '']
  const candidates = [
    ...names.map((name) => EXAMPLE_OVERRIDES[name]),
    ...(schema.examples ?? []),
    ...names.map((name) => BY_NAME[name]),
    schema.default,
    schema.const,
  ]
  return candidates.find((value) => fits(schema, value))
}

function fits(schema: JsonSchema, value: unknown): boolean {
  if (value === undefined) return false
  if (schema.anyOf !== undefined) return schema.anyOf.some((part) => fits(part, value))
  if (schema.enum !== undefined) return schema.enum.includes(value)
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  const types = typesOf(schema)
  return types.includes(type) || (type === 'number' && types.includes('integer'))
}
