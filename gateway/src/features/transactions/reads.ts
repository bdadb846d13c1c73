import {
  findPaidFrom,
  findPaidUnder,
  findPaymentsUnder,
  selectPayments,
  selectRejectedOf,
} from './payment-repository.ts'
import {
  countTransactions,
  findMerchantOf,
  findNextSettlement,
  findTransaction,
  isOpen,
  lockTransactions,
  lockTransactionsByReference,
  readTransactions,
  readTransactionsByReference,
  searchTransactions,
  selectProgress,
  sumOutcomes,
  sumPaid,
  transactionList,
  transactionsInReservedAccount,
} from './repository.ts'
import { openedSince } from './service.ts'
import { getTransaction, statusReader } from './status.ts'

/** Reads of transactions and their payments, for other features. */
export const transactionReads = {
  find: findTransaction,
  byKeys: readTransactions,
  byReferences: readTransactionsByReference,
  lock: lockTransactions,
  lockByReferences: lockTransactionsByReference,
  merchantOf: findMerchantOf,
  openedSince,
  status: getTransaction,
  statusReader,
  progress: selectProgress,
  isOpen,
  list: transactionList,
  listOfReservedAccount: transactionsInReservedAccount,
  search: searchTransactions,
  count: countTransactions,
  outcomes: sumOutcomes,
  paidTotal: sumPaid,
  nextSettlement: findNextSettlement,
  payments: selectPayments,
  rejectedPayments: selectRejectedOf,
  paidUnder: findPaidUnder,
  paidFrom: findPaidFrom,
  paymentsUnder: findPaymentsUnder,
}
