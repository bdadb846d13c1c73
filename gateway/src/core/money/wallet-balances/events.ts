import { spacedHalfDay } from '../../../kernel/dates.ts'
import { formatNaira, toNaira } from '../../../kernel/money.ts'
import { findBank } from '../../bank-list/index.ts'
import type { Notice } from '../../messages/notices.ts'
import type { OutgoingEvent } from '../../messages/outbox/index.ts'
import type { OpenWallet } from './repository.ts'
import type { WalletEntryRow } from './statement.ts'

/** The other party of a wallet's change, if it is outside Kobo. */
export interface Counterparty {
  readonly accountName: string | null
  readonly accountNumber: string | null
  readonly bankCode: string | null
}

/** The naira's ISO 4217 number, which only this event uses. */
const NAIRA_NUMBER = '566'

/** Builds the event for money that entered or left a wallet. */
export function activityEvent(
  wallet: OpenWallet,
  entry: WalletEntryRow,
  counterparty: Counterparty | null,
): OutgoingEvent {
  const itself = { accountName: wallet.name, accountNumber: wallet.accountNumber, bankCode: wallet.bankCode }
  const source = entry.type === 'DEBIT' ? itself : counterparty
  return {
    merchantId: wallet.merchantId,
    eventType: 'ACCOUNT_ACTIVITY',
    refs: [entry.reference, entry.transactionReference, wallet.accountNumber],
    eventData: {
      accountType: 'MAIN',
      accountName: wallet.name,
      accountNumber: wallet.accountNumber,
      accountNuban: null,
      activityType: 'TRANSACTION',
      amount: toNaira(entry.amount),
      currency: NAIRA_NUMBER,
      balanceBefore: toNaira(entry.balanceBefore),
      balanceAfter: toNaira(entry.balanceAfter),
      reference: entry.reference,
      narration: entry.narration ?? entry.message,
      activityTime: spacedHalfDay(entry.at),
    },
    metaData: {
      senderAccount: source?.accountNumber ?? null,
      sourceAccountName: source?.accountName ?? null,
      sourceAccountNumber: source?.accountNumber ?? null,
      sourceBankCode: source?.bankCode ?? null,
      sourceBankName: findBank(source?.bankCode ?? '')?.name ?? null,
    },
  }
}

/** Builds the event for a merchant's own wallet that fell below its threshold. */
export const lowBalanceEvent = (wallet: OpenWallet, entry: WalletEntryRow): OutgoingEvent => ({
  merchantId: wallet.merchantId,
  eventType: 'LOW_BALANCE_ALERT',
  refs: [wallet.accountNumber, entry.reference],
  eventData: {
    transactionTime: spacedHalfDay(entry.at),
    merchantCode: wallet.merchantCode,
    walletAccountNumber: wallet.accountNumber,
    walletBalance: toNaira(entry.balanceAfter),
    lowBalanceThreshold: toNaira(wallet.lowBalanceThreshold ?? entry.balanceBefore),
    currency: 'NGN',
    description: 'The wallet balance has fallen below the threshold',
  },
})

/** Writes the email to a merchant whose own wallet fell below its threshold. */
export const lowBalanceNotice = (wallet: OpenWallet, entry: WalletEntryRow): Notice => ({
  merchantId: wallet.merchantId,
  topic: 'LOW_BALANCE',
  subject: 'Your wallet balance is low',
  text: [
    `Your wallet ${wallet.accountNumber} has ${formatNaira(entry.balanceAfter)} left.`,
    `You asked us to notify you when it falls below ${formatNaira(wallet.lowBalanceThreshold ?? entry.balanceBefore)}.`,
  ].join('\n'),
})
