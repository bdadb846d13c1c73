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
  MailLanguage,
  MetaData,
  Naira,
  nullable,
  optional,
  PaymentMethods,
  Reference,
  Text,
  words,
} from './fields.ts'
import { InvoiceItem } from './invoices.ts'
import type { PayerTexts } from './payer-texts.ts'
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

/** The reason of a decline, derived from the issuer's response. It selects the message in the customer's language. */
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

/** The card that the customer last used on the page, and its progress, so that a reloaded page can continue. */
const CheckoutCard = Type.Object({
  step: words(['CODE', 'BANK', 'IN_PROGRESS', 'DECLINED', 'PAID']),
  brand: Type.String({ examples: ['Verve'] }),
  last4: Type.String({ examples: ['7093'] }),
  tokenId: nullable(Type.String({ description: 'value to send with the one-time code, if one is required' })),
  triesLeft: nullable(Type.Integer({ description: 'remaining attempts for the one-time code' })),
  redirectUrl: nullable(Type.String({ description: 'URL of the issuer’s page for the customer' })),
  decline: nullable(words(CARD_DECLINES, 'reason of the decline')),
})

const UnixMilliseconds = Type.Integer({ description: 'Unix milliseconds', examples: [1_772_357_400_000] })

/** The payer's view of a transaction: merchant, amount, payment methods, status and, once paid, the payer's name. */
export const Checkout = Type.Object({
  transactionReference: Type.String(),
  paymentReference: Type.String(),
  merchantName: Type.String(),
  merchantLogo: nullable(Type.String({ description: 'URL of the merchant’s logo' })),
  supportContact: nullable(
    Type.String({ description: 'merchant’s contact for customers', examples: ['help@shop.example'] }),
  ),
  paymentDescription: nullable(Type.String()),
  currencyCode: Type.String(),
  amount: Naira,
  fee: Type.Number({ description: 'Naira; fee that the customer pays on top of the amount', examples: [0] }),
  totalPayable: Naira,
  amountPaid: Type.Number({ description: 'Naira; amount received so far', examples: [0] }),
  paymentStatus: PaymentStatus,
  completed: Type.Boolean({ description: 'whether the transaction is final' }),
  paymentMethods: Type.Array(Type.String(), { description: 'payment methods available now' }),
  paymentMethod: nullable(Type.String({ description: 'payment method used' })),
  createdOn: UnixMilliseconds,
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
  payer: nullable(Type.String({ description: 'payer’s name, once paid', examples: ['ADA OBI, ******6789'] })),
  receiptNumber: Type.String({ examples: ['R-20260301093000-01000001'] }),
  receiptProof: nullable(
    Type.String({
      description:
        'URL of the receipt’s QR code, with a signed statement of the payment after #; null without a receipt',
      examples: ['https://pay.example.com/receipt#r1.1.WyJEZW1vIFNob3AiLCI1MDAwLjAwIl0.c2lnbmF0dXJl'],
    }),
  ),
  invoice: nullable(
    Type.Object(
      {
        customerName: nullable(Type.String()),
        invoiceReference: Type.String(),
        items: Type.Array(InvoiceItem),
      },
      { description: 'invoice details, if the transaction is an invoice' },
    ),
  ),
  cardInProgress: Type.Boolean({ description: 'whether a card was charged and its issuer has not responded yet' }),
  paused: Type.Boolean({
    description: 'whether the merchant is not accepting payments at the moment; the page is then read-only',
  }),
  canSaveCard: Type.Boolean({ description: 'whether the page may ask the customer to save the card' }),
  returns: Type.Array(
    Type.Object({
      amount: Naira,
      reason: words(REJECTION_REASONS),
      state: words(['ON_ITS_WAY_BACK', 'RETURNED']),
    }),
    { description: 'money that was received but rejected, newest first' },
  ),
  returnUrl: nullable(Type.String({ description: 'merchant’s `redirectUrl` with `paymentReference` appended' })),
})

