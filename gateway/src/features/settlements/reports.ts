import { bankName } from '../../core/bank-list/index.ts'
import type { Notice } from '../../core/messages/notices.ts'
import { displayMoment } from '../../kernel/dates.ts'
import { add, formatNaira, type Kobo, kobo, subtract, sum } from '../../kernel/money.ts'
import type { Payment, Transaction } from '../transactions/index.ts'
import type { PayoutToSend } from './payout-to-send.ts'
import type { Planned, Terms } from './plan.ts'
import type { PayoutRow } from './repository.ts'
import { paidOut } from './withholding.ts'

/** A sub account's share of a transaction. */
export interface SubAccountIncome {
  readonly paymentReference: string
  readonly amount: Kobo
  readonly paidAt: Date
}

/** Returns a sub account's shares of transactions, as posted with their payments; oldest first. */
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

/** Writes the emails that inform a sub account's report addresses about the arrived share and its transactions. */
export function settlementReports(
  { payout, merchant, settlement, reportEmails }: PayoutToSend,
  incomes: readonly SubAccountIncome[],
  at: Date,
): readonly Notice[] {
  const { merchantId, accountName, accountNumber, bankCode } = payout
  const { name: merchantName } = merchant
  const subject = `${formatNaira(payout.amount)} from ${merchantName} was settled`
  const text = [
    `${merchantName} has paid ${formatNaira(payout.amount)} into ${accountName}’s account ${accountNumber} at ${bankName(bankCode)}.`,
    '',
    `Settlement: ${settlement.settlementReference}`,
    `Sub account: ${payout.beneficiaryCode}`,
    `Session: ${payout.sessionId}`,
    `Paid on: ${displayMoment(at)}`,
    `Transactions: ${incomes.length}`,
    '',
    ...incomes.map(
      ({ paidAt, amount, paymentReference }) => `${displayMoment(paidAt)}  ${formatNaira(amount)}  ${paymentReference}`,
    ),
  ].join('\n')
  return [...new Set(reportEmails)].map((recipient) => ({ merchantId, recipient, subject, text }))
}

/**
 * Writes the emails to the merchant and to the report addresses of sub accounts, if debts or the reserve took a part of
 * sub accounts' shares.
 */
export function withheldNotices(
  { settlement, withholdings }: Planned,
  subAccountOf: Terms['subAccount'],
): readonly Notice[] {
  const { merchantId, settlementReference } = settlement
  const reduced = [...withholdings.subAccounts].filter(([, { debtRepaid, reserved }]) => debtRepaid + reserved > 0n)
  if (reduced.length === 0) return []
  const total = sum(reduced.map(([, { debtRepaid, reserved }]) => add(debtRepaid, reserved)))
  const lines = reduced.map(
    ([code, one]) =>
      `${code}: ${formatNaira(one.debtRepaid)} for debts, ${formatNaira(one.reserved)} for the reserve, ${formatNaira(paidOut(one))} paid out`,
  )
  const toMerchant: Notice = {
    merchantId,
    subject: `${formatNaira(total)} of your sub accounts’ shares was withheld`,
    text: [
      `Your own share of settlement ${settlementReference} did not cover your debts and your reserve.`,
      'The rest was taken from the shares of these sub accounts, in proportion:',
      '',
      ...lines,
      '',
      'You owe your sub accounts these amounts. A reserve is released to your wallet.',
    ].join('\n'),
  }
  const toSubAccounts = reduced.flatMap(([code, one]) => {
    const withheld = subtract(one.income, paidOut(one))
    const text = [
      `Settlement: ${settlementReference}`,
      `Sub account: ${code}`,
      `Share: ${formatNaira(one.income)}`,
      `Withheld for the merchant’s debts and reserve: ${formatNaira(withheld)}`,
      `Paid out: ${formatNaira(paidOut(one))}`,
      '',
      'Please contact the merchant about the amount withheld.',
    ].join('\n')
    const recipients = new Set(subAccountOf(merchantId, code)?.settlementReportEmails)
    const subject = `${formatNaira(withheld)} of your share was withheld`
    return [...recipients].map((recipient) => ({ merchantId, recipient, subject, text }))
  })
  return [toMerchant, ...toSubAccounts]
}

/** Writes the email to a merchant whose payout to a bank account failed or came back. */
export const failedNotice = ({ payout, settlement }: PayoutToSend): Notice => {
  const { merchantId, amount, accountName, accountNumber, bankCode, failure } = payout
  return {
    merchantId,
    topic: 'SETTLEMENTS',
    page: `/dashboard/settlements/${settlement.id}`,
    subject: `${formatNaira(amount)} could not be settled`,
    text: [
      `${formatNaira(amount)} could not be paid to ${accountName}, ${accountNumber} at ${bankName(bankCode)}: ${failure}.`,
      'We try again at the next settlement time. If the account is wrong, change it before then.',
      `Settlement: ${settlement.settlementReference}`,
    ].join('\n'),
  }
}
