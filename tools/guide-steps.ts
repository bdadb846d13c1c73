// The guides whose code is generated in five languages: what each page says, and its calls.

/** A value of a request: a literal, or one of these. */
export type Value = string | number | boolean | readonly Value[] | { readonly [name: string]: Value } | Reference

/** A value that is known only when the guide runs. */
export class Reference {
  /** The variable, and the path to a field if it holds a response. */
  readonly path: readonly (string | number)[]
  readonly before: string
  readonly after: string
  /** Only the date of a moment. */
  readonly isDate: boolean

  constructor(path: readonly (string | number)[], { before = '', after = '', isDate = false } = {}) {
    this.path = path
    this.before = before
    this.after = after
    this.isDate = isDate
  }
}

const of = (...path: readonly (string | number)[]): Reference => new Reference(path)
/** The reader's own setting. */
const own = (name: 'contractCode' | 'apiKey' | 'walletAccountNumber'): Reference => new Reference([name])
/** A reference that no earlier run has used. */
const unique = (word: string): Reference => new Reference(['run'], { before: `${word}-` })

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
  /** Their values, where they differ from the example in the API reference. */
  readonly has?: Readonly<Record<string, Value>>
  /** Prints a field, with the value that it has. */
  readonly prints?: { readonly path: readonly (string | number)[]; readonly is: string }
  /** Reads the code in the newest email of the sandbox instead of printing. */
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

const createPayment = (extra: Readonly<Record<string, Value>> = {}): GuideStep => ({
  title: 'Create the payment',
  text: 'Your server creates the payment. `paymentReference` is your own reference and can be used only once. Send the customer to `checkoutUrl`, or go on with the calls below.',
  call: 'transactions.init',
  as: 'payment',
  with: order(extra),
  shows: ['transactionReference', 'paymentReference', 'checkoutUrl'],
})

const CARD = { number: '4111111111111111', expiryMonth: '12', expiryYear: '2030', cvv: '123' }

const chargeCard: GuideStep = {
  title: 'Charge the card',
  text: 'On the hosted checkout the customer enters the card, and your server never sees it. If you are certified to handle card data (PCI DSS), charge it yourself. This test card is approved at once; [others](testing.md#cards) need an OTP or 3-D Secure.',
  call: 'cards.charge',
  as: 'charge',
  with: { transactionReference: of('payment', 'transactionReference'), card: CARD },
  shows: ['status', 'transactionReference', 'authorizedAmount'],
  prints: { path: ['status'], is: 'SUCCESS' },
}

const issueAccount: GuideStep = {
  title: 'Get the account number',
  text: 'Kobo issues an account number for this payment. Show it to the customer with the exact amount, `totalPayable`. It expires with the payment, after 40 minutes.',
  call: 'bankTransfer.init',
  as: 'account',
  with: { transactionReference: of('payment', 'transactionReference'), bankCode: '035' },
  shows: ['accountNumber', 'bankName', 'accountDurationSeconds', 'totalPayable'],
}

const payAccount: GuideStep = {
  title: 'Pay as the customer',
  text: 'In the sandbox you are the customer too. When this call returns, the money has arrived.',
  call: 'sandbox.payIntoAccount',
  as: 'transfer',
  with: { bankCode: '035', accountNumber: of('account', 'accountNumber'), amount: 9000, senderName: 'Ada Obi' },
  shows: ['status'],
  prints: { path: ['status'], is: 'ACCEPTED' },
}

const checkPayment: GuideStep = {
  title: 'Check the status',
  text: 'Deliver only if `paymentStatus` is `PAID` or `OVERPAID`, and amount and currency are those of the order. Do not poll: make this call when the [webhook](webhooks.md) arrives.',
  call: 'transactions.query',
  as: 'status',
  with: { paymentReference: of('payment', 'paymentReference') },
  shows: ['paymentStatus', 'amountPaid', 'currency', 'paymentMethod'],
  prints: { path: ['paymentStatus'], is: 'PAID' },
}

const ACCEPT_CARD: CodeGuide = {
  name: 'accept-card',
  title: 'Accept a card',
  intro: 'Take a card payment and verify it.',
  steps: [createPayment(), chargeCard, { ...checkPayment, has: { paymentMethod: 'CARD' } }],
  end: `## Next steps

- [Checkout](checkout.md): the hosted and inline checkout, which handle OTP and 3-D Secure for you.
- [Subscriptions](subscriptions.md): charge the same card again.
- [Refunds](refunds.md)
`,
}