const CheckoutParams = Type.Object({
  checkoutReference: Type.String({
    ...Reference,
    description: 'last part of `checkoutUrl`, after `/checkout/`: transaction reference, dot, key',
    examples: ['KOBO|01|20260301093000|000001.Zk3nT8qVw1xY5bC9dE2fGh'],
  }),
})

export const getCheckout = route({
  method: 'GET',
  path: '/checkout/:checkoutReference/state',
  summary: 'Get a transaction’s checkout state',
  description:
    'The page at `checkoutUrl` polls this route, or receives the same data as server-sent events at `/checkout/{checkoutReference}/events`.',
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
  summary: 'Get the account to pay into by bank transfer',
  description: 'Opens the account if there is none yet.',
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
  summary: 'Get the USSD code to dial',
  description:
    'Opens the account if there is none yet, and returns the USSD code for the customer’s bank. The code is null if the bank has none.',
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
 * The versions of the consent text for saving a card. A new wording is a new version, because consent covers only the
 * words shown.
 */
export const SAVE_CARD_TEXTS = ['checkout-1'] as const

const ChargedCheckout = Type.Object({
  status: words(CARD_CHARGE_STATUSES),
  message: Type.String({ examples: ['Transaction Successful'] }),
  otp: nullable(Type.Object({ tokenId: Type.String(), message: Type.String() })),
  redirectUrl: nullable(Type.String({ description: 'URL of the issuer’s page, if the customer must go there next' })),
  checkout: Checkout,
})
export const checkoutCard = route({
  method: 'POST',
  path: '/checkout/:checkoutReference/card',
  summary: 'Pay by card',
  description: 'The hosted checkout’s version of a card charge: the merchant never sees the card or the response.',
  access: 'open',
  permission: NO_PERMISSION.payer,
  params: CheckoutParams,
  body: Type.Object({
    card: Card,
    deviceInformation: optional(DeviceInformation),
    saveCard: optional(words(SAVE_CARD_TEXTS, 'version of the consent text, if the customer agreed to save the card')),
  }),
  reply: ChargedCheckout,
  refusals: [checkoutRefusals.notFound, checkoutRefusals.paused, ...chargeCard.refusals],
})

export const checkoutOtp = route({
  method: 'POST',
  path: '/checkout/:checkoutReference/otp',
  summary: 'Confirm a card payment with a one-time code',
  access: 'open',
  permission: NO_PERMISSION.payer,
  params: CheckoutParams,
  body: Type.Object({
    tokenId: Type.String({ minLength: 1, maxLength: 128, description: '`otp.tokenId` of the charge' }),
    token: Type.String({ minLength: 1, maxLength: 32, description: 'one-time code', examples: ['123456'] }),
  }),
  reply: ChargedCheckout,
  refusals: [checkoutRefusals.notFound, checkoutRefusals.paused, ...authorizeOtp.refusals],
})

export const mailReceipt = route({
  method: 'POST',
  path: '/checkout/:checkoutReference/receipt',
  summary: 'Email the receipt',
  description:
    'Sends it only to the email address of the transaction. The PDFs are at `/checkout/{checkoutReference}/receipt.pdf` and, for invoices, `/checkout/{checkoutReference}/invoice.pdf`; `?lang=` selects the language.',
  access: 'open',
  permission: NO_PERMISSION.payer,
  params: CheckoutParams,
  body: Type.Object({
    language: MailLanguage,
  }),
  reply: Type.Object({ receiptNumber: Type.String({ examples: ['R-20260301093000-01000001'] }) }),
  refusals: [checkoutRefusals.notFound, checkoutRefusals.nothingPaid],
})

const SinceThen = Type.Number({ description: 'Naira', examples: [0] })

export const checkReceipt = route({
  method: 'POST',
  path: '/receipt/status',
  summary: 'Get the current state of a receipt’s payment',
  description:
    'The QR code of a receipt leads to `/receipt#…`. The part after # is a signed statement of the payment as it was when the receipt was made; this route returns its current state. The public keys to verify statements without this route are at `/.well-known/kobo-receipt-keys.json`.',
  access: 'open',
  permission: NO_PERMISSION.payer,
  body: Type.Object({
    receipt: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'signed statement: the part of `receiptProof` after #',
      examples: ['r1.1.WyJEZW1vIFNob3AiLCI1MDAwLjAwIl0.c2lnbmF0dXJl'],
    }),
  }),
  reply: Type.Object({
    transactionReference: Type.String(),
    currencyCode: Type.String(),
    amountPaid: Naira,
    amountRefunded: SinceThen,
    amountReversed: SinceThen,
    now: UnixMilliseconds,
  }),
  refusals: [checkoutRefusals.receiptNotSigned, checkoutRefusals.notFound],
})

