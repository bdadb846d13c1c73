import { findBank } from '../../core/bank-list/index.ts'
import type { Notice } from '../../core/messages/notices.ts'
import { spaced } from '../../kernel/dates.ts'
import { formatNaira, type Kobo, kobo } from '../../kernel/money.ts'
import type { Payment, Transaction } from '../transactions/index.ts'
import type { PayoutToSend } from './payout-to-send.ts'
import type { PayoutRow } from './repository.ts'

/** A sub account's share of a transaction. */
export interface SubAccountIncome {
  readonly paymentReference: string
  readonly amount: Kobo
  readonly paidAt: Date
}

/** A sub account's shares of transactions, as posted with their payments; oldest first. */
export function incomesOf(
  { beneficiaryCode }: PayoutRow,
  transactions: readonly Transaction[],
  payments: readonly Payment[],
): readonly SubAccountIncome[] {
  const paymentsOf = Map.groupBy(payments, ({ transactionId }) => transactionId)
  return transactions
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap(({ id, paymentReference }) => {
      const all = paymentsOf.get(id) ?? []
      const parts = all.flatMap(({ splits }) => splits ?? []).filter((part) => part.subAccountCode === beneficiaryCode)
      const paidAt = all.map(({ receivedAt }) => receivedAt).reduce((a, b) => (a > b ? a : b))
      const amount = parts.reduce((sum, { share, fee }) => sum + BigInt(share) - BigInt(fee), 0n)
      return parts.length === 0 ? [] : { paymentReference, amount: kobo(amount), paidAt }
    })
}

/** Emails to a sub account's report addresses that its share of a settlement has arrived, with the transactions. */
export function settlementReports(
  { payout, merchant, settlement, reportEmails }: PayoutToSend,
  incomes: readonly SubAccountIncome[],
  at: Date,
): readonly Notice[] {
  const { merchantId, accountName, accountNumber, bankCode } = payout
  const { name: merchantName } = merchant
  const subject = `${formatNaira(payout.amount)} from ${merchantName} was settled`
  const text = [
    `${merchantName} has paid ${formatNaira(payout.amount)} into ${accountName}’s account ${accountNumber} at ${findBank(bankCode)?.name ?? bankCode}.`,
    '',
    `Settlement: ${settlement.settlementReference}`,
    `Sub account: ${payout.beneficiaryCode}`,
    `Session: ${payout.sessionId}`,
    `Paid on: ${spaced(at)}`,
    `Transactions: ${incomes.length}`,
    '',
    ...incomes.map(
      ({ paidAt, amount, paymentReference }) => `${spaced(paidAt)}  ${formatNaira(amount)}  ${paymentReference}`,
    ),
  ].join('\n')
  return [...new Set(reportEmails)].map((recipient) => ({ merchantId, recipient, subject, text }))
}
