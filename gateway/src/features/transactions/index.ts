export type { Received } from './collection.ts'
export { transactionErrors } from './errors.ts'
export { type Arrival, type Birth, type Receipt, receiveMoney, receiveNewborn } from './receive.ts'
export {
  type CardFacts,
  findTransaction,
  insertTransactions,
  lockSettling,
  lockTransactions,
  lockTransactionsByReference,
  markSettled,
  nextSettling,
  nextTransactionDue,
  type PaymentRow,
  type SettlingPlace,
  selectPayments,
  type TransactionKey,
  type TransactionRow,
  updateTransactions,
} from './repository.ts'
export { transactionRoutes } from './routes.ts'
export {
  cancelled,
  checkOpen,
  declined,
  draftTransaction,
  getTransaction,
  type NewTransaction,
  type TransactionRecord,
  transactionSweeps,
} from './service.ts'
export { showListed, showStatus } from './show.ts'
export { agreeSplits, type WantedSplit } from './splits.ts'
