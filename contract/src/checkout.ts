import Type from 'typebox'
import { authorizeOtp, CARD_CHARGE_STATUSES, Card, chargeCard, DeviceInformation } from './cards.ts'
import { REJECTION_REASONS } from './events.ts'
import {
  AccountNumber,
  Amount,
  BankCode,
  ContractCode,
  CurrencyCode,
  Email,
  IncomeSplitConfig,
  MetaData,
  Naira,
  nullable,
  optional,
  PaymentMethod,
  Reference,
  Text,
  words,
} from './fields.ts'
import type { LinkPage } from './payment-links.ts'
import { NO_PERMISSION } from './permissions.ts'
import {
  bankTransferRefusals,
  checkoutRefusals,
  noAccount,
  notOpen,
  paymentTerms,
  sandboxRefusals,
  transactionRefusals,
} from './refusals/index.ts'
import { group, type Reply, route } from './route.ts'
import { PaymentStatus } from './transactions.ts'

/** Why an issuer said no, as far as its words tell. What the payer reads follows from this, in the payer's language. */
export const CARD_DECLINES = [
  'INSUFFICIENT_FUNDS',
  'WRONG_PIN',
  'WRONG_DETAILS',
  'EXPIRED_CARD',
  'BLOCKED_CARD',
  'LIMIT_EXCEEDED',
  'NOT_PERMITTED',
  'SUSPECTED_FRAUD',
  'TOO_MANY_CODES',
  'NOT_CONFIRMED',
  'TOO_LATE',
  'ISSUER_AWAY',
  'OTHER',
] as const
export type CardDecline = (typeof CARD_DECLINES)[number]

/** The last card that the payer gave on the page, or that paid: how far it has come. So a page that is loaded again goes on. */
const CheckoutCard = Type.Object({
  step: words(['CODE', 'BANK', 'IN_PROGRESS', 'DECLINED', 'PAID']),
  brand: Type.String({ examples: ['Verve'] }),
  last4: Type.String({ examples: ['7093'] }),
  tokenId: nullable(Type.String({ description: 'what a one-time code is sent with, where one is asked for' })),
  triesLeft: nullable(Type.Integer({ description: 'how often a one-time code can still be tried' })),
  redirectUrl: nullable(Type.String({ description: 'the issuer’s page, where the payer is to go' })),
  decline: nullable(words(CARD_DECLINES, 'why its issuer said no')),
})

const UnixMilliseconds = Type.Integer({ description: 'Unix milliseconds', examples: [1_772_357_400_000] })

/** What a payer may know of a transaction: whom it pays, how much, how, and how far it has come; once paid, by whom. */
export const Checkout = Type.Object({
  transactionReference: Type.String(),
  paymentReference: Type.String(),
  merchantName: Type.String(),
  merchantLogo: nullable(Type.String({ description: 'where the merchant’s logo is' })),
  supportContact: nullable(Type.String({ description: 'whom the payer can ask', examples: ['help@shop.example'] })),
  paymentDescription: nullable(Type.String()),
  currencyCode: Type.String(),
  amount: Naira,
  fee: Type.Number({ description: 'Naira that the payer bears beside the amount', examples: [0] }),
  totalPayable: Naira,
  amountPaid: Type.Number({ description: 'Naira that have arrived', examples: [0] }),
  paymentStatus: PaymentStatus,
  completed: Type.Boolean({ description: 'nothing more can happen to it' }),
  paymentMethods: Type.Array(Type.String(), { description: 'by which it can be paid now' }),
  paymentMethod: nullable(Type.String({ description: 'by which it was paid' })),
  paidOn: nullable(UnixMilliseconds),
  expiresOn: UnixMilliseconds,
  now: UnixMilliseconds,
  account: nullable(
    Type.Object({
      accountNumber: Type.String(),
      accountName: Type.String(),
      bankCode: Type.String(),
      bankName: Type.String(),
    }),
  ),
  card: nullable(CheckoutCard),
  payer: nullable(
    Type.String({ description: 'once paid: the name that the money came from', examples: ['ADA OBI, ******6789'] }),
  ),
  receiptNumber: Type.String({ examples: ['R-20260301093000-01000001'] }),
  invoice: nullable(
    Type.Object(
      { customerName: nullable(Type.String()), invoiceReference: Type.String() },
      { description: 'where it is an invoice: whom it is to' },
    ),
  ),
  cardInProgress: Type.Boolean({ description: 'a card was charged and its issuer has not answered yet' }),
  paused: Type.Boolean({
    description: 'the merchant takes no payments at the moment: the payer can look, and do nothing',
  }),
  canSaveCard: Type.Boolean({ description: 'the payer may be asked whether the merchant may keep the card' }),
  returns: Type.Array(
    Type.Object({
      amount: Naira,
      reason: words(REJECTION_REASONS),
      state: words(['ON_ITS_WAY_BACK', 'RETURNED']),
    }),
    { description: 'money that came for it and was not taken, newest first' },
  ),
  returnUrl: nullable(Type.String({ description: 'the merchant’s `redirectUrl` with `paymentReference` added' })),
})

