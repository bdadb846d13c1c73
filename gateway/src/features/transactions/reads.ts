import type { Db } from '../../platform/postgres/db.ts'
import { selectNotes } from './note-repository.ts'
import {
  findPaidByCard,
  findPaidFrom,
  findPaidUnder,
  findPaymentsUnder,
  selectPayments,
  selectRejectedOf,
} from './payment-repository.ts'
import {
  countTransactions,
  findMerchantOf,
  findNamesakes,
  findNextSettlement,
  findPayers,
  findTransaction,
  isOpen,
  lockTransactions,
  lockTransactionsByReference,
  payerList,
  readTransactions,
  readTransactionsByReference,
  searchTransactions,
  selectIdsOfPayer,
  selectPaidInto,
  selectProgress,
  sumOutcomes,
  sumPaid,
  sumPaidInto,
  type TransactionRow,
  transactionList,
  transactionsInReservedAccount,
  transactionsOf,
} from './repository.ts'
import { openedSince } from './service.ts'
import { getTransaction, statusReader } from './status.ts'

/** Finds transactions of any merchant by either reference, or by a partner's reference of a payment. */
async function findOfAnyMerchant(db: Db, reference: string): Promise<readonly TransactionRow[]> {
  const [named, merchantId, payments] = await Promise.all([
    findNamesakes(db, reference),
    findMerchantOf(db, reference),
    findPaymentsUnder(db, [reference]),
  ])
  const ours =
    merchantId === undefined ? undefined : await findTransaction(db, merchantId, { transactionReference: reference })
  const keys = payments.map(({ merchantId, transactionId: id }) => ({ merchantId, id }))
  const rows = [...named, ...(ours === undefined ? [] : [ours]), ...(await readTransactions(db, keys))]
  return [...new Map(rows.map((row) => [`${row.merchantId} ${row.id}`, row])).values()]
}

/** Reads of transactions and their payments, for other features. */
export const transactionReads = {
  find: findTransaction,
  byKeys: readTransactions,
  byReferences: readTransactionsByReference,
  lock: lockTransactions,
  lockByReferences: lockTransactionsByReference,
  merchantOf: findMerchantOf,
  ofAnyMerchant: findOfAnyMerchant,
  openedSince,
  status: getTransaction,
  statusReader,
  progress: selectProgress,
  isOpen,
  list: transactionList,
  payerList,
  payers: findPayers,
  idsOfPayer: selectIdsOfPayer,
  listOfReservedAccount: transactionsInReservedAccount,
  listOf: transactionsOf,
  search: searchTransactions,
  count: countTransactions,
  outcomes: sumOutcomes,
  paidTotal: sumPaid,
  paidInto: selectPaidInto,
  paidIntoTotal: sumPaidInto,
  nextSettlement: findNextSettlement,
  notes: selectNotes,
  payments: selectPayments,
  rejectedPayments: selectRejectedOf,
  paidUnder: findPaidUnder,
  paidFrom: findPaidFrom,
  paidByCard: findPaidByCard,
  paymentsUnder: findPaymentsUnder,
}
