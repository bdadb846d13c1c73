// The guides whose code is generated in five languages: what each page says, and its calls.
import {
  type CodeGuide,
  chargeCard,
  checkPayment,
  createPayment,
  issueAccount,
  of,
  own,
  payAccount,
  Reference,
  unique,
} from './guide-parts.ts'

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
    'Save a card with the first payment, and charge its token for each later one. You need the permission for recurring charges; the sandbox has it.',
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
    'Send money from your wallet to a bank account, and authorize it with the code that Kobo emails you. Before you run this page again, even in another language, wait two minutes: the same amount to the same account within that time counts as a repetition (`REPEATED_TRANSFER`).',
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
      prints: { path: ['accountName'], is: 'IFEOMA BISOLA LAWAL' },
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
      title: 'Get the emailed code',
      text: 'Kobo emails a code of six digits to your merchant address. The sandbox sends no real email: this call reads the code from its inbox.',
      call: 'sandbox.readInbox',
      as: 'inbox',
      with: { limit: 1 },
      shows: [],
      readsCode: true,
    },
    {
      title: 'Authorize it',
      text: 'The correct code releases the transfer.',
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

Payouts that a user creates in the dashboard need the approval of others, each with a second factor, unless your approval policy says otherwise. The policy can require approvals for payouts through the API too. Such a transfer waits under *Approvals*; the approval takes the place of the emailed code. Try it in the sandbox:

1. Run \`./kobo open dashboard\` and open the link it prints. You are the owner; set up a second factor under your profile.
2. Under *Payouts*, *Approval policy*, choose *Change policy* and tick *Payouts through the API need approval too*.
3. Under *Team*, choose *Invite team member* with the role Finance and *Can approve payouts*. \`./kobo inbox\` shows the invitation. Open its link in a private window, and set up a second factor there too.
4. Run \`./kobo clock --advance 25h\`: the policy and the new approver take effect after a day. Run the block of *Get your keys* again: it sets \`run\`, which makes the references new.
5. Run *Send the money* again. The status stays \`PENDING_AUTHORIZATION\`, and no code is emailed.
6. In the private window, approve the transfer under *Approvals*. *Check the status* then prints \`SUCCESS\`, and you get \`SUCCESSFUL_DISBURSEMENT\`.
7. Change the policy back, so that the steps above and \`./kobo fixtures\` work without an approval. Your team has another approver now, so your first request only asks for approval: request the change, approve it in the private window under *Approvals*, then request it again to make it, and run \`./kobo clock --advance 25h\`.

A change of the policy needs the approval of another owner or, if there is none, of another approver. To send many transfers with one code, use a batch (\`transfers.initiateBatch\`).
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

\`settlements.getDetail\` (\`GET /api/v1/settlement-detail?transactionReference=…\`) shows, after the daily settlement, what each sub account received. In the sandbox, \`./kobo clock --advance 1d\` moves the clock forward by a day.
`,
}

const DIRECT_DEBIT: CodeGuide = {
  name: 'direct-debit',
  title: 'Direct debit',
  intro: 'The customer authorizes a mandate once; then you debit the bank account on your schedule.',
  steps: [
    {
      title: 'Read the date',
      text: 'A mandate has a first and a last day. The sandbox has its own clock, so get its date first.',
      call: 'sandbox.readClock',
      as: 'clock',
      with: {},
      shows: ['today'],
    },
    {
      title: 'Create the mandate',
      text: 'The customer gets an email with the bank’s instructions.',
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
        mandateStartDate: new Reference(['clock', 'today'], { after: ' 00:00:00' }),
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
      as: 'result',
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
      text: 'Kobo sends the webhook `SUCCESSFUL_REFUND` when the customer has the money, or `FAILED_REFUND` if the bank rejected the refund.',
      call: 'refunds.get',
      as: 'result',
      with: { refundReference: of('refund', 'refundReference') },
      shows: ['refundReference', 'refundStatus'],
    },
  ],
  end: `## If the bank claims the payment back

A payer’s bank can also claim a payment back, without you. [Disputes](disputes.md) says how to challenge it.
`,
}

