import Type, { type TOptional, type TUnsafe } from 'typebox'
import { Naira, optional, Reference, words } from './fields.ts'
import { withStatus } from './refusal.ts'
import { cardRefusals, notChargeable, transactionRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'
import { PaymentStatus } from './transactions.ts'

/** A card as the merchant sends it. Whether the number is one is checked by its own rule, and refused in its own words. */
export const Card = Type.Object({
  number: Type.String({ maxLength: 64, description: '13 to 19 digits', examples: ['4111111111111111'] }),
  pin: optional(
    Type.String({
      pattern: '^(\\d{4})?$',
      'x-rule': '4 digits',
      description: 'May be left out where the card needs none',
      examples: ['1234'],
    }),
  ),
  expiryMonth: Type.String({ pattern: '^(0?[1-9]|1[0-2])$', 'x-rule': 'a month from 01 to 12', examples: ['12'] }),
  expiryYear: Type.String({ pattern: '^(\\d{2}|\\d{4})$', 'x-rule': 'a year of 4 digits', examples: ['2030'] }),
  cvv: Type.String({ pattern: '^\\d{3,4}$', 'x-rule': '3 or 4 digits', examples: ['123'] }),
})

const Anything = (): TOptional<TUnsafe<string | boolean | number | null>> =>
  Type.Optional(Type.Unsafe<string | boolean | number | null>({ type: ['string', 'boolean', 'number', 'null'] }))

/** What the payer's browser says of itself. Values may be texts. */
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

/** Server calls are all of one channel. */
const CollectionChannel = optional(words(['API_NOTIFICATION']))

export const CARD_CHARGE_STATUSES = [
  'SUCCESS',
  'OTP_AUTHORIZATION_REQUIRED',
  'BANK_AUTHORIZATION_REQUIRED',
  'PENDING',
] as const
export type CardChargeStatus = (typeof CARD_CHARGE_STATUSES)[number]

/** What came of a charge, or what the payer must do next. PENDING: the outcome is not known yet, and will be. */
export const CardChargeResult = Type.Object({
  status: words(CARD_CHARGE_STATUSES),
  message: Type.String({ examples: ['Transaction Successful'] }),
  transactionReference: Type.String(),
  paymentReference: Type.String(),
  authorizedAmount: Naira,
  otpData: Type.Optional(
    Type.Object({
      id: Type.String({ description: 'the `tokenId` of the authorization' }),
      message: Type.String(),
      authData: Type.String({ description: 'an opaque value' }),
    }),
  ),
  secure3dData: Type.Optional(
    Type.Object({
      id: Type.String(),
      redirectUrl: Type.String({ description: 'send the payer’s browser there' }),
      acsUrl: Type.String({ description: 'the issuer’s own page' }),
      method: words(['GET', 'POST'], 'how the browser is to ask for acsUrl'),
    }),
  ),
})

/** The same with what the transaction has come to. */
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
    'For merchants that may handle raw card data; all others use the hosted checkout. SUCCESS means paid. OTP_AUTHORIZATION_REQUIRED and BANK_AUTHORIZATION_REQUIRED say what the payer must do. ' +
    'PENDING means that the issuer has not answered: it is asked again every 30 seconds, and charging the transaction again meanwhile answers PENDING and charges nothing.',
  permission: 'cards',
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
  description: 'Five wrong OTPs end the charge; the transaction may be charged again.',
  permission: 'cards',
  body: Type.Object({
    transactionReference: Reference,
    collectionChannel: CollectionChannel,
    tokenId: Type.String({ minLength: 1, maxLength: 128, description: '`otpData.id` of the charge' }),
    token: Type.String({
      minLength: 1,
      maxLength: 32,
      description: 'the OTP sent to the payer’s device',
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
  summary: 'Ask what came of 3-D Secure',
  description:
    'Answers BANK_AUTHORIZATION_REQUIRED until the payer has decided at `acsUrl`, then the result. The payment is settled without this call too: the event and the status tell.',
  permission: 'cards',
  body: Type.Object({
    transactionReference: Reference,
    collectionChannel: CollectionChannel,
    card: Card,
    apiKey: Type.String({ minLength: 1, maxLength: 64 }),
  }),
  reply: CardAuthorizationResult,
  refusals: [
    cardRefusals.anotherApiKey,
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
  text: 'Charge a card, with the OTP or the 3-D Secure that its issuer asks for.',
  routes: { chargeCard, authorizeOtp, authorizeSecure3d },
  refusals: cardRefusals,
})
