import Type from 'typebox'
import { BankTransferAccount } from './bank-transfer.ts'
import {
  authorizeOtp,
  Card,
  CardAuthorizationResult,
  CardChargeResult,
  chargeCard,
  DeviceInformation,
} from './cards.ts'
import {
  Amount,
  ContractCode,
  CurrencyCode,
  Email,
  IncomeSplitConfig,
  MetaData,
  Naira,
  nullable,
  optional,
  PaymentMethods,
  Reference,
  Text,
} from './fields.ts'
import { NO_PERMISSION } from './permissions.ts'
import {
  bankTransferRefusals,
  cardRefusals,
  checkoutRefusals,
  mobileRefusals,
  noAccount,
  notOpen,
  paymentTerms,
  transactionRefusals,
} from './refusals/index.ts'
import { group, route } from './route.ts'
import { PaymentStatus } from './transactions.ts'

const PATH = '/api/v1/sdk'

/** Apps have no token: the public API key names the merchant, and the transaction must be one that an app opened. */
const open = { access: 'open', permission: NO_PERMISSION.payer } as const
const ApiKey = Type.String({ minLength: 1, maxLength: 64 })
/** The SDKs send this field; the gateway ignores it. */
const CollectionChannel = optional(Type.String({ maxLength: 32, examples: ['MOBILE_SDK'] }))
const request = { transactionReference: Reference, apiKey: ApiKey, collectionChannel: CollectionChannel }
const LOOKUP_REFUSALS = [checkoutRefusals.notFound, checkoutRefusals.paused] as const

export const sdkInit = route({
  ...open,
  method: 'POST',
  path: `${PATH}/transactions/init-transaction`,
  summary: 'Open a payment from an app',
  description:
    'In live mode, the app must be registered like a site, as `app:` and its ID, and the reference must start with the prefix registered for it. The API key is public and proves nothing: compare amount and reference with your order before you deliver.',
  body: Type.Object({
    apiKey: ApiKey,
    collectionChannel: CollectionChannel,
    amount: Amount,
    customerName: optional(Text),
    customerEmail: Email,
    paymentReference: Reference,
    paymentDescription: optional(Text),
    currencyCode: CurrencyCode,
    contractCode: ContractCode,
    paymentMethods: optional(PaymentMethods),
    incomeSplitConfig: optional(IncomeSplitConfig),
    metaData: optional(MetaData),
    metadata: optional(MetaData),
  }),
  reply: Type.Object({
    transactionReference: Type.String(),
    paymentReference: Type.String(),
    merchantName: Type.String(),
    merchantLogoUrl: nullable(Type.String()),
    enabledPaymentMethod: Type.Array(Type.String()),
  }),
  refusals: [
    checkoutRefusals.unknownMerchant,
    checkoutRefusals.paused,
    checkoutRefusals.inlineNotEnabled,
    checkoutRefusals.originNotAllowed,
    checkoutRefusals.referenceNotForPages,
    checkoutRefusals.splitsNotSigned,
    ...paymentTerms,
    transactionRefusals.duplicateReference,
  ],
})

export const sdkQuery = route({
  ...open,
  method: 'GET',
  path: `${PATH}/transactions/query/:apiKey`,
  summary: 'Get the status of an app’s payment',
  description:
    'Apps poll it every few seconds; there is no WebSocket. Customer name and email address are empty: the caller is not known.',
  params: Type.Object({ apiKey: ApiKey }),
  query: Type.Object({ transactionReference: Reference }),
  reply: Type.Object({
    paymentMethod: nullable(Type.String()),
    createdOn: Type.String({ examples: ['2026-03-01T09:30:00.000+0000'] }),
    amount: Naira,
    fee: Type.Number({ description: 'Naira; fee that the customer pays', examples: [0] }),
    currencyCode: Type.String(),
    completedOn: nullable(Type.String()),
    customerName: Type.String({ examples: [''] }),
    customerEmail: Type.String({ examples: [''] }),
    paymentDescription: nullable(Type.String()),
    paymentStatus: PaymentStatus,
    transactionReference: Type.String(),
    paymentReference: Type.String(),
    payableAmount: Naira,
    amountPaid: Naira,
    completed: Type.Boolean(),
    flagged: Type.Boolean({ examples: [false] }),
    providerCode: nullable(Type.String()),
    merchantCode: Type.String(),
  }),
  refusals: [checkoutRefusals.notFound],
})

export const sdkTransfer = route({
  ...open,
  method: 'POST',
  path: `${PATH}/bank-transfer/init-payment`,
  summary: 'Get the account to pay an app’s payment into',
  body: Type.Object({ ...request, bankCode: optional(Type.String({ maxLength: 16, examples: ['058'] })) }),
  reply: BankTransferAccount,
  refusals: [
    ...LOOKUP_REFUSALS,
    ...notOpen,
    bankTransferRefusals.methodNotEnabled,
    bankTransferRefusals.unknownBank,
    ...noAccount,
  ],
})