const DISPUTES: CodeGuide = {
  name: 'disputes',
  title: 'Disputes',
  intro:
    'A payer’s bank can claim a payment back: a **chargeback** of a card payment, a **recall** of a transfer, or a **reversal** by the partner that took the payment. Kobo notifies you and holds the disputed amount. You challenge the dispute or accept it.',
  steps: [
    createPayment(),
    issueAccount,
    payAccount,
    {
      title: 'Open a dispute as the bank',
      text: 'In the sandbox you open the dispute yourself. Kobo sends `DISPUTE_OPENED` (to your webhook URL for refunds, if you set one) and an email. `disputeAmount` is put on hold in your wallet at once.',
      call: 'sandbox.openDispute',
      as: 'dispute',
      with: { transactionReference: of('payment', 'transactionReference'), disputeType: 'RECALL', disputeAmount: 9000 },
      shows: ['disputeReference', 'disputeStatus', 'disputeAmount', 'evidenceDueOn'],
      prints: { path: ['disputeStatus'], is: 'OPEN' },
    },
    {
      title: 'Challenge it',
      text: 'You can challenge a dispute once, before `evidenceDueOn`, with a text and up to three files (PDF, PNG or JPEG, 400 kB each, in base64). To accept it instead, call `disputes.accept`: the money goes back to the payer, and you get `DISPUTE_LOST` at once.',
      call: 'disputes.submitEvidence',
      as: 'challenged',
      with: {
        disputeReference: of('dispute', 'disputeReference'),
        text: 'The courier’s receipt is signed by the customer.',
        files: [{ name: 'receipt.pdf', type: 'application/pdf', content: 'JVBERi0xLjQKJSBhIHJlY2VpcHQK' }],
      },
      shows: ['disputeReference', 'disputeStatus'],
      prints: { path: ['disputeStatus'], is: 'EVIDENCE_SUBMITTED' },
    },
    {
      title: 'Decide as the bank',
      text: 'The partner decides; in the sandbox, you do. After `DISPUTE_WON` the amount is released to your wallet. After `DISPUTE_LOST` it goes to the payer.',
      call: 'sandbox.decideDispute',
      as: 'decided',
      with: { disputeReference: of('dispute', 'disputeReference'), outcome: 'WON' },
      shows: ['disputeReference', 'disputeStatus'],
      prints: { path: ['disputeStatus'], is: 'WON' },
    },
  ],
  end: `## Statuses

| disputeStatus | meaning |
|---|---|
| OPEN | challenge or accept it |
| EVIDENCE_SUBMITTED | challenged; the partner decides |
| EXPIRED | not challenged in time; the partner decides, and you can still accept |
| ACCEPTED, LOST | the money went back to the payer |
| WON | the amount was released to your wallet |

\`GET /api/v1/disputes\` lists your disputes. The refunds and disputes of a payment never exceed what was paid.

## If your balance is too low

The shortfall becomes a **debt**, shown as \`amountOwed\` on the dispute. Your next collections repay it before they are settled, the oldest debt first. A dispute that you win repays debts too. A wallet top-up does not. In a transaction's settlement detail, \`settlementAmount\` is what is left after \`debtRepaid\`.

If your own share of a settlement is too small, the rest is taken from the shares of your sub accounts, in proportion. We email you and the report addresses of these sub accounts. You then owe them what they did not get.

## Reserve

The operator can hold back a percentage of your settlements for some days, to cover disputes. After those days, the money is released to your wallet. \`reserve\` in your [settings](../reference/answers.md#our-own-routes) shows percentage and days. \`reserved\` on a settlement is the amount withheld. The percentage is calculated on the whole settlement, including sub accounts' shares. It is taken from your own share first.

## For the operator

| task | how |
|---|---|
| list disputes, with the merchant's text and files for the partner | \`./kobo disputes list\`, or *Disputes* in the dashboard |
| open a dispute that a partner reported by email | \`./kobo disputes open …\`, or request it in the dashboard; a second operator approves |
| record the result | \`./kobo disputes decide REFERENCE won\\|lost --because TEXT\`, or request it in the dashboard; in live mode [two operators](../operate/merchants.md#who-runs-a-command) |
| set a reserve | \`./kobo merchant set CODE reserve.percent=5 reserve.days=90\`, or request it in the dashboard |

A partner whose connector has the capability \`disputes\` reports them automatically ([rails](../reference/rails.md)). Repeated reports change nothing. A report that contradicts an earlier one is rejected as a conflict and logged.

Try it in the [sandbox](testing.md#disputes). [Ledger](../inside/ledger.md#dispute) shows how disputes are booked.
`,
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
  DISPUTES,
]
