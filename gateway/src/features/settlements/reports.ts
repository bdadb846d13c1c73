import { findBank } from '../../core/banks/index.ts'
import type { Notice } from '../../core/notices.ts'
import { spaced } from '../../kernel/dates.ts'
import { toNairaForPeople } from '../../kernel/money.ts'
import type { DuePayout, SubAccountIncome } from './repository.ts'

/** Tells those whom a sub account names that its part of a settlement has arrived, and of which transactions it is. */
export function settlementReports(
  payout: DuePayout,
  incomes: readonly SubAccountIncome[],
  at: Date,
): readonly Notice[] {
  const { merchantId, merchantName, settlementReference, accountName, accountNumber, bankCode } = payout
  const subject = `${toNairaForPeople(payout.amount)} from ${merchantName} was settled`
  const text = [
    `${merchantName} has paid ${toNairaForPeople(payout.amount)} into ${accountName}’s account ${accountNumber} at ${findBank(bankCode)?.name ?? bankCode}.`,
    '',
    `Settlement: ${settlementReference}`,
    `Sub account: ${payout.beneficiaryCode}`,
    `Session: ${payout.sessionId}`,
    `Paid on: ${spaced(at)}`,
    `Transactions: ${incomes.length}`,
    '',
    ...incomes.map(
      ({ paidAt, amount, paymentReference }) => `${spaced(paidAt)}  ${toNairaForPeople(amount)}  ${paymentReference}`,
    ),
  ].join('\n')
  return [...new Set(payout.reportEmails)].map((recipient) => ({ merchantId, recipient, subject, text }))
}
