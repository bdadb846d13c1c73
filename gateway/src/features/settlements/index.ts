export { payablesAreWhatIsToBeSettled, settlementsAreSumsOfTransactions } from './ledger-questions.ts'
export { payoutOrders } from './orders.ts'
export { settlementRoutes } from './routes.ts'
export { settlementSweeps } from './service.ts'
