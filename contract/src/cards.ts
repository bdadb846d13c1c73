import Type, { type TOptional, type TUnsafe } from 'typebox'
import { Naira, optional, Reference, words } from './fields.ts'
import { withStatus } from './refusal.ts'
import { cardRefusals, checkoutRefusals, notChargeable, transactionRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'
import { PaymentStatus } from './transactions.ts'

/** A card in a request. The gateway checks the number separately, because it has its own error. */
export const Card = Type.Object({
  number: Type.String({ maxLength: 64, description: '13 to 19 digits', examples: ['4111111111111111'] }),
  pin: optional(
    Type.String({
      pattern: '^(\\d{4})?$',
      'x-rule': '4 digits',
      description: 'Card PIN; leave it out if the card needs none',
      examples: ['1234'],
    }),
  ),
  expiryMonth: Type.String({
    pattern: '^(0?[1-9]|1[0-2])$',
    'x-rule': 'a month from 01 to 12',
    'x-number-as-text': true,
    examples: ['12'],
  }),
  expiryYear: Type.String({
    pattern: '^(\\d{2}|\\d{4})$',
    'x-rule': 'a 4-digit year',
    'x-number-as-text': true,
    examples: ['2030'],
  }),
  cvv: Type.String({ pattern: '^\\d{3,4}$', 'x-rule': '3 or 4 digits', examples: ['123'] }),
})

const Anything = (): TOptional<TUnsafe<string | boolean | number | null>> =>
  Type.Optional(Type.Unsafe<string | boolean | number | null>({ type: ['string', 'boolean', 'number', 'null'] }))

/** Facts about the customer's browser. Booleans and numbers may also be sent as strings. */
export const DeviceInformation = Type.Object({
  httpBrowserLanguage: Anything(),
  httpBrowserJavaEnabled: Anything(),
  httpBrowserJavaScriptEnabled: Anything(),
  httpBrowserColorDepth: Anything(),
  httpBrowserScreenHeight: Anything(),
  httpBrowserScreenWidth: Anything(),
  httpBrowserTimeDifference: Anything(),
  userAgentBrowserValue: Anything(),
})

/** The only `collectionChannel` that servers may send. */
const CollectionChannel = optional(words(['API_NOTIFICATION']))
/** The `collectionChannel` that apps send, on routes that servers call too. */
export const MOBILE_CHANNEL = 'MOBILE_SDK'

export const CARD_CHARGE_STATUSES = [
  'SUCCESS',
  'OTP_AUTHORIZATION_REQUIRED',
  'BANK_AUTHORIZATION_REQUIRED',
  'PENDING',
] as const
export type CardChargeStatus = (typeof CARD_CHARGE_STATUSES)[number]

/** The result of a charge, or the customer's next step. PENDING means that the outcome is not known yet. */
export const CardChargeResult = Type.Object({
  status: words(CARD_CHARGE_STATUSES),
  message: Type.String({ examples: ['Transaction Successful'] }),
  transactionReference: Type.String(),
  paymentReference: Type.String(),
  authorizedAmount: Naira,
  otpData: Type.Optional(
    Type.Object({
      id: Type.String({ description: '`tokenId` for the authorization' }),
      message: Type.String(),
      authData: Type.String({ description: 'opaque value' }),
    }),
  ),
  secure3dData: Type.Optional(
    Type.Object({
      id: Type.String(),
      redirectUrl: Type.String({ description: 'URL to redirect the customer’s browser to' }),
      acsUrl: Type.String({ description: 'URL of the issuer’s own page' }),
      method: words(['GET', 'POST'], 'HTTP method for acsUrl'),
    }),
  ),
})

/** The charge result plus the transaction's status and amount paid. */
export const CardAuthorizationResult = Type.Object({
  ...CardChargeResult.properties,
  paymentStatus: PaymentStatus,
  amountPaid: Naira,
  currencyPaid: Type.String({ examples: ['NGN'] }),
})

export const chargeCard = route({
  method: 'POST',
  path: '/api/v1/merchant/cards/charge',
  summary: 'Charge a card',
  description:
    'Only for merchants that may handle raw card data; all others use the hosted checkout. SUCCESS means paid. OTP_AUTHORIZATION_REQUIRED and BANK_AUTHORIZATION_REQUIRED mean that the customer must take another step. ' +
    'PENDING means that the issuer has not responded: Kobo queries it every 30 seconds, and a new charge of the transaction returns PENDING without charging the card.',
  permission: 'cards',
  scope: 'collect.make',
  body: Type.Object({
    transactionReference: Reference,
    collectionChannel: CollectionChannel,
    card: Card,
    deviceInformation: optional(DeviceInformation),
  }),
  reply: CardChargeResult,
  refusals: [
    cardRefusals.invalidNumber,
    cardRefusals.expiredCard,
    ...withStatus(400, [transactionRefusals.unknown, ...notChargeable, cardRefusals.declined, cardRefusals.superseded]),
    cardRefusals.tooManyCharges,
    cardRefusals.tooManyDeclines,
    cardRefusals.paused,
  ],
})

export const authorizeOtp = route({
  method: 'POST',
  path: '/api/v1/merchant/cards/otp/authorize',
  summary: 'Authorize a card charge with an OTP',
  description: 'After five wrong OTPs the charge fails; you can charge the transaction again.',
  permission: 'cards',
  scope: 'collect.make',
  body: Type.Object({
    transactionReference: Reference,
    collectionChannel: CollectionChannel,
    tokenId: Type.String({ minLength: 1, maxLength: 128, description: '`otpData.id` of the charge' }),
    token: Type.String({
      minLength: 1,
      maxLength: 32,
      description: 'OTP sent to the customer’s device',
      examples: ['123456'],
    }),
  }),
  reply: CardAuthorizationResult,
  refusals: [
    transactionRefusals.unknown,
    cardRefusals.noCardPayment,
    cardRefusals.unknownTokenId,
    cardRefusals.notForOtp,
    cardRefusals.wrongOtp,
    cardRefusals.anotherOtp,
    cardRefusals.declined,
    cardRefusals.superseded,
    ...notChargeable,
  ],
})

export const authorizeSecure3d = route({
  method: 'POST',
  path: '/api/v1/sdk/cards/secure-3d/authorize',
  summary: 'Get the result of 3-D Secure',
  description:
    'Returns BANK_AUTHORIZATION_REQUIRED until the customer has decided at `acsUrl`, then the result. The call is optional: the event and the transaction status report the result too.',
  permission: 'cards',
  scope: 'collect.make',
  forApps: true,
  body: Type.Object({
    transactionReference: Reference,
    collectionChannel: optional(words(['API_NOTIFICATION', MOBILE_CHANNEL])),
    card: optional(Card),
    apiKey: Type.String({ minLength: 1, maxLength: 64 }),
  }),
  reply: CardAuthorizationResult,
  refusals: [
    cardRefusals.anotherApiKey,
    // For apps only.
    checkoutRefusals.notFound,
    checkoutRefusals.paused,
    cardRefusals.invalidNumber,
    cardRefusals.expiredCard,
    transactionRefusals.unknown,
    cardRefusals.noCardPayment,
    cardRefusals.anotherCard,
    cardRefusals.declined,
    cardRefusals.superseded,
    ...notChargeable,
  ],
})

export const cards = group({
  title: 'Cards',
  text: 'Charge a card, with the OTP or 3-D Secure step that its issuer requires.',
  routes: { chargeCard, authorizeOtp, authorizeSecure3d },
  refusals: cardRefusals,
})
