// The parts of guides whose code is generated in five languages.

/** A value in a request of a guide. */
export type Value = string | number | boolean | readonly Value[] | { readonly [name: string]: Value } | Reference

/** A value that is known only when the reader runs the code of the guide. */
export class Reference {
  /** The name of a variable and, if the variable holds a response, the path to one of its fields. */
  readonly path: readonly (string | number)[]
  readonly before: string
  readonly after: string

  constructor(path: readonly (string | number)[], { before = '', after = '' } = {}) {
    this.path = path
    this.before = before
    this.after = after
  }
}

export const of = (...path: readonly (string | number)[]): Reference => new Reference(path)
/** The reader's own setting. */
export const own = (name: 'contractCode' | 'apiKey' | 'walletAccountNumber'): Reference => new Reference([name])
/** A reference for a payment or another object, which no earlier run has used. */
export const unique = (word: string): Reference => new Reference(['run'], { before: `${word}-` })

export interface GuideStep {
  readonly title: string
  readonly text: string
  /** A call by its group and name in the SDKs. */
  readonly call: string
  /** The variable that holds the response. */
  readonly as: string
  readonly with: Readonly<Record<string, Value>>
  /** Fields of the response that the page shows. */
  readonly shows: readonly string[]
  /** The values of these fields that differ from the example in the API reference. */
  readonly has?: Readonly<Record<string, Value>>
  /** The field that the code prints, and the value that it then has. */
  readonly prints?: { readonly path: readonly (string | number)[]; readonly is: string }
  /** Whether the code of this step reads the one-time code in the sandbox's newest email. */
  readonly readsCode?: boolean
}

export interface CodeGuide {
  readonly name: string
  readonly title: string
  readonly intro: string
  readonly steps: readonly GuideStep[]
  /** Markdown after the steps. */
  readonly end: string
}

const order = (extra: Readonly<Record<string, Value>> = {}): Readonly<Record<string, Value>> => ({
  amount: 9000,
  customerName: 'Ada Obi',
  customerEmail: 'ada@example.com',
  paymentReference: unique('order'),
  paymentDescription: 'Two pairs of shoes',
  currencyCode: 'NGN',
  contractCode: own('contractCode'),
  ...extra,
})

export const createPayment = (extra: Readonly<Record<string, Value>> = {}): GuideStep => ({
  title: 'Create the payment',
  text: 'Your server creates the payment. `paymentReference` is your own reference and can be used only once. Send the customer to `checkoutUrl`, or continue with the calls below.',
  call: 'transactions.init',
  as: 'payment',
  with: order(extra),
  shows: ['transactionReference', 'paymentReference', 'checkoutUrl'],
})

const CARD = { number: '4111111111111111', expiryMonth: '12', expiryYear: '2030', cvv: '123' }

export const chargeCard: GuideStep = {
  title: 'Charge the card',
  text: 'On the hosted checkout the customer enters the card, and your server never sees it. If you are certified to handle card data (PCI DSS), charge it yourself. This test card is approved at once; [others](testing.md#cards) need an OTP or 3-D Secure.',
  call: 'cards.charge',
  as: 'charge',
  with: { transactionReference: of('payment', 'transactionReference'), card: CARD },
  shows: ['status', 'transactionReference', 'authorizedAmount'],
  prints: { path: ['status'], is: 'SUCCESS' },
}

export const issueAccount: GuideStep = {
  title: 'Get the account number',
  text: 'Kobo issues an account number for this payment. Show it to the customer with the exact amount, `totalPayable`. It expires with the payment, after 40 minutes.',
  call: 'bankTransfer.init',
  as: 'account',
  with: { transactionReference: of('payment', 'transactionReference'), bankCode: '035' },
  shows: ['accountNumber', 'bankName', 'accountDurationSeconds', 'totalPayable'],
}

export const payAccount: GuideStep = {
  title: 'Pay as the customer',
  text: 'In the sandbox you are the customer too. When this call returns, the money has arrived.',
  call: 'sandbox.payIntoAccount',
  as: 'transfer',
  with: { bankCode: '035', accountNumber: of('account', 'accountNumber'), amount: 9000, senderName: 'Ada Obi' },
  shows: ['status'],
  prints: { path: ['status'], is: 'ACCEPTED' },
}

export const checkPayment: GuideStep = {
  title: 'Check the status',
  text: 'Deliver only if `paymentStatus` is `PAID` or `OVERPAID`, and the amount and currency match the order. Do not poll: make this call when the [webhook](webhooks.md) arrives.',
  call: 'transactions.query',
  as: 'result',
  with: { paymentReference: of('payment', 'paymentReference') },
  shows: ['paymentStatus', 'amountPaid', 'currency', 'paymentMethod'],
  prints: { path: ['paymentStatus'], is: 'PAID' },
}