const CheckoutParams = Type.Object({
  checkoutReference: Type.String({
    ...Reference,
    description: 'what stands behind `/checkout/` in `checkoutUrl`: the transaction reference, a dot and a key',
    examples: ['KOBO|01|20260301093000|000001.Zk3nT8qVw1xY5bC9dE2fGh'],
  }),
})

export const getCheckout = route({
  method: 'GET',
  path: '/checkout/:checkoutReference/state',
  summary: 'What the payer may know of a transaction',
  description:
    'The page at `checkoutUrl` follows a payment with this, and with the same as server-sent events at `/checkout/{checkoutReference}/events`.',
  access: 'open',
  permission: NO_PERMISSION.payer,
  params: CheckoutParams,
  reply: Checkout,
  refusals: [checkoutRefusals.notFound],
})

const Dialled = Type.Object({
  checkout: Checkout,
  ussdPayment: nullable(Type.String({ examples: ['*737*2*9000*3000000003#'] })),
})

export const checkoutTransfer = route({
  method: 'POST',
  path: '/checkout/:checkoutReference/transfer',
  summary: 'The payer wants to pay by bank transfer',
  description: 'Opens the account to pay into, where there is none yet.',
  access: 'open',
  permission: NO_PERMISSION.payer,
  params: CheckoutParams,
  body: Type.Object({}),
  reply: Checkout,
  refusals: [
    checkoutRefusals.notFound,
    checkoutRefusals.paused,
    ...notOpen,
    bankTransferRefusals.methodNotEnabled,
    ...noAccount,
  ],
})

export const checkoutUssd = route({
  method: 'POST',
  path: '/checkout/:checkoutReference/ussd',
  summary: 'The payer wants to pay by dialling',
  description:
    'Opens the account to pay into, where there is none yet, and answers what a customer of the bank dials; null where the bank has no such text.',
  access: 'open',
  permission: NO_PERMISSION.payer,
  params: CheckoutParams,
  body: Type.Object({ bankCode: BankCode }),
  reply: Dialled,
  refusals: [
    checkoutRefusals.notFound,
    checkoutRefusals.paused,
    bankTransferRefusals.unknownBank,
    ...notOpen,
    bankTransferRefusals.methodNotEnabled,
    ...noAccount,
  ],
})

/**
 * The texts by which payers agree that a merchant keeps their card, by version. Another wording on the page is another
 * version: an agreement is to the words that were shown.
 */
export const SAVE_CARD_TEXTS = ['checkout-1'] as const

