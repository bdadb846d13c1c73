import type {
  AllowedPaymentSources,
  FlatReservedAccount,
  ReservedAccount,
  ReservedAccountTransaction,
} from '@kobo/contract'
import type { Static } from 'typebox'
import { findBank } from '../../core/bank-list/index.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import type { Keyring } from '../../core/security/keyring.ts'
import { spacedMilliseconds } from '../../kernel/dates.ts'
import { toNaira } from '../../kernel/money.ts'
import { type Payment, showTransaction, type Transaction } from '../transactions/index.ts'
import { openNumber, openSources } from './identity.ts'
import type { ReservedAccountRow } from './repository.ts'
import type { ReservedAccountRecord } from './service.ts'
import type { PaymentSources } from './sources.ts'
import { showSplits } from './splits.ts'

const bankName = (code: string): string => findBank(code)?.name ?? ''

export function showReservedAccount(
  keyring: Keyring,
  { account, numbers, isActive }: ReservedAccountRecord,
): Static<typeof ReservedAccount> {
  const sources = openSources(keyring, account, account.allowedPaymentSources)
  return {
    contractCode: account.contractCode,
    accountReference: account.accountReference,
    accountName: account.accountName,
    currencyCode: account.currencyCode,
    customerEmail: account.customerEmail,
    customerName: account.customerName,
    accounts: numbers.map(({ bankCode, accountNumber, accountName }) => ({
      bankCode,
      bankName: bankName(bankCode),
      accountNumber,
      accountName,
    })),
    collectionChannel: 'RESERVED_ACCOUNT',
    reservationReference: account.reservationReference,
    reservedAccountType: account.type,
    status: isActive ? 'ACTIVE' : 'INACTIVE',
    createdOn: spacedMilliseconds(account.createdAt),
    incomeSplitConfig: showSplits(account),
    ...showIdentity(keyring, account),
    restrictPaymentSource: account.restrictPaymentSource,
    ...(sources === null ? {} : { allowedPaymentSources: showSources(sources) }),
  }
}

/** Shows a reserved account with its first number at the top level. */
export function showFlat(keyring: Keyring, record: ReservedAccountRecord): Static<typeof FlatReservedAccount> {
  const [first] = record.numbers
  return {
    ...showReservedAccount(keyring, record),
    accountNumber: first?.accountNumber ?? '',
    bankName: bankName(first?.bankCode ?? ''),
    bankCode: first?.bankCode ?? '',
  }
}

/** Decrypts the customer's BVN and NIN. */
export const showIdentity = (keyring: Keyring, account: ReservedAccountRow) => ({
  bvn: openNumber(keyring, account, 'bvn', account.bvn),
  nin: openNumber(keyring, account, 'nin', account.nin),
})

export const showSources = (sources: PaymentSources | null): Static<typeof AllowedPaymentSources> => ({
  bvns: [...(sources?.bvns ?? [])],
  bankAccounts: [...(sources?.bankAccounts ?? [])],
  accountNames: [...(sources?.accountNames ?? [])],
})

/** Shows a transaction of an account, with its last payment's bank and whether the contract settles instantly. */
export const showAccountTransaction = (
  merchant: Merchant,
  transaction: Transaction,
  lastPayment: Payment | undefined,
): Static<typeof ReservedAccountTransaction> => ({
  ...showTransaction.listed(transaction, merchant),
  providerAmount: toNaira(transaction.amountPaid),
  providerCode: lastPayment?.bankCode ?? '',
  settleInstantly: merchant.contracts.get(transaction.contractCode)?.settlement === 'INSTANT',
})
