/**
 * Other names of a field in requests, because clients of Monnify's API send them. If a request has both names, the
 * documented one wins. Routes refer to these names, the docs list them, and a test sends each.
 */
export const OTHER_NAMES = {
  initiateTransfer: {
    currency: 'currencyCode',
    sourceAccountNumber: 'walletId',
    destinationBankCode: 'bankCode',
    destinationAccountNumber: 'accountNumber',
  },
  initiateBatch: { sourceAccountNumber: 'walletId' },
  /** An item of a batch's `transactionList`. */
  batchItem: { destinationBankCode: 'bankCode', destinationAccountNumber: 'accountNumber' },
  resendTransferCode: { reference: 'batchReference' },
  resendBatchCode: { batchReference: 'reference' },
  getWalletBalance: { accountNumber: 'walletId' },
  vendBill: { amount: 'vendAmount', reference: 'vendReference' },
  requeryBill: { reference: 'vendReference' },
  reserveAccount: { bvn: 'customerBvn' },
  reserveInvoiceAccount: { bvn: 'customerBvn' },
  reserveAccountWithLimit: { bvn: 'customerBvn' },
  initiateRefund: { refundAmount: 'amount', destinationAccountBankCode: 'destinationBankCode' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

/** An unusual form of a value that the API accepts, and how it is read. */
interface LenientForm {
  readonly sent: string
  readonly read: string
  readonly where: string
}

/** The unusual forms of values, by name. The docs list them, and a test sends each. */
export const LENIENT_FORMS = {
  unknownMethod: {
    sent: 'a payment method that Kobo does not know, such as `PHONE_NUMBER`',
    read: 'left out; at least one known method must remain',
    where: '`paymentMethods`',
  },
  emptyText: {
    sent: '`""` or `null`',
    read: 'as if the field were absent',
    where: 'optional fields of a body that cannot be empty, such as `redirectUrl`, `bvn` and `nin`',
  },
  numberAsText: { sent: 'a number as text, such as `"25"`', read: 'as the number', where: 'numbers' },
  flag: { sent: '`0`, `1`, `"0"`, `"1"`, `"true"` or `"false"`', read: 'as the boolean', where: 'booleans' },
  day: {
    sent: 'a day such as `2026-03-01`',
    read: 'the end of that day in Lagos; its start for `mandateStartDate`',
    where: 'dates with a time',
  },
  expiryAsNumber: {
    sent: 'a whole number, such as `12`',
    read: 'as the text',
    where: '`card.expiryMonth` and `card.expiryYear`',
  },
  bodyOfLogin: { sent: 'any body, of any type', read: 'ignored', where: 'the login' },
  cardOf3dSecure: {
    sent: 'no `card`',
    read: 'the card of the charge',
    where: '`/api/v1/sdk/cards/secure-3d/authorize`',
  },
  accountByNumber: {
    sent: 'an account number in place of `accountReference`',
    read: 'the reserved account with this number',
    where: 'deallocating a reserved account',
  },
} as const satisfies Readonly<Record<string, LenientForm>>

/** Features of older clients that Kobo deliberately does not support. The docs list them, and a test sends each. */
export const UNSUPPORTED_FORMS = {
  transactionHash: {
    feature: '`transactionHash` in events',
    reason: 'it belongs to an old interface; verify the signature of the whole body',
  },
  noAuthorization: { feature: 'calls without any authorization', reason: 'anyone could make them' },
  restrictedToNoSource: {
    feature: '`restrictPaymentSource` without sources',
    reason: 'Monnify’s documentation requires them, and no payment would be accepted',
  },
  directDebitOnly: {
    feature: '`DIRECT_DEBIT` as the only payment method',
    reason: 'a customer could not pay on the checkout',
  },
  pageWithoutOrigin: {
    feature: 'the inline checkout on a page without an origin, such as HTML text in a WebView (`react-native-monnify`)',
    reason: 'the browser could not know who may show the checkout; an app opens the hosted checkout instead',
  },
  amountAsText: { feature: '`amountPaid` as text in lists', reason: 'Monnify’s documentation says number' },
} as const satisfies Readonly<Record<string, { readonly feature: string; readonly reason: string }>>