const ChargedCheckout = Type.Object({
  status: words(CARD_CHARGE_STATUSES),
  message: Type.String({ examples: ['Transaction Successful'] }),
  otp: nullable(Type.Object({ tokenId: Type.String(), message: Type.String() })),
  redirectUrl: nullable(Type.String({ description: 'the issuer’s page, where the payer goes next' })),
  checkout: Checkout,
})
export const checkoutCard = route({
  method: 'POST',
  path: '/checkout/:checkoutReference/card',
  summary: 'The payer pays by card',
  description: 'As the charge of the API, for the payer: the merchant never sees the card, nor what is answered.',
  access: 'open',
  permission: NO_PERMISSION.payer,
  params: CheckoutParams,
  body: Type.Object({
    card: Card,
    deviceInformation: optional(DeviceInformation),
    saveCard: optional(
      words(SAVE_CARD_TEXTS, 'the text by which the payer agreed that the merchant keeps the card; left out where not'),
    ),
  }),
  reply: ChargedCheckout,
  refusals: [checkoutRefusals.notFound, checkoutRefusals.paused, ...chargeCard.refusals],
})

export const checkoutOtp = route({
  method: 'POST',
  path: '/checkout/:checkoutReference/otp',
  summary: 'The payer confirms a card payment with a one-time code',
  access: 'open',
  permission: NO_PERMISSION.payer,
  params: CheckoutParams,
  body: Type.Object({
    tokenId: Type.String({ minLength: 1, maxLength: 128, description: '`otp.tokenId` of the charge' }),
    token: Type.String({ minLength: 1, maxLength: 32, description: 'the one-time code', examples: ['123456'] }),
  }),
  reply: ChargedCheckout,
  refusals: [checkoutRefusals.notFound, checkoutRefusals.paused, ...authorizeOtp.refusals],
})

export const mailReceipt = route({
  method: 'POST',
  path: '/checkout/:checkoutReference/receipt',
  summary: 'The payer wants the receipt by mail',
  description:
    'It goes to the address that the transaction has, and to no other. The same as PDF is at `/checkout/{checkoutReference}/receipt.pdf`, that of an invoice at `/checkout/{checkoutReference}/invoice.pdf`, in the language that `?lang=` names.',
  access: 'open',
  permission: NO_PERMISSION.payer,
  params: CheckoutParams,
  body: Type.Object({
    language: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 3,
        description: 'The language of the mail: en, pcm, ha, yo or ig; English for any other',
        examples: ['ha'],
      }),
    ),
  }),
  reply: Type.Object({ receiptNumber: Type.String({ examples: ['R-20260301093000-01000001'] }) }),
  refusals: [checkoutRefusals.notFound, checkoutRefusals.nothingPaid],
})

export const inlineCheckout = route({
  method: 'POST',
  path: '/plugin/transactions',
  summary: 'Open a transaction from a merchant’s page',
  description:
    'What `/plugin/checkout.js` calls, on pages of the origins that the merchant has registered. The API key is public and proves nothing: before you deliver, ' +
    'compare amount and reference with your own order, by the event or the status of the transaction. Only pages of the origin that asked may show this checkout in a frame. ' +
    'Asked again by the same origin with the same values, it answers the same transaction while that can be paid.',
  access: 'open',
  permission: NO_PERMISSION.payer,
  origin: 'any',
  body: Type.Object({
    apiKey: Type.String({ maxLength: 64 }),
    contractCode: ContractCode,
    amount: Amount,
    currency: CurrencyCode,
    reference: Reference,
    customerFullName: optional(Text),
    customerName: optional(Text),
    customerEmail: Email,
    paymentDescription: optional(Text),
    paymentMethods: optional(Type.Array(PaymentMethod, { maxItems: 10 })),
    incomeSplitConfig: optional(IncomeSplitConfig),
    metadata: optional(MetaData),
    metaData: optional(MetaData),
    signature: optional(
      Type.String({
        pattern: '^[0-9a-f]{128}$',
        'x-rule': '128 lower-case hex digits',
        description:
          'HMAC-SHA-512 under the secret key, made by the merchant’s server, of `contractCode|reference|amount|currency|incomeSplitConfig`: the amount with two decimals, the splits as JSON with sorted keys and no blanks, `[]` where there are none',
      }),
    ),
  }),
  reply: Type.Object({
    transactionReference: Type.String(),
    paymentReference: Type.String(),
    merchantName: Type.String(),
    checkoutUrl: Type.String(),
  }),
  refusals: [
    checkoutRefusals.unknownMerchant,
    checkoutRefusals.paused,
    checkoutRefusals.noOrigin,
    checkoutRefusals.insecureOrigin,
    checkoutRefusals.inlineNotEnabled,
    checkoutRefusals.originNotAllowed,
    checkoutRefusals.wrongSignature,
    checkoutRefusals.referenceNotForPages,
    checkoutRefusals.splitsNotSigned,
    ...paymentTerms,
    transactionRefusals.duplicateReference,
  ],
})

