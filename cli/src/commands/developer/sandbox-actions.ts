import { randomInt, randomUUID } from 'node:crypto'
import * as contract from '@kobo/contract'
import { spaced } from '@kobo/gateway/kernel/dates.ts'
import { PROGRAM } from '../../program.ts'
import type { Remote } from './remote.ts'

// Actions of a customer and a merchant in the sandbox, through the public API.

const CUSTOMER = { customerName: 'Ada Obi', customerEmail: 'ada@example.com' }
const SENDER = { senderName: 'ADA OBI', senderAccountNumber: '0123452190', senderBankCode: '058' }
const YEAR_MILLISECONDS = 365 * 86_400_000
/** Account number endings that control how the sandbox's banks respond. */
export const ENDINGS = { good: '789', failing: '001', reversing: '003' } as const
export type Ending = keyof typeof ENDINGS
const BANK = '058'
const accountAt = (ending: Ending): string => `0123456${ENDINGS[ending]}`

export const openPayment = (
  { call, credentials: { contractCode } }: Remote,
  amount: number | string,
  paymentReference = `order-${randomUUID()}`,
): Promise<contract.Reply<typeof contract.initTransaction>> =>
  call(contract.initTransaction, {
    body: {
      ...CUSTOMER,
      amount,
      paymentReference,
      paymentDescription: 'Two pairs of shoes',
      currencyCode: 'NGN',
      contractCode,
    },
  })

type Account = contract.Reply<typeof contract.initBankTransfer>

/** Issues the virtual account that a payment is paid into. */
export const accountOf = ({ call }: Remote, transactionReference: string): Promise<Account> =>
  call(contract.initBankTransfer, { body: { transactionReference } })

/** Pays into an account as the customer: the amount due, unless another is given. */
export const payInto = (
  { call }: Remote,
  { bankCode, accountNumber, totalPayable }: Account,
  amount: number | string = totalPayable,
  senderAccountNumber: string = SENDER.senderAccountNumber,
): Promise<contract.Reply<typeof contract.payIntoAccount>> =>
  call(contract.payIntoAccount, { body: { ...SENDER, senderAccountNumber, bankCode, accountNumber, amount } })

/** Creates a payment and pays it. */
export async function aPaidPayment(remote: Remote, amount = 9_000): Promise<Account> {
  const { transactionReference } = await openPayment(remote, amount)
  const account = await accountOf(remote, transactionReference)
  await payInto(remote, account)
  return account
}

/** Pays from an account with the given ending, and refunds the payment to it. */
export async function refund(remote: Remote, ending: Ending): Promise<string> {
  const { transactionReference } = await openPayment(remote, 9_000)
  const account = await accountOf(remote, transactionReference)
  await payInto(remote, account, account.totalPayable, accountAt(ending))
  await fund(remote, 10_000)
  const refundReference = `refund-${randomUUID()}`
  await remote.call(contract.initiateRefund, {
    body: {
      transactionReference,
      refundReference,
      refundAmount: 1_000,
      refundReason: 'Wrong size',
      customerNote: 'Sorry!',
    },
  })
  return refundReference
}

/** Opens a dispute on a new paid payment and returns its reference. */
export async function dispute(remote: Remote): Promise<string> {
  const { transactionReference } = await aPaidPayment(remote)
  const opened = await remote.call(contract.openSandboxDispute, {
    body: { transactionReference, disputeType: 'RECALL', disputeAmount: 1_000 },
  })
  return opened.disputeReference
}

/** Opens a dispute and decides it as the partner would. */
export const decidedDispute = async (remote: Remote, outcome: 'WON' | 'LOST'): Promise<unknown> =>
  remote.call(contract.decideSandboxDispute, {
    params: { disputeReference: await dispute(remote) },
    body: { outcome },
  })

export const challengedDispute = async (remote: Remote): Promise<unknown> =>
  remote.call(contract.submitEvidence, {
    params: { disputeReference: await dispute(remote) },
    body: { text: 'The courier’s receipt is signed by the customer.' },
  })

export const fund = ({ call }: Remote, amount: number): Promise<unknown> =>
  call(contract.fundWallet, { body: { amount } })

/** Returns a random amount, because the same amount to the same account is rejected for two minutes. */
const someAmount = (): number => (100_000 + randomInt(100_000)) / 100

/** Sends money to an account with the given ending; enters the authorization code from the inbox if one is needed. */
export async function transfer(remote: Remote, ending: Ending, amount = someAmount()): Promise<string> {
  const { call, credentials } = remote
  const query = { accountNumber: accountAt(ending), bankCode: BANK }
  const { accountName } = await call(contract.validateAccount, { query })
  const reference = `transfer-${randomUUID()}`
  const { status } = await call(contract.initiateTransfer, {
    body: {
      amount,
      reference,
      narration: 'Rent for March',
      destinationBankCode: BANK,
      destinationAccountNumber: accountAt(ending),
      destinationAccountName: accountName,
      currency: 'NGN',
      sourceAccountNumber: credentials.walletAccountNumber,
    },
  })
  if (status === 'PENDING_AUTHORIZATION') {
    const authorizationCode = await codeFor(remote, reference)
    await call(contract.authorizeTransfer, { body: { reference, authorizationCode } })
  }
  return reference
}

const MAILS_READ_MAX = 50

async function codeFor({ call }: Remote, reference: string): Promise<string> {
  const mails = await call(contract.readInbox, { query: { limit: MAILS_READ_MAX } })
  const mail = mails.find(({ subject }) => subject.endsWith(reference))
  const code = /^(\d{6}) is your code/m.exec(mail?.text ?? '')?.[1]
  if (code === undefined)
    throw new Error(
      `The inbox has no authorization code for ${reference}. If your approval policy covers payouts through the API, an approver releases it in the dashboard; otherwise run "${PROGRAM} inbox" to see the mails.`,
    )
  return code
}

/** Creates a mandate and authorizes it as the customer. */
export async function mandate({ call, credentials }: Remote): Promise<string> {
  const { epochMilliseconds } = await call(contract.readClock, {})
  const mandateReference = `mandate-${randomUUID()}`
  const { mandateCode } = await call(contract.createMandate, {
    body: {
      contractCode: credentials.contractCode,
      mandateReference,
      customerName: CUSTOMER.customerName,
      customerEmailAddress: CUSTOMER.customerEmail,
      customerPhoneNumber: '08031234567',
      customerAddress: '1 Broad Street, Lagos',
      customerAccountNumber: accountAt('good'),
      customerAccountBankCode: BANK,
      mandateDescription: 'Rent',
      mandateStartDate: spaced(new Date(epochMilliseconds)),
      mandateEndDate: spaced(new Date(epochMilliseconds + YEAR_MILLISECONDS)),
    },
  })
  await call(contract.authorizeMandate, { params: { mandateCode } })
  return mandateReference
}

/** Makes the wallet balance fall below the threshold, then restores the threshold. */
export async function fallBelowThreshold(remote: Remote): Promise<string> {
  const { call, credentials } = remote
  const { lowBalanceThreshold } = await call(contract.getSettings, {})
  await fund(remote, 10_000)
  const query = { accountNumber: credentials.walletAccountNumber }
  const { availableBalance } = await call(contract.getWalletBalance, { query })
  await call(contract.changeSettings, { body: { lowBalanceThreshold: availableBalance } })
  try {
    return await transfer(remote, 'good')
  } finally {
    await call(contract.changeSettings, { body: { lowBalanceThreshold } })
  }
}
