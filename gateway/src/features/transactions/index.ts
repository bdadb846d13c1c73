export { transactionErrors } from './errors.ts'
export { receiveCredits, type TransactionCredit } from './receive.ts'
export {
  lockTransactionsByReference,
  nextTransactionDue,
  type TransactionRow,
  updateTransactions,
} from './repository.ts'
export { transactionRoutes } from './routes.ts'
export { checkOpen, expireTransactions } from './service.ts'
