export type { Received } from './collection.ts'
export { transactionErrors } from './errors.ts'
export {
  type Arrival,
  type Birth,
  type Receipt,
  receive,
  receiveMoney,
  receiveNewborn,
} from './receive.ts'
export {
  type CardFacts,
  countTransactions,
  decidedBefore,
  findOwner,
  findTransaction,
  insertTransactions,
  lockSettlements,
  lockSettling,
  lockTransactions,
  lockTransactionsByReference,
  markSettled,
  nextSettling,
  nextTransactionDue,
  type PaymentRow,
  type SettlingPlace,
  selectPayments,
  selectProgress,
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
  expired,
  getTransaction,
  type NewTransaction,
  searchTransactions,
  type TransactionRecord,
  transactionSweeps,
} from './service.ts'
export { checkoutUrl, showListed, showStatus } from './show.ts'
export { agreeSplits, type WantedSplit } from './splits.ts'