export const sdkUssd = route({
  ...open,
  method: 'POST',
  path: `${PATH}/ussd/initialize`,
  summary: 'Get the USSD code that pays an app’s payment',
  body: Type.Object({
    ...request,
    bankUssdCode: Type.String({ minLength: 1, maxLength: 16, examples: ['*737#'] }),
  }),
  reply: Type.Object({
    ussdCode: nullable(Type.String({ examples: ['*737*2*9000*3000000003#'] })),
    paymentCode: Type.String({ description: 'account number that the code pays into' }),
    providerReference: Type.String(),
    transactionReference: Type.String(),
    paymentReference: Type.String(),
    authorizedAmount: Naira,
  }),
  refusals: [
    ...LOOKUP_REFUSALS,
    ...notOpen,
    bankTransferRefusals.methodNotEnabled,
    bankTransferRefusals.unknownBank,
    ...noAccount,
  ],
})

export const sdkInitCard = route({
  ...open,
  method: 'POST',
  path: `${PATH}/cards/init-card-transaction`,
  summary: 'Get the amount that a card pays',
  body: Type.Object(request),
  reply: Type.Object({ totalAmountPayable: Naira, amount: Naira, paymentFee: Type.Number({ examples: [0] }) }),
  refusals: [...LOOKUP_REFUSALS, cardRefusals.notEnabled],
})

export const sdkCardRequirements = route({
  ...open,
  method: 'POST',
  path: `${PATH}/cards/requirements`,
  summary: 'Check whether a card needs a PIN',
  body: Type.Object({
    transactionReference: optional(Reference),
    apiKey: optional(ApiKey),
    collectionChannel: CollectionChannel,
    pan: Type.String({ pattern: '^\\d{6,19}$', 'x-rule': 'a card number', examples: ['5060995994247093'] }),
  }),
  reply: Type.Object({ requirePin: Type.Boolean() }),
})

export const sdkCharge = route({
  ...open,
  method: 'POST',
  path: `${PATH}/cards/charge`,
  summary: 'Pay an app’s payment by card',
  body: Type.Object({ ...request, card: Card, deviceInformation: optional(DeviceInformation) }),
  reply: Type.Object({ ...CardChargeResult.properties, cardToken: Type.Null({ description: 'never given to apps' }) }),
  refusals: [...LOOKUP_REFUSALS, ...chargeCard.refusals],
})

export const sdkOtp = route({
  ...open,
  method: 'POST',
  path: `${PATH}/cards/otp/authorize`,
  summary: 'Confirm an app’s card payment with an OTP',
  body: Type.Object({
    ...request,
    tokenId: Type.String({ minLength: 1, maxLength: 128, description: '`otpData.id` of the charge' }),
    token: Type.String({ minLength: 1, maxLength: 32, examples: ['123456'] }),
  }),
  reply: CardAuthorizationResult,
  refusals: [...LOOKUP_REFUSALS, ...authorizeOtp.refusals],
})

export const sdkListBanks = route({
  ...open,
  method: 'GET',
  path: `${PATH}/bank/list-banks`,
  summary: 'List the banks that support pay with bank',
  description: 'The list is always empty, because no partner offers it yet.',
  reply: Type.Array(Type.Object({ name: Type.String(), code: Type.String() })),
})

export const sdkOtherMethod = route({
  ...open,
  method: 'POST',
  path: `${PATH}/phone-payment/initialize`,
  summary: 'Pay by phone number or with a bank login',
  description: 'Always rejected: no partner offers these methods yet, and they are never among `enabledPaymentMethod`.',
  body: Type.Object({ apiKey: optional(ApiKey) }),
  reply: Type.Object({ status: Type.String({ description: 'never returned, because the call is always rejected' }) }),
  refusals: [mobileRefusals.methodNotOffered],
  aliases: ['init-transaction', 'verify', 'charge', 'authorize/otp', 'transaction-status'].map(
    (word) => `${PATH}/bank/${word}`,
  ),
})

export const mobile = group({
  title: 'Mobile SDKs',
  text: 'The routes that Monnify’s published Android, iOS, Flutter and React Native SDKs call. New apps open the hosted checkout instead: see the guide about apps.',
  routes: {
    sdkInit,
    sdkQuery,
    sdkTransfer,
    sdkUssd,
    sdkInitCard,
    sdkCardRequirements,
    sdkCharge,
    sdkOtp,
    sdkListBanks,
    sdkOtherMethod,
  },
  refusals: mobileRefusals,
})