export const enquireName = route({
  method: 'GET',
  path: '/sandbox/name-enquiry',
  summary: 'The customer’s banking app: whose account it is',
  description: 'Open to anyone in the sandbox. Knows the accounts that money can be sent to with `/sandbox/transfers`.',
  environment: 'sandbox',
  access: 'open',
  permission: NO_PERMISSION.sandbox,
  query: Type.Object({ bankCode: BankCode, accountNumber: AccountNumber }),
  reply: Type.Object({
    bankCode: Type.String(),
    bankName: Type.String(),
    accountNumber: Type.String(),
    accountName: Type.String(),
  }),
  refusals: [sandboxRefusals.unknownAccount],
})

export const checkout = group({
  title: 'Checkout',
  text: 'What the payer’s pages call, with no key but that of `checkoutUrl`. Listed for those who build pages of their own.',
  routes: { getCheckout, checkoutTransfer, checkoutUssd, checkoutCard, checkoutOtp, mailReceipt, inlineCheckout },
  refusals: checkoutRefusals,
})

/** What the page at `checkoutUrl` starts from. */
export interface CheckoutPage {
  readonly checkout: Reply<typeof getCheckout>
  /** By what the page names its payment to the gateway. */
  readonly checkoutReference: string
  /** Where the page is, for going on with it on another device. */
  readonly url: string
  /** Banks whose customers can dial a payment. */
  readonly banks: readonly { readonly code: string; readonly name: string }[]
  /** The origin of the page that shows this one in a frame. */
  readonly framedBy: string | null
  /** Whether no real money moves. */
  readonly isSandbox: boolean
  /** The way to pay that the link names, if any. */
  readonly method: string | null
  /** The bank that the payer chose in a form, where the page is used without its script. */
  readonly dialled: { readonly bankCode: string; readonly ussdPayment: string | null } | null
}

/** What stands on receipts and invoices, in one language. */
export interface PaperWords {
  readonly sandboxNote: string
  readonly questions: (merchant: string) => string
  readonly receipt: string
  readonly receiptNumber: string
  readonly merchant: string
  readonly description: string
  readonly date: string
  readonly method: string
  readonly methodNames: Readonly<Record<string, string>>
  readonly payer: string
  readonly orderReference: string
  readonly transactionReference: string
  readonly invoice: string
  readonly billedTo: string
  readonly payBy: string
  readonly accountName: string
  /** The account's name with whom it is for. */
  readonly accountOf: (name: string, merchant: string) => string
  readonly paidOf: (paid: string, total: string) => string
  readonly receivedBy: (merchant: string) => string
  readonly invoiceNumber: string
  readonly issuedOn: string
  readonly paidSoFar: string
  readonly stillToPay: string
  readonly payInto: string
  readonly payHere: string
  /** The subject of the mail that is a receipt. */
  readonly receiptFrom: (merchant: string, amount: string) => string
  readonly received: (merchant: string, amount: string) => string
  readonly toKeep: (url: string) => string
}

/** What the gateway needs of the pages' code: it writes the first state of the checkout as HTML. */
export interface CheckoutWriter {
  /** The best of the languages that there are. */
  readonly chooseLanguage: (asked: {
    readonly query: string | undefined
    readonly cookie: string | undefined
    readonly accepted: string | undefined
  }) => string
  readonly write: (page: CheckoutPage, language: string) => { readonly title: string; readonly markup: string }
  /** The page of a payment link. */
  readonly writeLink: (page: LinkPage, language: string) => { readonly title: string; readonly markup: string }
  readonly paperWords: (language: string) => PaperWords
}