const ACCEPT_TRANSFERS: CodeGuide = {
  name: 'accept-transfers',
  title: 'Accept bank transfers',
  intro: 'Give the customer an account number for one payment, and get notified when the money arrives.',
  steps: [createPayment(), issueAccount, payAccount, checkPayment],
  end: `## Part payments and overpayments

A part payment makes the payment \`PARTIALLY_PAID\`; the customer can send the rest to the same account. An overpayment makes it \`OVERPAID\`. Set \`underpayment\` to \`REJECT\` to return part payments instead. To give each customer a permanent account number, use [reserved accounts](reserved-accounts.md).
`,
}

const RESERVED_ACCOUNTS: CodeGuide = {
  name: 'reserved-accounts',
  title: 'Reserved accounts',
  intro: 'Give each customer a permanent account number. Every transfer to it becomes a payment of that customer.',
  steps: [
    {
      title: 'Reserve the account',
      text: '`accountReference` is your own reference for the customer. The BVN or NIN identifies the customer, as the Central Bank requires.',
      call: 'reservedAccounts.reserve',
      as: 'reserved',
      with: {
        accountReference: unique('customer'),
        accountName: 'Ada Obi Stores',
        currencyCode: 'NGN',
        contractCode: own('contractCode'),
        customerEmail: 'ada@example.com',
        customerName: 'Ada Obi',
        bvn: '22212345678',
        getAllAvailableBanks: false,
        preferredBanks: ['035'],
      },
      shows: ['accountReference', 'accountName', 'accounts'],
    },
    {
      title: 'Pay as the customer',
      text: 'The customer can transfer any amount at any time.',
      call: 'sandbox.payIntoAccount',
      as: 'transfer',
      with: {
        bankCode: of('reserved', 'accounts', 0, 'bankCode'),
        accountNumber: of('reserved', 'accounts', 0, 'accountNumber'),
        amount: 9000,
        senderName: 'Ada Obi',
      },
      shows: ['status'],
      prints: { path: ['status'], is: 'ACCEPTED' },
    },
    {
      title: 'List the payments',
      text: 'You get a `SUCCESSFUL_TRANSACTION` webhook for each transfer; `product.reference` is your `accountReference`. The list has them all.',
      call: 'reservedAccounts.listTransactions',
      as: 'payments',
      with: { accountReference: of('reserved', 'accountReference') },
      shows: ['totalElements'],
      prints: { path: ['content', 0, 'paymentStatus'], is: 'PAID' },
    },
  ],
  end: `## Limits and allowed payers

A limit profile limits the amount and number of payments of an account. A payment source filter names the accounts that may pay; Kobo returns other transfers to the payer. The API reference describes both under Reserved accounts.
`,
}

const SUBSCRIPTIONS: CodeGuide = {
  name: 'subscriptions',
  title: 'Subscriptions',
  intro:
    'Save a card with the first payment, and charge its token for each following one. You need the permission for recurring charges; the sandbox has it.',
  steps: [
    createPayment(),
    chargeCard,
    {
      title: 'Read the token',
      text: 'After an approved payment, the status has a `cardToken`. Store it with the customer: only you can charge it. On the hosted checkout, the customer must agree to saving the card.',
      call: 'transactions.get',
      as: 'first',
      with: { transactionReference: of('payment', 'transactionReference') },
      shows: ['paymentStatus', 'amountPaid'],
      prints: { path: ['paymentStatus'], is: 'PAID' },
    },
    {
      title: 'Charge the token',
      text: 'Your own scheduler makes this call for each period. Derive the reference from the subscription and the period, so that a retry never charges twice.',
      call: 'recurringPayment.charge',
      as: 'renewal',
      with: {
        cardToken: of('first', 'cardDetails', 'cardToken'),
        amount: 9000,
        customerName: 'Ada Obi',
        customerEmail: 'ada@example.com',
        paymentReference: unique('march'),
        paymentDescription: 'March',
        currencyCode: 'NGN',
        contractCode: own('contractCode'),
        apiKey: own('apiKey'),
      },
      shows: ['paymentStatus', 'paymentReference', 'amountPaid'],
      prints: { path: ['paymentStatus'], is: 'PAID' },
    },
  ],
  end: `## If a charge fails

An amount that ends in \`.51\` is declined in the sandbox, and \`.68\` gets no response. After a decline, ask the customer for another card. After no response, query the payment by its reference before you charge again.
`,
}

