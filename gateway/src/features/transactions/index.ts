export {
  cancelTransaction,
  checkOpen,
  declineTransactions,
  markAskedByServer,
  markSettled,
} from './changes.ts'
export { type CheckoutLinks, openCheckoutLinks } from './checkout-links.ts'
export { collectionKey, RAIL_OF } from './collection.ts'
export { AMOUNT_MIN, checkWanted, draftForTransfer, draftTransaction, type NewTransaction } from './draft.ts'
export { transactionErrors } from './errors.ts'
export { transactionFeature } from './feature.ts'
export { transactionQuestions } from './ledger-questions.ts'
export { askedInPast, endedInPast, paidInPast, writePastTransactions } from './past.ts'
export {
  type CardFacts,
  findPaidBy,
  findPaidFrom,
  findPaymentsCalled,
  type NamedPayment,
  type PaymentRow,
  type RejectedPaymentRow,
  selectPayments,
  selectRejectedOf,
} from './payment-repository.ts'
export { transactionTraces } from './person-repository.ts'
export { type Arrival, type Receipt, receive } from './receive.ts'
export {
  countTransactions,
  findOwner,
  findTransaction,
  type HourOfTransactions,
  type Hours,
  isOpen,
  lockDueToSettle,
  lockTransactions,
  lockTransactionsByReference,
  nextDueToSettle,
  type ReferenceKey,
  readTransactions,
  readTransactionsByReference,
  type SettlingPlace,
  searchTransactions,
  selectProgress,
  sumOutcomes,
  type TransactionKey,
  type TransactionRow,
  transactionList,
  transactionsInReservedAccount,
} from './repository.ts'
export {
  openedSince,
  openTransaction,
  type TransactionRecord,
} from './service.ts'
export { showListed, showStatus } from './show.ts'
export { agreeSplits, type WantedSplit } from './splits.ts'
export { getTransaction, statusReader } from './status.ts'
