export { heldByPaycodes } from './ledger-questions.ts'
export { paycodeRoutes } from './routes.ts'
export { paycodeSweeps } from './service.ts'
