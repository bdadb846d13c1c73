import type { Notice } from '../../core/messages/notices.ts'
import { findBank } from '../../core/money/bank-list/index.ts'
import { spaced } from '../../kernel/dates.ts'
import { type Kobo, kobo, toNairaForPeople } from '../../kernel/money.ts'
import type { PaymentRow, TransactionRow } from '../transactions/index.ts'
import type { PayoutToSend } from './payout-to-send.ts'
import type { PayoutRow } from './repository.ts'

/** What a sub account has of a transaction. */
export interface SubAccountIncome {
  readonly paymentReference: string
  readonly amount: Kobo
  readonly paidAt: Date
}

/** What a sub account has of transactions, as it was booked with their payments; oldest first. */
export function incomesOf(
  { beneficiaryCode }: PayoutRow,
  transactions: readonly TransactionRow[],
  payments: readonly PaymentRow[],
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

/** Tells those whom a sub account names that its part of a settlement has arrived, and of which transactions it is. */
export function settlementReports(
  { payout, merchant, settlement, reportEmails }: PayoutToSend,
  incomes: readonly SubAccountIncome[],
  at: Date,
): readonly Notice[] {
  const { merchantId, accountName, accountNumber, bankCode } = payout
  const { name: merchantName } = merchant
  const subject = `${toNairaForPeople(payout.amount)} from ${merchantName} was settled`
  const text = [
    `${merchantName} has paid ${toNairaForPeople(payout.amount)} into ${accountName}’s account ${accountNumber} at ${findBank(bankCode)?.name ?? bankCode}.`,
    '',
    `Settlement: ${settlement.settlementReference}`,
    `Sub account: ${payout.beneficiaryCode}`,
    `Session: ${payout.sessionId}`,
    `Paid on: ${spaced(at)}`,
    `Transactions: ${incomes.length}`,
    '',
    ...incomes.map(
      ({ paidAt, amount, paymentReference }) => `${spaced(paidAt)}  ${toNairaForPeople(amount)}  ${paymentReference}`,
    ),
  ].join('\n')
  return [...new Set(reportEmails)].map((recipient) => ({ merchantId, recipient, subject, text }))
}
