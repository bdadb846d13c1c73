export { settlementRoutes } from './routes.ts'
export { SETTLEMENT_TRANSACTIONS_MAX, settlementSweeps } from './service.ts'