export const inlineCheckout = route({
  method: 'POST',
  path: '/plugin/transactions',
  summary: 'Open a transaction from a merchant’s page',
  description:
    '`/plugin/checkout.js`, and `/plugin/monnify.js` for pages written for Monnify, call this route from the origins that the merchant has registered. The API key is public and proves nothing: before you deliver, ' +
    'compare the amount and reference of the event or transaction status with your own order. Only pages of the calling origin may show this checkout in a frame. ' +
    'A repeated call from the same origin with the same values returns the same transaction while it can still be paid.',
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
    paymentMethods: optional(PaymentMethods),
    incomeSplitConfig: optional(IncomeSplitConfig),
    metadata: optional(MetaData),
    metaData: optional(MetaData),
    signature: optional(
      Type.String({
        pattern: '^[0-9a-f]{128}$',
        'x-rule': '128 lower-case hex digits',
        description:
          'HMAC-SHA-512 with the secret key, computed on the merchant’s server, of `contractCode|reference|amount|currency|incomeSplitConfig`: the amount with two decimals, the splits as JSON with sorted keys and no whitespace, `[]` if there are none',
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
  summary: 'Look up an account holder in the customer’s banking app',
  description: 'Sandbox only; needs no token. Finds the accounts that `/sandbox/transfers` can pay into.',
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
  text: 'The routes that the checkout pages call; they need only the key in `checkoutUrl`. Use them to build a checkout page of your own.',
  routes: {
    getCheckout,
    checkoutTransfer,
    checkoutUssd,
    checkoutCard,
    checkoutOtp,
    mailReceipt,
    checkReceipt,
    inlineCheckout,
  },
  refusals: checkoutRefusals,
})

/** The initial data of the page at `checkoutUrl`. */
export interface CheckoutPage {
  readonly checkout: Reply<typeof getCheckout>
  /** The payment's identifier in the page's API calls. */
  readonly checkoutReference: string
  /** The page's URL, for continuing on another device. */
  readonly url: string
  /** Banks that support USSD payments. */
  readonly banks: readonly { readonly code: string; readonly name: string }[]
  /** The origin of the page that embeds this one in a frame. */
  readonly framedBy: string | null
  /** True if no real money moves. */
  readonly isSandbox: boolean
  /** The payment method that the link preselects, if any. */
  readonly method: string | null
  /** The bank that the customer chose in the form, if the page runs without JavaScript. */
  readonly dialled: { readonly bankCode: string; readonly ussdPayment: string | null } | null
}

/** Renders the customer's pages as HTML. The code comes from `web/`; the gateway loads it. */
export interface CheckoutWriter {
  /** Returns the best match among the supported languages. */
  readonly chooseLanguage: (request: {
    readonly query: string | undefined
    readonly cookie: string | undefined
    readonly accepted: string | undefined
  }) => string
  readonly write: (page: CheckoutPage, language: string) => { readonly title: string; readonly markup: string }
  /** Renders the page of a payment link. */
  readonly writeLink: (page: LinkPage, language: string) => { readonly title: string; readonly markup: string }
  readonly texts: (language: string) => PayerTexts
  /** The modules of a QR code, row by row; true is dark. */
  readonly qrModules: (text: string) => readonly (readonly boolean[])[]
}
