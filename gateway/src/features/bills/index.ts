export { type VendAnswer, vendOrders } from './orders.ts'
export type { VendRow } from './repository.ts'
export { billRoutes } from './routes.ts'
export { billSweeps } from './sweeps.ts'
