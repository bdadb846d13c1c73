import { findBank, findOfferedBank } from '../../core/money/bank-list/index.ts'
import type { Enquiries } from '../../core/routing/index.ts'
import type { PaymentRow } from '../transactions/index.ts'
import { refundErrors } from './errors.ts'
import type { Way } from './repository.ts'

/** An account that a merchant names, for money to go to instead of back to its payer's. */
export interface NamedAccount {
  readonly accountNumber: string
  readonly bankCode: string
}

/** How a payment goes back. Refuses one whose account cannot be used. */
export type FindWay = (payment: PaymentRow) => Way

const ACCOUNT_NUMBER = /^\d{10}$/

/**
 * Asks banks for the names of the accounts that payments go back to: their payers', or the one that is named. Answers how a
 * payment goes back, also for one that was not asked about. A card payment goes back to its card.
 */
export async function findWays(
  enquiries: Pick<Enquiries, 'transfer'>,
  payments: readonly PaymentRow[],
  named: NamedAccount | null,
): Promise<FindWay> {
  const accounts = payments.filter(({ method }) => method !== 'CARD').map((payment) => named ?? payersAccount(payment))
  const distinct = new Map(accounts.map((account) => [keyOf(account), account]))
  const names = new Map(
    await Promise.all([...distinct].map(async ([key, account]) => [key, await findName(enquiries, account)] as const)),
  )
  return (payment) => {
    if (payment.method === 'CARD') return { ...NO_ACCOUNT, method: 'CARD', chargeReference: payment.railReference }
    const { accountNumber, bankCode } = checked(named ?? payersAccount(payment))
    // A payer's account exists, whatever its bank says at this moment: it has sent money.
    const name = names.get(keyOf({ accountNumber, bankCode })) ?? (named === null ? payment.payerName : null)
    if (name === null) throw refundErrors.invalidAccount('its bank does not answer, please try again')
    return {
      method: 'ACCOUNT_TRANSFER',
      chargeReference: null,
      destinationAccountNumber: accountNumber,
      destinationAccountName: name,
      destinationBankCode: bankCode,
    }
  }
}

const NO_ACCOUNT = { destinationAccountNumber: null, destinationAccountName: null, destinationBankCode: null }

const keyOf = ({ bankCode, accountNumber }: NamedAccount): string => `${bankCode}/${accountNumber}`

const payersAccount = ({ payerAccountNumber, payerBankCode }: PaymentRow): NamedAccount => ({
  accountNumber: payerAccountNumber ?? '',
  bankCode: payerBankCode ?? '',
})

function checked(account: NamedAccount): NamedAccount {
  if (!ACCOUNT_NUMBER.test(account.accountNumber))
    throw refundErrors.invalidAccount('the account number must have 10 digits')
  if (findBank(account.bankCode) === undefined) throw refundErrors.invalidAccount('its bank is not known')
  if (findOfferedBank(account.bankCode, 'transfers') === undefined)
    throw refundErrors.invalidAccount('no money can be sent to its bank')
  return account
}

/** The name that a bank holds for an account; null where it does not answer. */
async function findName({ transfer }: Pick<Enquiries, 'transfer'>, account: NamedAccount): Promise<string | null> {
  const enquiry = await transfer.nameEnquiry(checked(account))
  if (enquiry.kind === 'not found') throw refundErrors.invalidAccount('its bank does not know it')
  return enquiry.kind === 'found' ? enquiry.accountName : null
}