const PAYOUTS: CodeGuide = {
  name: 'payouts',
  title: 'Payouts',
  intro:
    'Send money from your wallet to a bank account, and authorize it with the code that Kobo emails you. If you run this page twice, wait two minutes: the same amount to the same account within that time counts as a repetition (`REPEATED_TRANSFER`).',
  steps: [
    {
      title: 'Fund the wallet',
      text: 'In the sandbox one call fills your wallet. In live mode, settlements and transfers to the wallet’s account number fill it.',
      call: 'sandbox.fundWallet',
      as: 'funded',
      with: { amount: 20000 },
      shows: [],
    },
    {
      title: 'Check the account name',
      text: 'The bank returns the name of the account holder. Show it to the person who sends the money.',
      call: 'transfers.validateAccount',
      as: 'destination',
      with: { accountNumber: '0123456789', bankCode: '058' },
      shows: ['accountNumber', 'accountName', 'bankCode'],
    },
    {
      title: 'Send the money',
      text: 'One reference, one transfer: a retry with the same reference never pays twice.',
      call: 'transfers.initiate',
      as: 'payout',
      with: {
        amount: 9000,
        reference: unique('rent'),
        narration: 'Rent for March',
        destinationBankCode: '058',
        destinationAccountNumber: of('destination', 'accountNumber'),
        destinationAccountName: of('destination', 'accountName'),
        currency: 'NGN',
        sourceAccountNumber: own('walletAccountNumber'),
      },
      shows: ['reference', 'status', 'amount'],
      prints: { path: ['status'], is: 'PENDING_AUTHORIZATION' },
    },
    {
      title: 'Read the code',
      text: 'Kobo emails a code of six digits to your merchant address. In the sandbox, the email is in the inbox.',
      call: 'sandbox.readInbox',
      as: 'inbox',
      with: { limit: 1 },
      shows: [],
      readsCode: true,
    },
    {
      title: 'Authorize it',
      text: 'The right code releases the transfer.',
      call: 'transfers.authorize',
      as: 'authorized',
      with: { reference: of('payout', 'reference'), authorizationCode: of('code') },
      shows: ['reference', 'status'],
    },
    {
      title: 'Check the status',
      text: '`SUCCESS` means that the bank has confirmed it. While it is `PENDING`, wait for the webhook; never send it again under a new reference.',
      call: 'transfers.get',
      as: 'sent',
      with: { reference: of('payout', 'reference') },
      shows: ['reference', 'status'],
      prints: { path: ['status'], is: 'SUCCESS' },
    },
  ],
  end: `## Approvals

Payouts that a user creates in the dashboard need the approval of other users, each with a second factor. Your approval policy can require this for payouts through the API too: then the transfer waits under *Approvals* after the code. Change the policy in the dashboard under Settings; that needs two people as well. To send many transfers with one code, use a batch (\`transfers.initiateBatch\`).
`,
}

const SPLITS: CodeGuide = {
  name: 'splits',
  title: 'Split payments',
  intro: 'Share a payment between you and your partners. Each gets its part at settlement.',
  steps: [
    {
      title: 'Create a sub account',
      text: 'A sub account is a bank account that receives a part of your collections.',
      call: 'subAccounts.create',
      as: 'partners',
      with: {
        subAccounts: [
          {
            currencyCode: 'NGN',
            accountNumber: of('run'),
            bankCode: '058',
            email: 'seller@example.com',
            defaultSplitPercentage: 20,
          },
        ],
      },
      shows: [],
    },
    {
      ...createPayment({
        incomeSplitConfig: [
          {
            subAccountCode: of('partners', 0, 'subAccountCode'),
            splitPercentage: 30,
            feePercentage: 50,
            feeBearer: true,
          },
        ],
      }),
      text: 'The sub account gets 30 % of this payment and bears half of the fee. Use `splitAmount` instead for a fixed amount.',
    },
    issueAccount,
    payAccount,
    checkPayment,
  ],
  end: `## Settlement

\`settlements.getDetail\` shows what each sub account gets, after the daily settlement. In the sandbox, \`./kobo clock --advance 1d\` moves the clock forward by a day.
`,
}

