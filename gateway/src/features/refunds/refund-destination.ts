import { findBank, findOfferedBank } from '../../core/bank-list/index.ts'
import type { ReceivedBy } from '../../core/money/settlement-cycle/index.ts'
import type { Enquiries } from '../../core/routing/index.ts'
import { invariant } from '../../kernel/errors.ts'
import type { Payment } from '../transactions/index.ts'
import { refundErrors } from './errors.ts'
import type { RefundDestination } from './repository.ts'

/** An account named by the merchant to receive the refund instead of the payer's. */
export interface NamedAccount {
  readonly accountNumber: string
  readonly bankCode: string
}

/** Returns the refund destination of a payment. Rejects a payment whose account cannot be used. */
export type FindDestination = (payment: Payment) => RefundDestination

/**
 * Returns how a payment is refunded, depending on how it arrived; undefined if it cannot be refunded. A new payment
 * method does not compile until its refund is decided here.
 */
export function refundMethodOf(receivedBy: ReceivedBy): RefundDestination['method'] | undefined {
  switch (receivedBy) {
    case 'CARD':
      return 'CARD'
    case 'ACCOUNT_TRANSFER':
      return 'ACCOUNT_TRANSFER'
    case 'CASH':
    case 'DIRECT_DEBIT':
      return undefined
    default:
      return receivedBy satisfies never
  }
}

const ACCOUNT_NUMBER = /^\d{10}$/

/**
 * Queries banks for the names of the destination accounts: the payers' accounts, or the named one. Returns a function
 * that finds the destination of any payment, including a card payment, which goes back to its card.
 */
export async function findDestinations(
  enquiries: Pick<Enquiries, 'transfer'>,
  payments: readonly Payment[],
  named: NamedAccount | null,
): Promise<FindDestination> {
  const accounts = payments
    .filter(({ method }) => refundMethodOf(method) === 'ACCOUNT_TRANSFER')
    .map((payment) => named ?? payersAccount(payment))
  const distinct = new Map(accounts.map((account) => [keyOf(account), account]))
  const names = new Map(
    await Promise.all([...distinct].map(async ([key, account]) => [key, await findName(enquiries, account)] as const)),
  )
  const toAccount = (payment: Payment): RefundDestination => {
    const { accountNumber, bankCode } = checked(named ?? payersAccount(payment))
    // The payer's account has sent money, so it exists even if its bank does not respond now.
    const name = names.get(keyOf({ accountNumber, bankCode })) ?? (named === null ? payment.payerName : null)
    if (name === null) throw refundErrors.invalidAccount('its bank does not respond, try again later')
    return {
      method: 'ACCOUNT_TRANSFER',
      chargeReference: null,
      destinationAccountNumber: accountNumber,
      destinationAccountName: name,
      destinationBankCode: bankCode,
    }
  }
  return (payment) => {
    const method = refundMethodOf(payment.method)
    invariant(method !== undefined, 'only refundable payments are refunded')
    switch (method) {
      case 'CARD':
        return { ...NO_ACCOUNT, method, chargeReference: payment.railReference }
      case 'ACCOUNT_TRANSFER':
        return toAccount(payment)
      default:
        return method satisfies never
    }
  }
}

/** Whether a refund returns to where its payment came from: the card, or the payer's account. */
export const goesBack = (payment: Payment, destination: RefundDestination): boolean =>
  destination.method === 'CARD' ||
  (destination.destinationAccountNumber === payment.payerAccountNumber &&
    destination.destinationBankCode === payment.payerBankCode)

const NO_ACCOUNT = { destinationAccountNumber: null, destinationAccountName: null, destinationBankCode: null }

const keyOf = ({ bankCode, accountNumber }: NamedAccount): string => `${bankCode}/${accountNumber}`

const payersAccount = ({ payerAccountNumber, payerBankCode }: Payment): NamedAccount => ({
  accountNumber: payerAccountNumber ?? '',
  bankCode: payerBankCode ?? '',
})

function checked(account: NamedAccount): NamedAccount {
  if (!ACCOUNT_NUMBER.test(account.accountNumber))
    throw refundErrors.invalidAccount('the account number must have 10 digits')
  if (findBank(account.bankCode) === undefined) throw refundErrors.invalidAccount('the bank code is unknown')
  if (findOfferedBank(account.bankCode, 'transfers') === undefined)
    throw refundErrors.invalidAccount('its bank does not accept transfers')
  return account
}

/** Asks an account's bank for its name; returns null if the bank does not respond. */
async function findName({ transfer }: Pick<Enquiries, 'transfer'>, account: NamedAccount): Promise<string | null> {
  const enquiry = await transfer.nameEnquiry(checked(account))
  if (enquiry.kind === 'not found') throw refundErrors.invalidAccount('the bank does not know it')
  return enquiry.kind === 'found' ? enquiry.accountName : null
}
