import type { CustomerWallet as CustomerWalletRecord, WalletTransaction } from '@kobo/contract'
import type { Static } from 'typebox'
import { findBank } from '../../core/bank-list/index.ts'
import type { Balances, WalletEntryRow } from '../../core/money/wallet-balances/index.ts'
import { zoned } from '../../kernel/dates.ts'
import { toNaira } from '../../kernel/money.ts'
import type { CustomerWallet } from './service.ts'

export const showWallet = ({
  wallet,
  bvnDetails,
  topUpAccount,
}: CustomerWallet): Static<typeof CustomerWalletRecord> => ({
  walletName: wallet.name,
  walletReference: wallet.reference,
  customerName: wallet.customerName,
  customerEmail: wallet.customerEmail,
  feeBearer: 'SELF',
  bvnDetails: { ...bvnDetails },
  accountNumber: wallet.accountNumber,
  accountName: topUpAccount.accountName,
  topUpAccountDetails: {
    accountNumber: topUpAccount.accountNumber,
    accountName: topUpAccount.accountName,
    bankCode: topUpAccount.bankCode,
    bankName: findBank(topUpAccount.bankCode)?.name ?? '',
    createdOn: zoned(topUpAccount.openedAt),
  },
})

/** Shows a line of the statement. Only completed entries are listed, so the status is constant. */
export const showLine = (line: WalletEntryRow): Static<typeof WalletTransaction> => ({
  walletTransactionReference: String(line.id),
  transactionReference: line.transactionReference,
  availableBalanceBefore: toNaira(line.balanceBefore),
  availableBalanceAfter: toNaira(line.balanceAfter),
  amount: toNaira(line.amount),
  transactionDate: zoned(line.at),
  transactionType: line.type,
  message: line.message,
  narration: line.narration,
  status: 'SUCCESS',
})

export const showBalances = ({ available, ledger }: Balances): { availableBalance: number; ledgerBalance: number } => ({
  availableBalance: toNaira(available),
  ledgerBalance: toNaira(ledger),
})
