import type { Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { type Bank, findBank, findOfferedBank, findUssdBank } from '../../core/bank-list/index.ts'
import type { Serve } from '../../core/edge/http/index.ts'
import { plain } from '../../kernel/dates.ts'
import { subtract, toNaira } from '../../kernel/money.ts'
import { bankTransferErrors } from './errors.ts'
import type { AssignAccount, PaymentAccount } from './service.ts'
import { ussdText } from './ussd.ts'

export function bankTransferRoutes(serve: Serve, assign: AssignAccount): void {
  serve(contract.initBankTransfer, async ({ body: { transactionReference, bankCode } }, { merchant }) => {
    const bank = bankCode ? findOfferedBank(bankCode) : undefined
    if (bankCode && bank === undefined) throw bankTransferErrors.unknownBank(bankCode)
    return showPaymentAccount(
      await assign({ merchant, transactionReference, method: 'ACCOUNT_TRANSFER', by: 'server', bank }),
      bank,
    )
  })

  serve(contract.initUssd, async ({ body: { transactionReference, bankUssdCode } }, { merchant }) => {
    const bank = findUssdBank(bankUssdCode)
    if (bank === undefined) throw bankTransferErrors.unknownBank(bankUssdCode)
    return showPaymentAccount(
      await assign({ merchant, transactionReference, method: 'USSD', by: 'server', bank }),
      bank,
    )
  })
}

/** Returns when the account stops taking money: when the transaction expires, or earlier if the bank closes it. */
const closingTime = ({ transaction: { expiresAt }, account: { closesAt } }: PaymentAccount): Date =>
  closesAt !== null && closesAt < expiresAt ? closesAt : expiresAt

/** Returns the account of a payment as the API shows it. */
export function showPaymentAccount(
  { transaction, account }: PaymentAccount,
  bank: Bank | undefined,
): Reply<typeof contract.initBankTransfer> {
  return {
    accountNumber: account.accountNumber,
    accountName: account.accountName,
    bankName: findBank(account.bankCode)?.name ?? '',
    bankCode: account.bankCode,
    accountDurationSeconds: Math.round(
      (closingTime({ transaction, account }).getTime() - transaction.createdAt.getTime()) / 1_000,
    ),
    ussdPayment: bank === undefined ? null : ussdText(bank, account.accountNumber, transaction.payable),
    // A reserved account may be older than the invoice that is paid into it.
    requestTime: plain(account.openedAt < transaction.createdAt ? transaction.createdAt : account.openedAt),
    expiresOn: plain(closingTime({ transaction, account })),
    transactionReference: transaction.transactionReference,
    paymentReference: transaction.paymentReference,
    amount: toNaira(transaction.amount),
    fee: toNaira(subtract(transaction.payable, transaction.amount)),
    totalPayable: toNaira(transaction.payable),
    collectionChannel: transaction.productType,
    productInformation: null,
  }
}