const DIRECT_DEBIT: CodeGuide = {
  name: 'direct-debit',
  title: 'Direct debit',
  intro: 'The customer authorizes a mandate once; then you debit the bank account on your schedule.',
  steps: [
    {
      title: 'Read the date',
      text: 'A mandate has a first and a last day. The sandbox has its own clock.',
      call: 'sandbox.readClock',
      as: 'clock',
      with: {},
      shows: ['now'],
    },
    {
      title: 'Create the mandate',
      text: 'The customer gets an email with the instructions of the bank.',
      call: 'directDebit.createMandate',
      as: 'mandate',
      with: {
        contractCode: own('contractCode'),
        mandateReference: unique('rent'),
        customerName: 'Ada Obi',
        customerEmailAddress: 'ada@example.com',
        customerPhoneNumber: '08031234567',
        customerAddress: '1 Broad Street, Lagos',
        customerAccountNumber: '0123456789',
        customerAccountBankCode: '058',
        mandateDescription: 'Rent of the shop',
        mandateStartDate: new Reference(['clock', 'now'], { after: ' 00:00:00', isDate: true }),
        mandateEndDate: '2035-01-01 00:00:00',
      },
      shows: ['mandateCode', 'mandateStatus'],
    },
    {
      title: 'Authorize it as the customer',
      text: 'In live mode the customer does this at the bank, and you get `MANDATE_UPDATE`.',
      call: 'sandbox.authorizeMandate',
      as: 'authorized',
      with: { mandateCode: of('mandate', 'mandateCode') },
      shows: ['mandateStatus'],
      prints: { path: ['mandateStatus'], is: 'ACTIVE' },
    },
    {
      title: 'Debit the account',
      text: 'Each debit is a payment with its own reference.',
      call: 'directDebit.debit',
      as: 'debit',
      with: {
        paymentReference: unique('order'),
        mandateCode: of('mandate', 'mandateCode'),
        debitAmount: 5000,
        narration: 'Rent of March',
        customerEmail: 'ada@example.com',
      },
      shows: ['transactionStatus', 'debitAmount'],
    },
    {
      title: 'Check the status',
      text: 'A debit is `PENDING` until the bank responds; the [test accounts](testing.md#direct-debit) show each outcome.',
      call: 'directDebit.getDebitStatus',
      as: 'status',
      with: { paymentReference: unique('order') },
      shows: ['transactionStatus', 'debitAmount'],
      prints: { path: ['transactionStatus'], is: 'PAID' },
    },
  ],
  end: '',
}

const REFUNDS: CodeGuide = {
  name: 'refunds',
  title: 'Refunds',
  intro: 'Pay a customer back, in whole or in part, to the account that the money came from.',
  steps: [
    createPayment(),
    issueAccount,
    payAccount,
    {
      title: 'Refund it',
      text: 'The refund is paid from your wallet. A retry with the same `refundReference` never refunds twice. You can refund a payment in several parts, up to the amount paid.',
      call: 'refunds.initiate',
      as: 'refund',
      with: {
        transactionReference: of('payment', 'transactionReference'),
        refundReference: unique('refund'),
        refundAmount: 4000,
        refundReason: 'Wrong size',
        customerNote: 'Sorry!',
      },
      shows: ['refundReference', 'refundStatus', 'refundAmount'],
      prints: { path: ['refundStatus'], is: 'PENDING' },
    },
    {
      title: 'Check the refund',
      text: 'You get `SUCCESSFUL_REFUND` when the customer has the money, or `FAILED_REFUND` if the bank rejected it.',
      call: 'refunds.get',
      as: 'status',
      with: { refundReference: of('refund', 'refundReference') },
      shows: ['refundReference', 'refundStatus'],
    },
    {
      title: 'See a dispute',
      text: 'A payer’s bank can also claim a payment back. This call opens such a dispute in the sandbox; [Disputes](disputes.md) says how to challenge it.',
      call: 'sandbox.openDispute',
      as: 'dispute',
      with: { transactionReference: of('payment', 'transactionReference'), disputeType: 'RECALL', disputeAmount: 1000 },
      shows: ['disputeReference', 'disputeStatus', 'disputeAmount'],
      prints: { path: ['disputeStatus'], is: 'OPEN' },
    },
  ],
  end: '',
}

export const CODE_GUIDES: readonly CodeGuide[] = [
  ACCEPT_CARD,
  ACCEPT_TRANSFERS,
  RESERVED_ACCOUNTS,
  SUBSCRIPTIONS,
  PAYOUTS,
  SPLITS,
  DIRECT_DEBIT,
  REFUNDS,
]
